//go:build integration

package cluster

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/testr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
	"github.com/headroom-dev/headroom/webhook/admission"
)

var (
	apiServer *apitest.Server
	api       *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	os.Exit(apitest.Run(m, func(s *apitest.Server) (err error) {
		apiServer = s
		api, err = kubernetes.NewForConfig(s.Config)
		return err
	}))
}

// start gives a filled memory of the API server.
func start(t *testing.T, config *rest.Config) *Cluster {
	t.Helper()
	c, err := New(Options{
		Config: config, DefaultMode: admission.ModeWarn, Log: testr.New(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); <-done })
	go func() { defer close(done); _ = c.Start(ctx) }()
	wait.For(t, "caches to be filled", func() bool { return c.Ready() == nil })
	return c
}

func around(t *testing.T, c *Cluster, namespace string, owners ...metav1.OwnerReference) admission.Facts {
	t.Helper()
	facts, err := c.Around(context.Background(), namespace, admission.Owned{Kind: "Pod", Owners: owners})
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

func newNamespace(t *testing.T, labels, annotations map[string]string) string {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		GenerateName: name[:min(len(name), 50)] + "-", Labels: labels, Annotations: annotations,
	}}
	created, err := api.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created.Name
}

func patchNamespace(t *testing.T, name, patch string) {
	t.Helper()
	namespaces := api.CoreV1().Namespaces()
	_, err := namespaces.Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLabelsSayTheMode(t *testing.T) {
	c := start(t, apiServer.Config)
	for _, tc := range []struct {
		name, mode, mutate string
		wantMode           string
		wantMutate         bool
	}{
		{"nothing", "", "", "warn", false},
		{"off", "off", "disabled", "off", false},
		{"audit", "audit", "enabled", "audit", true},
		{"warn", "warn", "", "warn", false},
		{"enforce", "enforce", "enabled", "enforce", true},
		{"no known value", "Enforce", "yes", "warn", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			labels := map[string]string{}
			if tc.mode != "" {
				labels[labelMode] = tc.mode
			}
			if tc.mutate != "" {
				labels[labelMutate] = tc.mutate
			}
			facts := around(t, c, newNamespace(t, labels, nil))
			if facts.Mode != tc.wantMode || facts.Mutate != tc.wantMutate || facts.Excluded {
				t.Errorf("mode %q, mutate %v, excluded %v", facts.Mode, facts.Mutate, facts.Excluded)
			}
			if odd := strings.Join(facts.Odd, "; "); (odd != "") != (tc.name == "no known value") ||
				odd != "" && (!strings.Contains(odd, "mode=Enforce") || !strings.Contains(odd, "warn holds") ||
					!strings.Contains(odd, "mutate=yes") || !strings.Contains(odd, "disabled holds")) {
				t.Errorf("odd labels: %q", odd)
			}
		})
	}
}

func TestAChangedLabelIsSeen(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, nil)
	before := around(t, c, namespace)
	patchNamespace(t, namespace, `{"metadata":{"labels":{"headroom.dev/mode":"enforce"}}}`)
	wait.For(t, "the mode to change", func() bool { return around(t, c, namespace).Mode == "enforce" })
	if around(t, c, namespace).Fingerprint != before.Fingerprint {
		t.Error("a label changed the fingerprint, though no policy reads it")
	}
}

func TestExcludedNamespacesAreNotLookedUp(t *testing.T) {
	c, err := New(Options{
		Config: &rest.Config{Host: "https://127.0.0.1:1"}, Exclude: []string{"kube-system"}, Log: testr.New(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	if facts := around(t, c, "kube-system"); !facts.Excluded || facts.Mode != admission.ModeOff {
		t.Errorf("%+v", facts)
	}
	// F14: what is not known is an error.
	if _, err := c.Around(t.Context(), "shop", admission.Owned{}); err == nil {
		t.Error("an answer without any knowledge of the cluster")
	}
}

// Everything in the context that a policy can read is in the fingerprint.
func TestFingerprint(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, map[string]string{"headroom.dev/default-class": "batch", "example.com/note": "x"})
	last := around(t, c, namespace).Fingerprint
	if last == "" {
		t.Fatal("no fingerprint")
	}
	changed := func(what string) {
		t.Helper()
		differs := func() bool { return around(t, c, namespace).Fingerprint != last }
		wait.For(t, what+" to change the fingerprint", differs)
		last = around(t, c, namespace).Fingerprint
	}
	patchNamespace(t, namespace, `{"metadata":{"annotations":{"headroom.dev/default-class":"cron"}}}`)
	changed("a namespace annotation")
	limits := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "limits"}, Spec: corev1.LimitRangeSpec{
		Limits: []corev1.LimitRangeItem{{
			Type: "Container", Default: corev1.ResourceList{"cpu": resource.MustParse("1")},
		}},
	}}
	if _, err := api.CoreV1().LimitRanges(namespace).Create(t.Context(), limits, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	changed("a LimitRange")
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "quota"}, Spec: corev1.ResourceQuotaSpec{
		Hard: corev1.ResourceList{"limits.cpu": resource.MustParse("10")},
	}}
	created, err := api.CoreV1().ResourceQuotas(namespace).Create(t.Context(), quota, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed("a ResourceQuota")
	// What is used of the quota changes with each Pod, and must not make it a new question.
	created.Status.Hard = created.Spec.Hard
	created.Status.Used = corev1.ResourceList{"limits.cpu": resource.MustParse("3")}
	_, err = api.CoreV1().ResourceQuotas(namespace).UpdateStatus(t.Context(), created, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	patchNamespace(t, namespace, `{"metadata":{"annotations":{"example.com/note":"y"}}}`)
	time.Sleep(300 * time.Millisecond)
	first := around(t, c, namespace)
	if first.Fingerprint != last {
		t.Error("what no policy reads changed the fingerprint")
	}
	if around(t, c, namespace).Around != first.Around {
		t.Error("the context was worked out twice")
	}
	if around(t, c, namespace, controller("example.com/v1", "Rollout", "web", "1")).Fingerprint == last {
		t.Error("an owner did not change the fingerprint")
	}
	if err := api.CoreV1().LimitRanges(namespace).Delete(t.Context(), "limits", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	changed("deleting a LimitRange")
}
