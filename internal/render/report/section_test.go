package report_test

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// TestNamespaceFinding puts what is wrong with a Namespace into its own row.
func TestNamespaceFinding(t *testing.T) {
	r := sample.Audit()
	r.Findings = append(r.Findings, engine.Finding{
		Rule: "HR102", Severity: "error", Resource: engine.Resource{APIVersion: "v1", Kind: "Namespace", Name: "empty"},
	})
	_, list := report.Sections(r, report.Groups(r))
	for _, s := range list {
		if s.Name == "" || s.Name == "empty" && s.Errors != 1 {
			t.Errorf("%+v", s)
		}
	}
	if len(list) != 3 {
		t.Errorf("%d rows for 3 namespaces", len(list))
	}
}
