//go:build system

package requests

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/testutil"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/webhook"
	"github.com/headroom-dev/headroom/webhook/admission"
	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// haunted is a cluster that panics when it is asked about the Pods of one owner.
type haunted struct{ facts admission.Facts }

const ghost = "ghost"

func (h haunted) Around(_ context.Context, _ string, object admission.Owned) (admission.Facts, error) {
	for _, owner := range object.Owners {
		if owner.Name == ghost {
			panic("kanarie")
		}
	}
	return h.facts, nil
}

func owned(pod *corev1.Pod, owner string) *corev1.Pod {
	yes := true
	pod.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap", Name: owner, UID: "6a2ca8a7-0000-4000-8000-000000000000", Controller: &yes,
	}}
	return pod
}

// F15: our code panics over one of many requests that the API server makes at once. That one
// alone is affected, in the way of its path, and is counted once.
//
// No input is known that makes the shipped program panic, so this is its handlers in the
// process of the test, with what they ask about the cluster broken.
func TestF15Panic(t *testing.T) {
	for _, c := range []struct {
		path, mode string
		policy     admissionregistrationv1.FailurePolicyType
	}{
		{webhook.PathMutate, admission.ModeWarn, admissionregistrationv1.Ignore},
		{webhook.PathValidate, admission.ModeWarn, admissionregistrationv1.Ignore},
		{webhook.PathValidateEnforce, admission.ModeEnforce, admissionregistrationv1.Fail},
	} {
		t.Run(strings.Trim(c.path, "/"), func(t *testing.T) {
			m := metrics.New(nil)
			decider, err := decision.New(t.Context(), decision.Options{Metrics: m})
			if err != nil {
				t.Fatal(err)
			}
			facts := admission.Facts{Mode: c.mode, Mutate: true}
			h := admission.New(decider, haunted{facts}, m, logr.Discard())
			mux := http.NewServeMux()
			mux.Handle(webhook.PathMutate, h.Mutate)
			mux.Handle(webhook.PathValidate, h.Validate)
			mux.Handle(webhook.PathValidateEnforce, h.ValidateEnforce)

			namespace := cluster.Namespace(t, off) // the installed webhook stays out of it
			// A mutating configuration may ask the validating paths as well.
			register(t, &admissionregistrationv1.MutatingWebhookConfiguration{
				ObjectMeta: metav1.ObjectMeta{Name: namespace},
				Webhooks: []admissionregistrationv1.MutatingWebhook{{
					Name: "haunted.example.com", ClientConfig: clientConfig(t, mux, c.path), Rules: podRules,
					FailurePolicy: &c.policy, SideEffects: &none, NamespaceSelector: only(namespace),
					AdmissionReviewVersions: []string{"v1"},
				}},
			})
			heardOf(t, namespace, func() bool { return testutil.CollectAndCount(m.Registry(), "headroom_decisions_total") > 0 })

			answers := make([]answer, 12)
			var all sync.WaitGroup
			for i := range answers {
				pod := owned(right("a-"+itoa(i)), "innocent")
				if i == 5 {
					pod = owned(right("a-"+itoa(i)), ghost)
				}
				all.Go(func() { answers[i] = create(t.Context(), client(t), namespace, pod, true) })
			}
			all.Wait()
			for i, a := range answers {
				bug := func(text string) bool { return strings.Contains(text, unjudged+": headroom has a bug here") }
				open := c.policy == admissionregistrationv1.Ignore
				warned := slices.ContainsFunc(a.warnings, bug)
				switch {
				case i != 5 && (a.err != nil || warned):
					t.Errorf("%d is affected: %v %q", i, a.err, a.warnings)
				case i == 5 && open && (a.err != nil || !warned):
					t.Errorf("what panics is not admitted with a warning: %v %q", a.err, a.warnings)
				case i == 5 && !open && (!apierrors.IsInternalError(a.err) || !bug(a.err.Error())):
					t.Errorf("what panics is not refused with a reason: %v", a.err)
				}
			}
			want := `# HELP headroom_panics_total Panics that were recovered; each is a bug.
# TYPE headroom_panics_total counter
headroom_panics_total 1
# HELP headroom_errors_total Requests that could not be judged, by kind of error.
# TYPE headroom_errors_total counter
headroom_errors_total{kind="panic"} 1
`
			err = testutil.GatherAndCompare(m.Registry(), strings.NewReader(want),
				"headroom_panics_total", "headroom_errors_total")
			if err != nil {
				t.Error(err)
			}
		})
	}
}
