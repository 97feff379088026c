package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/headroom-dev/headroom/tests/cluster/plane"
	"github.com/headroom-dev/headroom/tests/conformance/cases"
)

// failureNote is where the API server notes what its own policies found: warnings are cut at
// 4 KiB together, this is not.
const failureNote = "validation.policy.admission.k8s.io/validation_failure"

// Native creates the cases on an API server that has nothing but the policies of a file. It
// takes headroom's webhooks away, and so has to come after them.
func Native(s *Server, file string) Engine {
	return Engine{Name: "native", OnlyK: true, Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
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
		s.rounds++
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
			if err := answer.addNative(id, notes[id][failureNote], answers[i].warnings); err != nil {
				return nil, fmt.Errorf("%s: %w", corpus[i].Source, err)
			}
		}
		return answer, nil
	}}
}

// addNative takes down what the audit log has. The warnings say the same, as far as there is
// room.
func (a *Answer) addNative(id, note string, warnings []string) error {
	var failures []struct {
		Message, Policy, Binding string
	}
	if note != "" {
		if err := json.Unmarshal([]byte(note), &failures); err != nil {
			return fmt.Errorf("the note %.300q: %w", note, err)
		}
	}
	wanted := make([]string, 0, len(failures))
	for _, failure := range failures {
		if err := a.addMessage(id, failure.Message); err != nil {
			return err
		}
		wanted = append(wanted, fmt.Sprintf("Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s",
			failure.Policy, failure.Binding, failure.Message))
	}
	heard := 0
	for _, warning := range warnings {
		if ofTheServer.MatchString(warning) {
			continue
		}
		heard++
		if !among(wanted, warning) {
			return fmt.Errorf("the warning %q is not in the audit log", warning)
		}
	}
	if (heard > 0) != (len(wanted) > 0) {
		return fmt.Errorf("%d warnings of %d findings", heard, len(wanted))
	}
	return nil
}

// among says whether a warning is one of these, or the beginning of one.
func among(wanted []string, warning string) bool {
	warning = strings.TrimSuffix(warning, "...")
	for _, text := range wanted {
		if strings.HasPrefix(text, warning) {
			return true
		}
	}
	return false
}

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

// waitPolicies waits until a Pod that has everything wrong is warned about by the policies,
// and by nobody else.
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
