package junit

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// Two findings of a rule in a container are one test case, as bad as the worse.
func TestJUnitOneCaseForOneRule(t *testing.T) {
	f := engine.Finding{Rule: "HR410", Severity: "info", Resource: sample.Article, Container: "api", Message: "first", File: "a"}
	g := f
	g.Message, g.Severity = "second", "warning"
	r := &report.Report{Findings: []engine.Finding{f, g}, FailOn: engine.SeverityWarning}
	list := cases(r, report.Groups(r)[0])
	if len(list) != 1 || list[0].Failure == nil || list[0].Failure.Message != "second" {
		t.Fatalf("got %+v", list)
	}
	if body := list[0].Failure.Body; !strings.Contains(body, "first") || !strings.Contains(body, "second") {
		t.Errorf("body is %q", body)
	}
}

// TestOnlyWhatFailsTheRun has as many failures as --fail-on lets fail.
func TestOnlyWhatFailsTheRun(t *testing.T) {
	var found []engine.Finding
	for i, severity := range report.Severities {
		found = append(found, engine.Finding{
			Rule: "HR30" + string(rune('1'+i)), Severity: severity, Resource: sample.Article, Container: "api", Message: severity, File: "a",
		})
	}
	for failOn, want := range map[string]int{"": 1, "error": 1, "warning": 2, "info": 3, "never": 0} {
		r := &report.Report{Findings: found, Show: engine.SeverityInfo, FailOn: failOn}
		text := sample.Written(t, Write, r)
		if got := strings.Count(text, "<failure "); got != want || !strings.Contains(text, `tests="3"`) {
			t.Errorf("--fail-on %q: %d failures in %s", failOn, got, text)
		}
		for i := range found {
			if !strings.Contains(text, found[i].Message) {
				t.Errorf("--fail-on %q does not tell the %s", failOn, found[i].Severity)
			}
		}
	}
}
