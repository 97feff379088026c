//go:build system

package requests

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

func itoa(n int) string { return strconv.Itoa(n) }

// clientConfig serves a handler as a webhook of this process.
func clientConfig(t *testing.T, handler http.Handler, path string) admissionregistrationv1.WebhookClientConfig {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	url := server.URL + path
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return admissionregistrationv1.WebhookClientConfig{URL: &url, CABundle: ca}
}

var (
	none     = admissionregistrationv1.SideEffectClassNone
	ifNeeded = admissionregistrationv1.IfNeededReinvocationPolicy
	podRules = []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
		Rule: admissionregistrationv1.Rule{
			APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"},
		},
	}}
)

func only(namespace string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}}
}

// competitor registers a mutating webhook for the Pods of a namespace, called after
// headroom's, and again when something changes after it. It answers with the operations that
// change gives it.
func competitor(t *testing.T, namespace string, change func(*corev1.Pod) []map[string]any) {
	t.Helper()
	competitorNamed(t, "zz-", namespace, change)
}

// competitorNamed has a place among the webhooks by what its name begins with: the API server calls them in the order of
// their names.
func competitorNamed(t *testing.T, prefix, namespace string, change func(*corev1.Pod) []map[string]any) {
	t.Helper()
	var calls atomic.Int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		var pod corev1.Pod
		if json.NewDecoder(r.Body).Decode(&review) != nil || json.Unmarshal(review.Request.Object.Raw, &pod) != nil {
			http.Error(w, "no review", http.StatusBadRequest)
			return
		}
		calls.Add(1)
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		if operations := change(&pod); len(operations) > 0 {
			kind := admissionv1.PatchTypeJSONPatch
			review.Response.PatchType = &kind
			review.Response.Patch, _ = json.Marshal(operations)
		}
		review.Request = nil
		_ = json.NewEncoder(w).Encode(review)
	})
	policy := admissionregistrationv1.Fail
	register(t, &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: prefix + namespace},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: prefix + "competitor.example.com", ClientConfig: clientConfig(t, handler, ""), Rules: podRules,
			FailurePolicy: &policy, SideEffects: &none, NamespaceSelector: only(namespace),
			AdmissionReviewVersions: []string{"v1"}, ReinvocationPolicy: &ifNeeded,
		}},
	})
	heardOf(t, namespace, func() bool { return calls.Load() > 0 })
}

func register(t *testing.T, configuration *admissionregistrationv1.MutatingWebhookConfiguration) {
	t.Helper()
	configurations := cluster.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	if _, err := configurations.Create(t.Context(), configuration, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Kubectl("delete", "mutatingwebhookconfiguration", configuration.Name) })
}

// heardOf waits until the API server calls a webhook that was just registered.
func heardOf(t *testing.T, namespace string, called func() bool) {
	t.Helper()
	plane.Eventually(t, "the API server to call the webhook", func() error {
		_ = create(t.Context(), client(t), namespace, right("probe"), true)
		if !called() {
			return fmt.Errorf("no call yet")
		}
		return nil
	})
}

// calls are the calls of one webhook for the Pod of this name, in their order, as the audit
// log has them: whether each changed the Pod.
func calls(t *testing.T, namespace, pod, webhook string) (changed []bool) {
	t.Helper()
	plane.Eventually(t, "the audit log to have the creation of "+pod, func() error {
		events, err := cluster.AuditEvents(namespace)
		if err != nil {
			return err
		}
		for _, event := range events {
			if event.Verb != "create" || event.ObjectRef.Name != pod {
				continue
			}
			changed = nil
			for round := range 2 {
				for index := range 10 {
					text := event.Annotations[fmt.Sprintf("mutation.webhook.admission.k8s.io/round_%d_index_%d", round, index)]
					var call struct {
						Webhook string `json:"webhook"`
						Mutated bool   `json:"mutated"`
					}
					if text != "" && json.Unmarshal([]byte(text), &call) == nil && call.Webhook == webhook {
						changed = append(changed, call.Mutated)
					}
				}
			}
			return nil
		}
		return fmt.Errorf("not among %d events", len(events))
	})
	return changed
}
