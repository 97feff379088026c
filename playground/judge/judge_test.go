package judge_test

import (
	"os"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/playground/judge"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const columns = 80

func text(t *testing.T, manifest string) judge.Answer {
	t.Helper()
	e := defaults.Engine(t)
	var answers []judge.Answer
	judge.Text(t.Context(), e, manifest, columns, func(a judge.Answer) { answers = append(answers, a) })
	last := answers[len(answers)-1]
	if !last.Done || len(answers) == 2 && (answers[0].Done || len(answers[0].Findings) != len(last.Findings)) || len(answers) > 2 {
		t.Errorf("%+v", answers)
	}
	return last
}

func TestText(t *testing.T) {
	wrong, err := os.ReadFile("../../samples/wrong/article-service.yaml")
	if err != nil {
		t.Fatal(err)
	}
	a := text(t, string(wrong))
	if len(a.Problems) > 0 || len(a.Findings) < 2 {
		t.Fatalf("%+v", a)
	}
	f := a.Findings[0]
	if f.Rule != "HR304" || f.Severity != engine.SeverityError || f.Where != "news/article-service" || f.What == "" || f.Do == "" {
		t.Errorf("%+v", f)
	}
	if lines := strings.Split(string(wrong), "\n"); len(f.Places) != 1 || !strings.Contains(lines[f.Places[0].Line-1], "JAVA_TOOL_OPTIONS") &&
		!strings.Contains(lines[f.Places[0].Line-1], "-Xmx") {
		t.Errorf("it stands at %+v", f.Places)
	}
	if !strings.Contains(a.Explain, "article-service") || !strings.Contains(a.Summary, "2 errors") {
		t.Errorf("%s\n%s", a.Summary, a.Explain)
	}
	if !strings.HasPrefix(a.Diff, "--- a/manifest.yaml\n+++ b/manifest.yaml\n@@") || a.Fixed == string(wrong) {
		t.Errorf("%s", a.Diff)
	}
	if again := text(t, a.Fixed); again.Diff != "" {
		t.Errorf("what is fixed changes again:\n%s", again.Diff)
	}
}

func TestUnreadable(t *testing.T) {
	a := text(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: [\n")
	if len(a.Problems) != 1 || a.Problems[0].Line != 3 || a.Problems[0].Message == "" || len(a.Findings) != 0 {
		t.Errorf("%+v", a)
	}
	for name, manifest := range map[string]string{"nothing": "", "no workload": "a: b\n", "a comment": "# a\n"} {
		if a := text(t, manifest); a.Diff != "" || a.Explain != "" || a.Fixed != "" && a.Fixed != manifest {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
