package sentences

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestUnclassed: the line counts what is printed, and the summary of JSON findings.
func TestUnclassed(t *testing.T) {
	softened := func(rule, name string) engine.Finding {
		f := of(rule, "warning", "evicted", name)
		f.Unclassed = true
		return f
	}
	info := softened("HR203", "a")
	info.Severity = "info" // by a rule's own severity in the config
	for want, findings := range map[string][]engine.Finding{
		"": {of("HR302", "warning", "evicted", "a"), of("HR304", "error", "OOMKilled!", "a"), info},
		"1 of these warnings is an error once an annotation sets the class": {softened("HR302", "a"), of("HR303", "warning", "OOMKilled", "a")},
		"2 of these warnings are errors once an annotation sets the class":  {softened("HR302", "a"), softened("HR201", "a"), softened("HR201", "b")},
	} {
		r := &report.Report{Findings: findings}
		lines := Asides(r)
		if want == "" && len(lines) > 0 || want != "" && !slices.Equal(lines, []string{want}) {
			t.Errorf("got %q, want %q", lines, want)
		}
	}
	r := &report.Report{Findings: []engine.Finding{softened("HR201", "a"), softened("HR201", "b"), info}}
	if r.Count(); r.Summary.Unclassed != 2 {
		t.Errorf("%d of %d warnings", r.Summary.Unclassed, r.Summary.Warnings)
	}
}
