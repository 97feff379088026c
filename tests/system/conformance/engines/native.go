package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Where the API server notes what its policies found. Its warnings are cut at 4 KiB together,
// and so the policies are installed with a note that is not: what their variables hold.
const (
	foundKey  = "findings"
	foundNote = "headroom/" + foundKey
)

// Native creates the cases on an API server that has nothing but the policies of a file. It
// takes headroom's webhooks away, and so has to come after them.
func Native(s *Server, file string) Engine {
	return Engine{Name: "native", OnlyK: true, NoInfos: true, Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		if err := s.withoutWebhooks(ctx); err != nil {
			return nil, err
		}
		policies, err := s.install(ctx, file)
		if err != nil {
			return nil, err
		}
		var rules []admissionregistrationv1.RuleWithOperations
		for _, policy := range policies {
			for _, rule := range policy.Spec.MatchConstraints.ResourceRules {
				rules = append(rules, rule.RuleWithOperations)
			}
		}
		if err := s.waitPolicies(ctx, rules); err != nil {
			return nil, err
		}
		answers, err := s.create(ctx, corpus, rules)
		if err != nil {
			return nil, err
		}
		notes, err := s.noted(ctx, corpus, answers)
		if err != nil {
			return nil, err
		}
		answer := newAnswer()
		for i := range corpus {
			id := corpus[i].ID
			if answers[i].unjudged != "" {
				answer.Unjudged[id] = answers[i].unjudged
				continue
			}
			if err := answer.addNative(id, notes[id][foundNote], answers[i].warnings); err != nil {
				return nil, fmt.Errorf("%s: %w", corpus[i].Source, err)
			}
		}
		return answer, nil
	}}
}

// cutAt is where the API server cuts a warning when all together are too long.
const cutAt = 256

var ofPolicy = regexp.MustCompile(`^Validation failed for ValidatingAdmissionPolicy '[^']+' with binding '[^']+': `)

// addNative takes down what is noted. The warnings have to say the same, as far as there is
// room.
func (a *Answer) addNative(id, note string, warnings []string) error {
	found := map[string][]string{} // containers by rule
	for entry := range strings.SplitSeq(note, ",") {
		if parts := strings.Split(entry, "="); len(parts) == 3 {
			found[parts[0]] = append(found[parts[0]], parts[1])
			a.Verdicts.add(Verdict{id, parts[0], parts[1]}, parts[2])
		}
	}
	heard, room := map[string]bool{}, true
	for _, warning := range warnings {
		if ofTheServer.MatchString(warning) {
			continue
		}
		message := warning[len(ofPolicy.FindString(warning)):]
		cut := utf8.RuneCountInString(warning) == cutAt
		room = room && !cut
		if cut {
			// What is cut within the name of a container cannot be read.
			message = message[:max(strings.LastIndex(message, " | "), 0)]
		}
		rule, parts, err := readMessage(message)
		if err != nil {
			if cut {
				continue
			}
			return err
		}
		heard[rule] = true
		var containers []string
		for _, p := range parts {
			if !slices.Contains(found[rule], p.container) {
				return fmt.Errorf("%q is not noted: %v", warning, found)
			}
			containers = append(containers, p.container)
		}
		if !cut && len(unique(containers)) != len(unique(found[rule])) {
			return fmt.Errorf("%q leaves out some of %q", warning, found[rule])
		}
	}
	if room && len(heard) != len(found) {
		return fmt.Errorf("%d warnings of %d rules", len(heard), len(found))
	}
	return nil
}

func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

func (s *Server) withoutWebhooks(ctx context.Context) error {
	hooks := s.cluster.Client.AdmissionregistrationV1()
	return errors.Join(
		hooks.ValidatingWebhookConfigurations().Delete(ctx, plane.Release, metav1.DeleteOptions{}),
		hooks.MutatingWebhookConfigurations().Delete(ctx, plane.Release, metav1.DeleteOptions{}),
	)
}

// install creates what stands in a file, and gives the policies among it.
func (s *Server) install(ctx context.Context, file string) ([]*admissionregistrationv1.ValidatingAdmissionPolicy, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read the policies: %w", err)
	}
	defer func() { _ = text.Close() }()
	var policies []*admissionregistrationv1.ValidatingAdmissionPolicy
	for decoder := yaml.NewYAMLOrJSONDecoder(text, 4096); ; {
		var object unstructured.Unstructured
		if err := decoder.Decode(&object); err != nil {
			if len(policies) == 0 {
				return nil, fmt.Errorf("%s: no ValidatingAdmissionPolicy: %w", file, err)
			}
			return policies, nil
		}
		mapping, ok := s.resource(object.GetAPIVersion(), object.GetKind())
		if !ok {
			return nil, fmt.Errorf("%s: the API server does not serve %s", file, object.GetKind())
		}
		if object.GetKind() == "ValidatingAdmissionPolicy" {
			if err := noting(&object); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		created, err := s.at(mapping, "").Create(ctx, &object, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if created.GetKind() == "ValidatingAdmissionPolicy" {
			policy := &admissionregistrationv1.ValidatingAdmissionPolicy{}
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(created.Object, policy); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			policies = append(policies, policy)
		}
	}
}

var ofRule = regexp.MustCompile(`^variables\.(hr(\d{3}))\.size\(\) == 0$`)

// noting adds an audit annotation to a policy: what its validations look at, for each rule.
func noting(policy *unstructured.Unstructured) error {
	validations, _, err := unstructured.NestedSlice(policy.Object, "spec", "validations")
	if err != nil {
		return err
	}
	lists := make([]string, 0, len(validations))
	for _, validation := range validations {
		entry, _ := validation.(map[string]any)
		expression, _ := entry["expression"].(string)
		rule := ofRule.FindStringSubmatch(expression)
		if rule == nil {
			return fmt.Errorf("%q is not about one rule", expression)
		}
		lists = append(lists, fmt.Sprintf("variables.%s.map(f, 'HR%s=' + string(f.container) + '=' + string(f.severity))", rule[1], rule[2]))
	}
	return unstructured.SetNestedSlice(policy.Object, []any{map[string]any{
		"key": foundKey, "valueExpression": "(" + strings.Join(lists, " + ") + ").join(',')",
	}}, "spec", "auditAnnotations")
}

// waitPolicies waits until a Pod that has everything wrong is warned about by the policies
// alone.
func (s *Server) waitPolicies(ctx context.Context, rules []admissionregistrationv1.RuleWithOperations) error {
	probe := []cases.Case{{ID: "probe", Source: "probe", APIVersion: "v1", Kind: "Pod", Object: cases.Object{
		"apiVersion": "v1", "kind": "Pod", "metadata": cases.Object{"name": "probe"},
		"spec": cases.Object{"containers": []any{cases.Object{"name": "app", "image": "example.com/app:1"}}},
	}}}
	return retried(ctx, func() error {
		answers, err := s.create(ctx, probe, rules)
		if err != nil {
			return err
		}
		warnings := answers[0].warnings
		for _, text := range warnings {
			if !strings.HasPrefix(text, "Validation failed for ValidatingAdmissionPolicy ") {
				return fmt.Errorf("still warned by others: %s", text)
			}
		}
		if len(warnings) == 0 {
			return errors.New("the policies are not in force")
		}
		return nil
	})
}
