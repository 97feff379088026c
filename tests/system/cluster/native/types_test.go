//go:build system

package native

import (
	"context"
	"errors"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const (
	joined = "joined"
	// mistaken shows that what is wrong would be found.
	mistaken = "mistaken"
)

// join makes one validation of all those of a policy. The cluster's controllers check the types of
// a policy once for each expression and each kind, all of its variables each time. That costs
// minutes of CPU, and one expression shows the same.
func join(ctx context.Context, document string) error {
	var policy admissionv1.ValidatingAdmissionPolicy
	if err := yaml.UnmarshalStrict([]byte(document), &policy); err != nil {
		return err
	}
	var expressions, messages []string
	for _, v := range policy.Spec.Validations {
		expressions = append(expressions, "("+v.Expression+")")
		messages = append(messages, "("+v.MessageExpression+")")
	}
	if len(expressions) == 0 {
		return errors.New(policy.Name + " has no validations")
	}
	name := policy.Name
	policy.ObjectMeta = metav1.ObjectMeta{Name: name + "-" + joined}
	policy.Spec.Validations = []admissionv1.Validation{{
		Expression:        strings.Join(expressions, " && "),
		MessageExpression: strings.Join(messages, " + "),
	}}
	if err := create(ctx, policy); err != nil {
		return err
	}
	policy.Name = name + "-" + mistaken
	policy.Spec.Variables = []admissionv1.Variable{{Name: "typo", Expression: "object.spec.temlpate"}}
	policy.Spec.Validations = []admissionv1.Validation{{Expression: "variables.typo == object.spec.temlpate"}}
	return create(ctx, policy)
}

func create(ctx context.Context, policy admissionv1.ValidatingAdmissionPolicy) error {
	_, err := cluster.Client.AdmissionregistrationV1().ValidatingAdmissionPolicies().
		Create(ctx, &policy, metav1.CreateOptions{})
	return err
}

// Each expression is checked against the schema of every kind that it will see: none may read a
// field that is not there.
func TestTypes(t *testing.T) {
	start(t)
	for _, name := range []string{"headroom", "headroom-enforce"} {
		for _, warning := range warnings(t, name+"-"+joined) {
			t.Errorf("%s, %s: %s", name, warning.FieldRef, warning.Warning)
		}
		if len(warnings(t, name+"-"+mistaken)) == 0 {
			t.Error("a field that is not there is not noticed")
		}
	}
}

// warnings waits until the types of a policy have been checked.
func warnings(t *testing.T, name string) []admissionv1.ExpressionWarning {
	t.Helper()
	var policy *admissionv1.ValidatingAdmissionPolicy
	plane.Eventually(t, "the types to be checked", func() (err error) {
		policy, err = cluster.Client.AdmissionregistrationV1().ValidatingAdmissionPolicies().
			Get(t.Context(), name, metav1.GetOptions{})
		if err == nil && policy.Status.TypeChecking == nil {
			err = errors.New(name + " is not checked")
		}
		return err
	})
	return policy.Status.TypeChecking.ExpressionWarnings
}
