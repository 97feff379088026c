//go:build integration

package probe

import (
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admission "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
)

var server *apitest.Server

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(apitest.Run(m, func(s *apitest.Server) error {
		server = s
		return nil
	}))
}

// judge stands for the webhook.
type judge struct {
	*httptest.Server
	refuse atomic.Value // func(resources map[string]any) bool
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	j := &judge{}
	j.refuse.Store(func(resources map[string]any) bool { return len(resources) == 0 })
	j.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admission.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		var deployment struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct{ Resources map[string]any }
					}
				}
			}
		}
		if err := json.Unmarshal(review.Request.Object.Raw, &deployment); err != nil {
			t.Error(err)
		}
		if review.Request.DryRun == nil || !*review.Request.DryRun {
			t.Error("a request that is no dry run")
		}
		refuse := j.refuse.Load().(func(map[string]any) bool)
		refused := refuse(deployment.Spec.Template.Spec.Containers[0].Resources)
		review.Response = &admission.AdmissionResponse{UID: review.Request.UID, Allowed: !refused}
		if err := json.NewEncoder(w).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(j.Close)
	return j
}

// install writes both configurations; change spoils them.
func install(t *testing.T, api client.Client, name string, j *judge, change func(*registration.ValidatingWebhook)) {
	t.Helper()
	none, fail := registration.SideEffectClassNone, registration.Fail
	scope := registration.NamespacedScope
	url := j.URL
	hook := registration.ValidatingWebhook{
		Name: "enforce.headroom.dev", SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		ClientConfig: registration.WebhookClientConfig{
			URL:      &url,
			CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: j.Certificate().Raw}),
		},
		NamespaceSelector: &metav1.LabelSelector{
			MatchLabels: map[string]string{"headroom.dev/mode": "enforce", "test": name},
		},
		Rules: []registration.RuleWithOperations{{
			Operations: []registration.OperationType{registration.Create},
			Rule: registration.Rule{
				APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}, Scope: &scope,
			},
		}},
	}
	change(&hook)
	mutating := registration.MutatingWebhook{
		Name: "mutate.headroom.dev", SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		ClientConfig: hook.ClientConfig,
	}
	for _, o := range []client.Object{
		&registration.ValidatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []registration.ValidatingWebhook{hook},
		},
		&registration.MutatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []registration.MutatingWebhook{mutating},
		},
	} {
		if err := api.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}

// runs tells the objects of one run of the tests from those of another.
var runs atomic.Int64

func TestProbe(t *testing.T) {
	api, err := client.New(server.Config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// However few requests its client may make, the probe waits for the cluster alone.
	config := rest.CopyConfig(server.Config)
	config.QPS, config.Burst = 0.05, 4
	run := runs.Add(1)
	var group sync.WaitGroup
	defer group.Wait()
	for name, test := range map[string]struct {
		mode   string
		change func(*registration.ValidatingWebhook)
		refuse func(map[string]any) bool
		want   string // part of the error; "" means no error
	}{
		"works": {mode: "enforce"},
		"no-ca": {
			mode:   "enforce",
			change: func(w *registration.ValidatingWebhook) { w.ClientConfig.CABundle = nil },
			want:   "no caBundle",
		},
		"warn": {mode: "warn", want: "is not labelled headroom.dev/mode=enforce"},
		"no-one": {
			mode:   "enforce",
			change: func(w *registration.ValidatingWebhook) { *w.ClientConfig.URL = "https://127.0.0.1:1/" },
			want:   "cannot call the webhook",
		},
		"no-rule": {
			mode:   "enforce",
			change: func(w *registration.ValidatingWebhook) { w.Rules = nil },
			want:   "does not ask headroom",
		},
		"strict": {
			mode:   "enforce",
			refuse: func(map[string]any) bool { return true },
			want:   "a sound Deployment was refused",
		},
		"lenient": {
			mode:   "enforce",
			refuse: func(map[string]any) bool { return false },
			want:   "a Deployment with an error was admitted",
		},
		"other": {
			mode:   "enforce",
			change: func(w *registration.ValidatingWebhook) { w.Name = "other.example.com" },
			want:   "another webhook or policy refused the Deployment",
		},
	} {
		// All at once: they wait. t.Parallel would let as many run as there are processors.
		group.Go(func() {
			t.Run(name, func(t *testing.T) {
				name := fmt.Sprintf("%s-%d", name, run)
				j := newJudge(t)
				if test.refuse != nil {
					j.refuse.Store(test.refuse)
				}
				if test.change == nil {
					test.change = func(*registration.ValidatingWebhook) {}
				}
				namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
					Name: "probe-" + name, Labels: map[string]string{"headroom.dev/mode": test.mode, "test": name},
				}}
				if err := api.Create(t.Context(), namespace); err != nil {
					t.Fatal(err)
				}
				install(t, api, name, j, test.change)
				timeout := 4 * interval
				if test.want == "" {
					timeout = time.Minute
				}
				err := Run(t.Context(), Options{
					Config: config, Webhook: name, Namespace: namespace.Name, Timeout: timeout,
				})
				if test.want == "" && err != nil {
					t.Error(err)
				}
				if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
					t.Errorf("got %v, want %q", err, test.want)
				}
			})
		})
	}
}

// TestProbeNamesWhatIsMissing: without the configurations, and without an API server.
func TestProbeNamesWhatIsMissing(t *testing.T) {
	err := Run(t.Context(), Options{Config: server.Config, Webhook: "none", Namespace: "default", Timeout: time.Second})
	if err == nil || !strings.Contains(err.Error(), "read MutatingWebhookConfiguration none") {
		t.Error(err)
	}
}
