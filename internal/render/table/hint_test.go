package table

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestFixHint(t *testing.T) {
	fixable, other := engine.Finding{Rule: "HR202", Fixable: true}, engine.Finding{Rule: "HR303"}
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
		{"2 findings are auto-fixable: headroom fix PATH…\n", []string{"a", "b", "c", "d"}, []engine.Finding{fixable, other, fixable}},
		{`headroom fix 'it'\''s $here'` + "\n", []string{"it's $here"}, []engine.Finding{fixable}},
	} {
		got := written(t, &report.Report{Findings: c.findings, Paths: c.paths}, Options{})
		if !strings.HasSuffix(got, c.want) || c.want == "" && strings.Contains(got, "headroom fix") {
			t.Errorf("%q and %d findings: %q, want %q", c.paths, len(c.findings), got, c.want)
		}
	}
}
