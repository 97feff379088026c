package engines

import (
	"strings"
	"testing"
)

func TestAddNative(t *testing.T) {
	const head = "Validation failed for ValidatingAdmissionPolicy 'headroom' with binding 'headroom': "
	both := head + "HR202 latency-cpu-limit: container a: 2 | container b: 2. Remove it."
	long := head + "HR301 memory-missing: container a: " + strings.Repeat("x", 300)
	cut := long[:cutAt]
	for name, c := range map[string]struct {
		note     string
		warnings []string
		verdicts int // -1 is an error
	}{
		"nothing":                       {"", nil, 0},
		"two containers":                {"HR202=a=error,HR202=b=error", []string{both}, 2},
		"the workload":                  {"HR104==error", []string{head + "HR104 class-not-allowed: the workload: no. Ask."}, 1},
		"a warning of the server":       {"HR202=a=error,HR202=b=error", []string{"spec.a: twice", both}, 2},
		"no warning":                    {"HR202=a=error,HR202=b=error", nil, -1},
		"a warning too many":            {"HR301=a=error", []string{both}, -1},
		"a container that is not said":  {"HR202=a=error,HR202=b=error,HR202=c=error", []string{both}, -1},
		"a container that is not noted": {"HR202=a=error", []string{both}, -1},
		"cut, and one without room":     {"HR301=a=error,HR202=b=error", []string{cut}, 2},
		"an error":                      {"", []string{head + "expression 'a' resulted in error: no such key: b"}, -1},
	} {
		answer := newAnswer()
		err := answer.addNative("c1", c.note, c.warnings)
		if (err != nil) != (c.verdicts < 0) || err == nil && len(answer.Verdicts) != c.verdicts {
			t.Errorf("%s: %v, %v", name, answer.Verdicts, err)
		}
	}
}
