package markdown

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func TestVerdicts(t *testing.T) {
	for want, change := range map[string]func(r *report.Report){
		"this change touches no workload":                func(r *report.Report) { r.Summary = report.Summary{} },
		"no findings in the workload that this change t": func(r *report.Report) { r.Summary.Workloads = 1 },
		"no findings in the 3 workloads that this chang": func(*report.Report) {},
		"it fixes 2 errors": func(r *report.Report) {
			r.Changed.Workloads = sample.Changed().Changed.Workloads
		},
		"1 error in what this change touches, none of them new": func(r *report.Report) {
			r.Findings = sample.Changed().Findings[:1]
		},
		"1 error in what this change touches, and it is new": func(r *report.Report) {
			r.Findings = sample.Changed().Findings[:1]
			r.Changed.SetMark(&r.Findings[0], report.Mark{New: true})
		},
		"1 error in what this change touches, and it is new (1 info: --show info)": func(r *report.Report) {
			r.Findings = sample.Changed().Findings[:2]
			r.Changed.SetMark(&r.Findings[0], report.Mark{New: true})
		},
		"what this change touches could not be read": func(r *report.Report) {
			r.Summary, r.Problems = report.Summary{}, sample.Changed().Problems
		},
	} {
		r := sample.Changed()
		r.Findings, r.Problems = nil, nil
		r.Changed = &report.Changed{Ref: "main"}
		change(r)
		r.Count()
		lines := strings.SplitN(sample.Written(t, Write, r), "\n", 3)
		if lines[0] != "<!-- headroom -->" || !strings.HasPrefix(lines[1], "**headroom: ") || !strings.Contains(lines[1], want) {
			t.Errorf("%q, want %q", lines[:2], want)
		}
	}
}

// TestCommentFits holds comments to what GitHub takes, whatever is found, and shortens them from
// the end, the worst first.
func TestCommentFits(t *testing.T) {
	for _, c := range []struct{ workloads, findings, words int }{{2000, 1, 20}, {30, 40, 100}, {3, 400, 60}, {1, 1, 300_000}} {
		r := &report.Report{Changed: &report.Changed{Ref: "main", Base: "3e01797"}}
		for range 9 { // each sign takes nine bytes
			r.Changed.Notes = append(r.Changed.Notes, strings.Repeat("@", 5000))
		}
		for i := range c.workloads {
			resource := engine.Resource{Kind: "Deployment", Name: fmt.Sprintf("d%04d", i)}
			w := report.ChangedWorkload{Resource: resource, File: "a.yaml", Line: i + 1, State: report.StateTouched}
			for j := range c.findings {
				f := engine.Finding{
					Rule: "HR301", Severity: "error", Resource: resource, File: "a.yaml", Line: i + 1,
					Container: fmt.Sprint(j), Message: fmt.Sprint(i, j, strings.Repeat(" word", c.words)),
				}
				r.Findings = append(r.Findings, f)
				r.Changed.SetMark(&f, report.Mark{New: i%2 == 1})
				w.Now.Errors++
			}
			r.Changed.Workloads = append(r.Changed.Workloads, w)
			r.Changed.Suggestions = append(r.Changed.Suggestions, report.Suggestion{
				File: "a.yaml", First: 1, Last: 2, Text: strings.Repeat("line\n", 200), Resource: resource,
			})
			r.Problems = append(r.Problems, report.Problem{File: "b", Line: i, Message: strings.Repeat("much ", c.words)})
		}
		r.Count()
		out := sample.Written(t, Write, r)
		if n := utf8.RuneCountInString(out); n > 65_536 || len(out) > 65_536 {
			t.Errorf("%+v: %d characters, %d bytes", c, n, len(out))
		}
		checkBlocks(t, out)
		if c.workloads > 1 && !strings.Contains(out, "A comment holds no more: and ") {
			t.Errorf("%+v: nothing says that there is more", c)
		}
		if n := strings.Count(out, "And 9 more notes."); n != 1 {
			t.Errorf("%+v: %d times it is said that there are more notes", c, n)
		}
		if c.workloads == 2000 && (strings.Contains(out, ", d0000/0, ") || !strings.Contains(out, ", d0001/0, ")) {
			t.Error("what is new does not come first")
		}
	}
}

// checkBlocks holds every table, fence and fold to be whole.
func checkBlocks(t *testing.T, out string) {
	t.Helper()
	fence := ""
	columns := 0
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		case len(ticks) >= 3:
			fence = ticks
			continue
		}
		bars := strings.Count(line, "|")
		switch {
		case strings.HasPrefix(line, "|") && columns == 0:
			columns = bars
		case strings.HasPrefix(line, "|") && bars != columns:
			t.Errorf("%d bars, not %d: %s", bars, columns, line)
		case !strings.HasPrefix(line, "|"):
			columns = 0
		}
	}
	if fence != "" {
		t.Error("a fence is left open")
	}
	if out = unfenced(out); strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("details left open")
	}
}

// unfenced is Markdown without what stands in fences, where nothing is markup.
func unfenced(out string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(out) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if strings.TrimSuffix(line, "\n") == fence {
				fence = ""
			}
		case len(ticks) >= 3:
			fence = ticks
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}
