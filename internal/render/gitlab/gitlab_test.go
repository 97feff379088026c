package gitlab

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func decoded(t *testing.T, out string) []issue {
	t.Helper()
	var issues []issue
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&issues); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	return issues
}

// TestGitLab checks what GitLab asks of a report. It is an array, and each entry has a description,
// a name, a fingerprint of its own, one of five severities, and a place in the repository.
func TestGitLab(t *testing.T) {
	r := sample.Report()
	issues := decoded(t, sample.Written(t, Write, r))
	if len(issues) != len(r.Led().Findings)+len(r.Problems) {
		t.Errorf("%d issues", len(issues))
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if i.Description == "" || i.CheckName == "" || i.Location.Path == "" || i.Location.Lines.Begin < 1 {
			t.Errorf("%+v", i)
		}
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
			t.Errorf("GitLab knows no severity %q", i.Severity)
		}
		if strings.HasPrefix(i.Location.Path, "./") || strings.Contains(i.Location.Path, `\`) {
			t.Errorf("path %q", i.Location.Path)
		}
		if seen[i.Fingerprint] {
			t.Errorf("%s is there twice", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
	}
	if out := sample.Written(t, Write, &report.Report{}); out != "[]\n" {
		t.Errorf("nothing found gives %q", out)
	}
}
