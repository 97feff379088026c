package render

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestAuditGolden(t *testing.T) {
	for _, format := range Formats() {
		if extensions[format] != "" {
			checkGolden(t, format+"-audit."+extensions[format], render(t, format, auditReport(), Options{Width: 100}))
		}
	}
}

// TestAuditSARIF holds what an audit adds to the schema.
func TestAuditSARIF(t *testing.T) {
	validateSARIF(t, render(t, "sarif", auditReport(), Options{}))
}

// TestAuditWidths keeps what an audit adds within the terminal.
func TestAuditWidths(t *testing.T) {
	r := auditReport()
	r.Cluster.Namespaces[0].Name = strings.Repeat("long-", 12)
	r.Workloads[0].Resource.Namespace = r.Cluster.Namespaces[0].Name
	for _, columns := range []int{60, 80, 140} {
		for line := range strings.Lines(render(t, "table", r, Options{Width: columns, Verbose: true})) {
			line = strings.TrimSuffix(line, "\n")
			if terminal.Width(line) > columns && !strings.Contains(line, "long-") {
				t.Errorf("%d columns wide, not %d: %s", terminal.Width(line), columns, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("blanks at the end of %q", line)
			}
		}
	}
}

// TestNamespaceFinding puts what is wrong with a Namespace into its own row.
func TestNamespaceFinding(t *testing.T) {
	r := auditReport()
	r.Findings = append(r.Findings, engine.Finding{
		Rule: "HR102", Severity: "error", Resource: engine.Resource{APIVersion: "v1", Kind: "Namespace", Name: "empty"},
	})
	_, list := sections(r, groups(r))
	for _, s := range list {
		if s.Name == "" || s.Name == "empty" && s.Errors != 1 {
			t.Errorf("%+v", s)
		}
	}
	if len(list) != 3 {
		t.Errorf("%d rows for 3 namespaces", len(list))
	}
}

// TestManyNamespaces ends lists that grow with the cluster.
func TestManyNamespaces(t *testing.T) {
	r := auditReport()
	for i := range 100 {
		w := r.Workloads[2]
		w.Resource.Namespace = strings.Repeat("n", i+1)
		r.Workloads = append(r.Workloads, w)
	}
	if out := render(t, "table", r, Options{}); !strings.Contains(out, "and 82 more, none with a lower score") {
		t.Error(out)
	}
	if out := render(t, "markdown", r, Options{}); !strings.Contains(out, "and 72 more, none with a lower score") {
		t.Error(out)
	}
}
