package junit

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sample"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Two findings of a rule in a container are one test case, as bad as the worse.
func TestJUnitOneCaseForOneRule(t *testing.T) {
	f := engine.Finding{Rule: "HR410", Severity: "info", Resource: sample.Article, Container: "api", Message: "first", File: "a"}
	g := f
	g.Message, g.Severity = "second", "warning"
	list := cases(report.Groups(&report.Report{Findings: []engine.Finding{f, g}})[0])
	if len(list) != 1 || list[0].Failure == nil || list[0].Failure.Message != "second" {
		t.Fatalf("got %+v", list)
	}
	if body := list[0].Failure.Body; !strings.Contains(body, "first") || !strings.Contains(body, "second") {
		t.Errorf("body is %q", body)
	}
}
