package table

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestVerboseCounts: workload by workload each finding is printed, and all are counted.
func TestVerboseCounts(t *testing.T) {
	f := engine.Finding{Rule: "HR201", Severity: "warning", Fixable: true, Unclassed: true, File: "a"}
	g := f
	f.Resource.Name, g.Resource.Name = "a", "b"
	r := &report.Report{Findings: []engine.Finding{f, g}, Paths: []string{"a"}}
	for verbose, want := range map[bool]string{
		false: "\n1 of these warnings is an error once an annotation sets the class.\n1 warning in 0 files\n1 finding is auto-fixable: headroom fix a\n",
		true:  "\n2 of these warnings are errors once an annotation sets the class.\n2 warnings in 0 files\n2 findings are auto-fixable: headroom fix a\n",
	} {
		if got := written(t, r, Options{Verbose: verbose}); !strings.HasSuffix(got, want) {
			t.Errorf("verbose %v: %s", verbose, got)
		}
	}
}

func TestFixHint(t *testing.T) {
	fixable := engine.Finding{Rule: "HR202", Severity: "warning", Fixable: true}
	second := engine.Finding{Rule: "HR204", Severity: "warning", Fixable: true}
	other := engine.Finding{Rule: "HR303", Severity: "warning"}
	for _, c := range []struct {
		want     string
		paths    []string
		findings []engine.Finding
	}{
		{"", []string{"a"}, nil},
		{"", []string{"a"}, []engine.Finding{other}},
		{"", nil, []engine.Finding{fixable, other}},
		{"1 finding is auto-fixable: headroom fix a\n", []string{"a"}, []engine.Finding{fixable}},
		{"1 finding is auto-fixable: headroom fix a/b.yaml c\n", []string{"a/b.yaml", "c"}, []engine.Finding{fixable, other}},
		{"2 findings are auto-fixable: headroom fix PATH…\n", []string{"a", "b", "c", "d"}, []engine.Finding{fixable, other, second}},
		// Two that the table prints as one count once, as the summary above counts them.
		{"1 warning in 0 files\n1 finding is auto-fixable: headroom fix a\n", []string{"a"}, []engine.Finding{fixable, fixable}},
		{`headroom fix 'it'\''s $here'` + "\n", []string{"it's $here"}, []engine.Finding{fixable}},
	} {
		got := written(t, &report.Report{Findings: c.findings, Paths: c.paths}, Options{})
		if !strings.HasSuffix(got, c.want) || c.want == "" && strings.Contains(got, "headroom fix") {
			t.Errorf("%q and %d findings: %q, want %q", c.paths, len(c.findings), got, c.want)
		}
	}
}
