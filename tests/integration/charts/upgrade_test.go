//go:build integration

package charts

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	applyadmissionv1 "k8s.io/client-go/applyconfigurations/admissionregistration/v1"
	"k8s.io/client-go/kubernetes/fake"
)

var ca = []byte("-----BEGIN CERTIFICATE-----\n")

// changed is what an upgrade, and then a rollback, changes.
var changed = []string{"defaults.mutate=enabled", "excludeNamespaces={cilium}", "webhooks.annotations.a=b"}

// TestUpgradeKeepsCABundle is F26 and W12 as Helm 4 does it, by server-side apply, with
// the API server's code that decides who owns a field.
func TestUpgradeKeepsCABundle(t *testing.T) {
	for _, mode := range []string{certManager, selfSigned} {
		client := fake.NewClientset()
		configurations := client.AdmissionregistrationV1().MutatingWebhookConfigurations()
		apply := func(settings ...string) *admissionv1.MutatingWebhookConfiguration {
			t.Helper()
			wanted := as[applyadmissionv1.MutatingWebhookConfigurationApplyConfiguration](t,
				find(t, render(t, append(settings, mode)...), "MutatingWebhookConfiguration", ""))
			got, err := configurations.Apply(t.Context(), &wanted, metav1.ApplyOptions{FieldManager: "helm", Force: true})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		installed := apply()
		installed.Webhooks[0].ClientConfig.CABundle = ca
		injector := metav1.UpdateOptions{FieldManager: "injector"}
		if _, err := configurations.Update(t.Context(), installed, injector); err != nil {
			t.Fatal(err)
		}
		upgraded := apply(changed...)
		if string(upgraded.Webhooks[0].ClientConfig.CABundle) != string(ca) {
			t.Errorf("%s: the upgrade took caBundle away", mode)
		}
		if upgraded.Webhooks[0].NamespaceSelector.MatchExpressions[1].Values[0] != "disabled" {
			t.Errorf("%s: the upgrade changed nothing", mode)
		}
		if back := apply(); string(back.Webhooks[0].ClientConfig.CABundle) != string(ca) {
			t.Errorf("%s: the rollback took caBundle away", mode)
		}
	}
}

// TestThreeWayMergeKeepsCABundle is the same as Helm 3 and kubectl apply do it.
func TestThreeWayMergeKeepsCABundle(t *testing.T) {
	for _, kind := range []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"} {
		before, after := find(t, render(t), kind, ""), find(t, render(t, changed...), kind, "")
		live := before.DeepCopy()
		hooks := live.Object["webhooks"].([]any)
		for _, hook := range hooks {
			hook.(map[string]any)["clientConfig"].(map[string]any)["caBundle"] = base64.StdEncoding.EncodeToString(ca)
		}
		for _, step := range [][2]object{{before, after}, {after, before}} {
			live.Object = merge(t, kind, step[0].Object, step[1].Object, live.Object)
			for _, hook := range live.Object["webhooks"].([]any) {
				if hook.(map[string]any)["clientConfig"].(map[string]any)["caBundle"] == nil {
					t.Errorf("%s: caBundle is taken away", kind)
				}
			}
		}
	}
}

func merge(t *testing.T, kind string, before, after, live map[string]any) map[string]any {
	t.Helper()
	var typed any = admissionv1.MutatingWebhookConfiguration{}
	if kind == "ValidatingWebhookConfiguration" {
		typed = admissionv1.ValidatingWebhookConfiguration{}
	}
	lookup, err := strategicpatch.NewPatchMetaFromStruct(typed)
	if err != nil {
		t.Fatal(err)
	}
	current := []byte(asJSON(t, live))
	patch, err := strategicpatch.CreateThreeWayMergePatch(
		[]byte(asJSON(t, before)), []byte(asJSON(t, after)), current, lookup, true)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := strategicpatch.StrategicMergePatchUsingLookupPatchMeta(current, patch, lookup)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(merged, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// TestNoSecretData: a chart that sets the data of the self-signed Secret would take the
// certificate away at each upgrade.
func TestNoSecretData(t *testing.T) {
	secret := find(t, render(t, selfSigned), "Secret", "headroom-webhook-self-signed")
	if secret.Object["data"] != nil || secret.Object["stringData"] != nil {
		t.Error("the Secret has data")
	}
}
