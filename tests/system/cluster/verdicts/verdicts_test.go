//go:build system

package verdicts

import (
	"slices"
	"testing"
)

func TestSaid(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  []string
	}{
		{nil, nil},
		{[]string{`unknown field "spec.a"`}, nil},
		{
			[]string{"Policy headroom-latency-cpu-limit failed: HR202 latency-cpu-limit: container app: limits.cpu is 2: " +
				"200 ms | container b-2: 1. Remove limits.cpu."},
			[]string{"HR202 app", "HR202 b-2"},
		},
		{
			[]string{`admission webhook "vpol" denied the request: Policy headroom-a failed: HR101 class-missing: the workload: none. ` +
				"Say it.; Policy headroom-b failed: HR302 memory-request-not-limit: container app: 1Gi. Do."},
			[]string{"HR101 the workload", "HR302 app"},
		},
		{
			[]string{
				"Validation failed for ValidatingAdmissionPolicy 'headroom' with binding 'headroom': HR207 tenant-cpu-limit: " +
					"container a: 2 | the workload: 4 of 2. Set it.",
				"Validation failed for ValidatingAdmissionPolicy 'headroom' with binding 'headroom': HR101 class-missing: the workload: x. Y.",
			},
			[]string{"HR101 the workload", "HR207 a", "HR207 the workload"},
		},
	} {
		if got, err := Said(c.texts...); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q %v, want %q", c.texts, got, err, c.want)
		}
	}
	if _, err := Said("Policy headroom-a error: evaluation error: no such key: b"); err == nil {
		t.Error("a policy that failed is no error")
	}
}
