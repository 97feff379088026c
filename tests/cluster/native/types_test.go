package native

import (
	"fmt"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/cluster/plane"
)

// The cluster's controllers check each expression against the schema of every kind that it
// will see: none may read a field that is not there.
func TestTypes(t *testing.T) {
	start(t)
	var policies []admissionv1.ValidatingAdmissionPolicy
	plane.Eventually(t, time.Minute, "the policies' types to be checked", func() error {
		list, err := cluster.Client.AdmissionregistrationV1().ValidatingAdmissionPolicies().
			List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, policy := range list.Items {
			if policy.Status.ObservedGeneration != policy.Generation || policy.Status.TypeChecking == nil {
				return fmt.Errorf("%s is not checked", policy.Name)
			}
		}
		policies = list.Items
		return nil
	})
	if len(policies) != 2 {
		t.Errorf("%d policies are there", len(policies))
	}
	for _, policy := range policies {
		for _, warning := range policy.Status.TypeChecking.ExpressionWarnings {
			t.Errorf("%s, %s: %s", policy.Name, warning.FieldRef, warning.Warning)
		}
	}
}
