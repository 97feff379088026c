//go:build integration

package charts

import (
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// entry is what the mutating and the validating configuration have in common.
type entry struct {
	admissionv1.ValidatingWebhook
	annotations  map[string]string
	reinvocation *admissionv1.ReinvocationPolicyType
}

func configurations(t testing.TB, objects []object) (
	admissionv1.MutatingWebhookConfiguration, admissionv1.ValidatingWebhookConfiguration,
) {
	t.Helper()
	return as[admissionv1.MutatingWebhookConfiguration](t, find(t, objects, "MutatingWebhookConfiguration", "")),
		as[admissionv1.ValidatingWebhookConfiguration](t, find(t, objects, "ValidatingWebhookConfiguration", ""))
}

func entries(t testing.TB, objects []object) map[string]entry {
	t.Helper()
	all := map[string]entry{}
	mutating, validating := configurations(t, objects)
	for _, w := range validating.Webhooks {
		all[w.Name] = entry{ValidatingWebhook: w, annotations: validating.Annotations}
	}
	for _, w := range mutating.Webhooks {
		all[w.Name] = entry{admissionv1.ValidatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, FailurePolicy: w.FailurePolicy,
			MatchPolicy: w.MatchPolicy, NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
			SideEffects: w.SideEffects, TimeoutSeconds: w.TimeoutSeconds,
			AdmissionReviewVersions: w.AdmissionReviewVersions, MatchConditions: w.MatchConditions,
		}, mutating.Annotations, w.ReinvocationPolicy}
	}
	if len(all) != 3 {
		t.Fatalf("%d webhooks", len(all))
	}
	return all
}

// TestWebhooksAreCareful: S6, W1, W2, W6, W7, W12, W21, W22, W23, W31, W34, W39.
func TestWebhooksAreCareful(t *testing.T) {
	each(t, func(t *testing.T, settings []string, objects []object) {
		service := find(t, objects, "Service", "")
		for name, w := range entries(t, objects) {
			if *w.TimeoutSeconds > 2 || *w.SideEffects != admissionv1.SideEffectClassNone ||
				*w.MatchPolicy != admissionv1.Equivalent || !slices.Equal(w.AdmissionReviewVersions, []string{"v1"}) {
				t.Errorf("%s: %s", name, asJSON(t, w))
			}
			want := admissionv1.Ignore
			if name == "enforce.headroom.dev" {
				want = admissionv1.Fail
			}
			if *w.FailurePolicy != want {
				t.Errorf("%s: failurePolicy %s", name, *w.FailurePolicy)
			}
			if (w.reinvocation != nil) != (name == "mutate.headroom.dev") {
				t.Errorf("%s: reinvocation %v", name, w.reinvocation)
			}
			call := w.ClientConfig.Service
			if call.Name != service.GetName() || call.Namespace != namespace || *call.Port != 443 {
				t.Errorf("%s calls %v", name, call)
			}
			if len(w.ClientConfig.CABundle) > 0 {
				t.Errorf("%s sets caBundle, and would take it away at each upgrade", name)
			}
			from := ""
			if slices.Contains(settings, certManager) {
				from = namespace + "/" + leaf(t, objects).Name
			}
			if injected := w.annotations["cert-manager.io/inject-ca-from"]; injected != from {
				t.Errorf("%s: caBundle is taken from %q, want %q", name, injected, from)
			}
			for _, rule := range w.Rules {
				words := slices.Concat(rule.APIGroups, rule.Resources)
				if !strings.Contains(rule.APIGroups[0], ".") { // an operator's kind may have any version
					words = append(words, rule.APIVersions...)
				}
				if slices.ContainsFunc(words, func(s string) bool { return strings.Contains(s, "*") }) ||
					*rule.Scope != admissionv1.NamespacedScope {
					t.Errorf("%s matches too much: %s", name, asJSON(t, rule))
				}
				for _, operation := range rule.Operations {
					if operation != admissionv1.Create && operation != admissionv1.Update ||
						operation == admissionv1.Update && slices.Contains(rule.Resources, "pods") {
						t.Errorf("%s: %s of %v", name, operation, rule.Resources)
					}
				}
			}
		}
	})
}

// TestPreviewIsTrue: enforce asks about what warn has asked about.
func TestPreviewIsTrue(t *testing.T) {
	all := entries(t, render(t))
	validate, enforce := all["validate.headroom.dev"], all["enforce.headroom.dev"]
	if asJSON(t, validate.Rules) != asJSON(t, enforce.Rules) ||
		asJSON(t, validate.MatchConditions) != asJSON(t, enforce.MatchConditions) {
		t.Error("rules or conditions differ")
	}
}

// TestWhichNamespaces: which webhook is asked about a namespace, by its labels and the
// defaults. One that a user may not label itself out of goes by its name (W32).
func TestWhichNamespaces(t *testing.T) {
	const mutate, validate, enforce = "mutate.headroom.dev", "validate.headroom.dev", "enforce.headroom.dev"
	for _, test := range []struct {
		settings        []string
		name            string
		mode, mutations string
		want            []string
	}{
		{name: "shop", want: []string{validate}},
		{name: "shop", mode: "audit", want: []string{validate}},
		{name: "shop", mode: "warn", mutations: "enabled", want: []string{mutate, validate}},
		{name: "shop", mode: "enforce", want: []string{enforce}},
		{name: "shop", mode: "enforce", mutations: "disabled", want: []string{enforce}},
		{name: "shop", mode: "off"},
		{name: "shop", mode: "off", mutations: "enabled"},
		{name: "shop", mode: "wran", want: []string{validate}},
		{name: "kube-system", mode: "enforce", mutations: "enabled"},
		{name: "kube-node-lease", mode: "enforce", mutations: "enabled"},
		{name: namespace, mode: "enforce", mutations: "enabled"},
		{settings: []string{"excludeNamespaces={cilium}"}, name: "cilium", mode: "enforce", mutations: "enabled"},
		{settings: []string{"defaults.mutate=enabled"}, name: "shop", want: []string{mutate, validate}},
		{settings: []string{"defaults.mutate=enabled"}, name: "shop", mutations: "disabled", want: []string{validate}},
		{settings: []string{"defaults.mutate=enabled"}, name: "kube-system"},
		{settings: []string{"defaults.mode=off"}, name: "shop"},
		{settings: []string{"defaults.mode=off"}, name: "shop", mutations: "enabled"},
		{
			settings: []string{"defaults.mode=off"}, name: "shop", mode: "audit", mutations: "enabled",
			want: []string{mutate, validate},
		},
		{settings: []string{"defaults.mode=off"}, name: "shop", mode: "warn", want: []string{validate}},
		{settings: []string{"defaults.mode=off"}, name: "shop", mode: "enforce", want: []string{enforce}},
		{settings: []string{"defaults.mode=enforce"}, name: "shop", want: []string{validate}},
		{settings: []string{"defaults.mode=enforce"}, name: "shop", mode: "enforce", want: []string{enforce}},
	} {
		has := labels.Set{"kubernetes.io/metadata.name": test.name}
		if test.mode != "" {
			has["headroom.dev/mode"] = test.mode
		}
		if test.mutations != "" {
			has["headroom.dev/mutate"] = test.mutations
		}
		var got []string
		for name, w := range entries(t, render(t, test.settings...)) {
			selector, err := metav1.LabelSelectorAsSelector(w.NamespaceSelector)
			if err != nil {
				t.Fatal(err)
			}
			if selector.Matches(has) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("with %v, namespace %v is asked about by %v, want %v", test.settings, has, got, test.want)
		}
	}
}

// TestExcludedTwice: the webhook is told of the namespaces that the API server leaves out.
func TestExcludedTwice(t *testing.T) {
	each(t, func(t *testing.T, _ []string, objects []object) {
		arguments := as[appsv1.Deployment](t, find(t, objects, "Deployment", "")).Spec.Template.Spec.Containers[0].Args
		for name, w := range entries(t, objects) {
			for _, expression := range w.NamespaceSelector.MatchExpressions {
				if expression.Key != "kubernetes.io/metadata.name" {
					continue
				}
				if want := "--exclude-namespaces=" + strings.Join(expression.Values, ","); !slices.Contains(arguments, want) {
					t.Errorf("%s leaves out %v, the webhook runs with %v", name, expression.Values, arguments)
				}
				if !slices.Contains(expression.Values, namespace) {
					t.Errorf("%s guards its own namespace (W3)", name)
				}
			}
		}
	})
}
