package engines

import (
	"slices"
	"testing"
)

func TestReadMessage(t *testing.T) {
	for _, c := range []struct {
		message, rule string
		containers    []string
		severity      string
	}{
		{"HR202 latency-cpu-limit: container app: severity warning: limits.cpu is 2. Remove it.", "HR202", []string{"app"}, "warning"},
		{"HR202 latency-cpu-limit: container app: limits.cpu is 2. Remove it.", "HR202", []string{"app"}, ""},
		{"HR301 memory-missing: container a: none | container b-2: none. Set both.", "HR301", []string{"a", "b-2"}, ""},
		{"HR104 class-not-allowed: the workload: batch: not allowed. Ask.", "HR104", []string{""}, ""},
		{"HR207 tenant-cpu-limit: container a: 2 | the workload: 4 of 2. Set it.", "HR207", []string{"a", ""}, ""},
		{"HR202 latency-cpu-limit: limits.cpu is 2.", "", nil, ""},
		{"HR202 latency-cpu-limit: container app: a | b. Remove it.", "", nil, ""},
		{"container app: limits.cpu is 2", "", nil, ""},
		{"expression 'a' resulted in error: no such key: b", "", nil, ""},
		{"", "", nil, ""},
	} {
		rule, parts, err := readMessage(c.message)
		var containers []string
		for _, p := range parts {
			containers = append(containers, p.container)
			if p.severity != c.severity {
				t.Errorf("%q: severity %q", c.message, p.severity)
			}
		}
		if rule != c.rule || !slices.Equal(containers, c.containers) || (err != nil) != (c.rule == "") {
			t.Errorf("%q: %q %q %v", c.message, rule, containers, err)
		}
	}
}
