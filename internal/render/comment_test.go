package render

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/policies/engine"
)

// changedReport is what a pull request finds that gave one workload a limit, put another one
// right, removed a third and took a class away by a LimitRange.
func changedReport() *Report {
	r := sampleReport()
	r.Exempted, r.Skipped = nil, nil
	r.Problems = r.Problems[:1]
	removed := engine.Resource{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "cache"}
	r.Changed = &Changed{
		Ref: "origin/main", Base: "3e01797c92a8b76c96f96b02c20fdc29355a6f7d", Files: 4,
		Elsewhere: Counts{Errors: 3, Warnings: 9, Infos: 2},
		Workloads: []ChangedWorkload{
			{
				Resource: article, File: "samples/article-service.yaml", Line: 3, State: StateTouched,
				Before: Counts{Errors: 1, Warnings: 1}, Now: Counts{Errors: 2, Warnings: 1, Infos: 1},
				Fixed: []engine.Finding{{Rule: "HR302", Severity: "error"}, {Rule: "HR302", Severity: "error"}},
			},
			{Resource: indexer, File: "samples/indexer.yaml", Line: 1, State: StateAdded},
			{Resource: proxy, File: "samples/nginx-proxy.yaml", Line: 1, State: StateAffected, Now: Counts{Warnings: 2}},
			{Resource: removed, File: "samples/old.yaml", Line: 9, State: StateRemoved, Before: Counts{Warnings: 4}},
		},
		Notes: []string{"could not be read as it was at origin/main, so that its findings count as new: old.yaml: not UTF-8"},
		Suggestions: []Suggestion{
			{File: "samples/article-service.yaml", First: 31, Last: 31, Resource: article, Rules: []string{"HR202"}},
			{
				File: "samples/article-service.yaml", First: 5, Last: 6, Resource: article, Rules: []string{"HR103"},
				Text: "  template:\n    metadata: {annotations: {headroom.dev/workload-class: latency-sensitive}}\n",
			},
		},
		Snippets: []Snippet{{
			Origin: "samples", Where: "values.yaml of the chart", Text: "api:\n  resources: {}\n", Note: "not HR303",
		}},
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		r.Changed.SetMark(f, Mark{New: f.Rule == "HR202" || f.Rule == "HR303" || f.Rule == "HR101", OnLine: f.Rule == "HR202" || f.Rule == "HR103"})
	}
	r.Count()
	return r
}

func TestChangedGolden(t *testing.T) {
	for _, format := range Formats() {
		if extensions[format] != "" {
			checkGolden(t, format+"-changed."+extensions[format], render(t, format, changedReport(), Options{Width: 100}))
		}
	}
	validateSARIF(t, render(t, "sarif", changedReport(), Options{}))
}

func TestVerdicts(t *testing.T) {
	for want, change := range map[string]func(r *Report){
		"this change touches no workload":                         func(r *Report) { r.Summary = Summary{} },
		"nothing to put right in the workload that this change t": func(r *Report) { r.Summary.Workloads = 1 },
		"nothing to put right in the 3 workloads that this chang": func(*Report) {},
		"it puts right 2 errors": func(r *Report) {
			r.Changed.Workloads = changedReport().Changed.Workloads
		},
		"1 error in what this change touches, none of them new": func(r *Report) {
			r.Findings = changedReport().Findings[:1]
		},
		"1 error in what this change touches, and it is new": func(r *Report) {
			r.Findings = changedReport().Findings[:1]
			r.Changed.SetMark(&r.Findings[0], Mark{New: true})
		},
		"1 error, 1 info in what this change touches, of which 1 error is new": func(r *Report) {
			r.Findings = changedReport().Findings[:2]
			r.Changed.SetMark(&r.Findings[0], Mark{New: true})
		},
		"what this change touches could not be read": func(r *Report) {
			r.Summary, r.Problems = Summary{}, changedReport().Problems
		},
	} {
		r := changedReport()
		r.Findings, r.Problems = nil, nil
		r.Changed = &Changed{Ref: "main"}
		change(r)
		r.Count()
		lines := strings.SplitN(render(t, "markdown", r, Options{}), "\n", 3)
		if lines[0] != "<!-- headroom -->" || !strings.HasPrefix(lines[1], "**headroom: ") || !strings.Contains(lines[1], want) {
			t.Errorf("%q, want %q", lines[:2], want)
		}
	}
}

// TestComparedWithACommit shortens the hash that CI names, and does not say it twice.
func TestComparedWithACommit(t *testing.T) {
	r := changedReport()
	r.Changed.Ref = r.Changed.Base
	for _, format := range []string{"markdown", "table"} {
		out := render(t, format, r, Options{})
		if strings.Contains(out, r.Changed.Ref) || strings.Contains(out, "(3e01797c9)") || !strings.Contains(out, "3e01797c9") {
			t.Errorf("%s: %s", format, out)
		}
	}
}

// TestCommentFits holds comments to what GitHub takes, whatever is found, and shortens them by
// whole workloads, the worst first.
func TestCommentFits(t *testing.T) {
	for _, c := range []struct{ workloads, findings, words int }{{2000, 1, 20}, {30, 40, 100}, {3, 400, 60}, {1, 1, 300_000}} {
		r := &Report{Changed: &Changed{Ref: "main", Base: "3e01797"}}
		for range 9 { // each sign takes nine bytes
			r.Changed.Notes = append(r.Changed.Notes, strings.Repeat("@", 5000))
		}
		for i := range c.workloads {
			resource := engine.Resource{Kind: "Deployment", Name: fmt.Sprintf("d%04d", i)}
			w := ChangedWorkload{Resource: resource, File: "a.yaml", Line: i + 1, State: StateTouched}
			for j := range c.findings {
				f := engine.Finding{
					Rule: "HR301", Severity: "error", Resource: resource, File: "a.yaml", Line: i + 1,
					Container: fmt.Sprint(j), Message: fmt.Sprint(j, strings.Repeat(" word", c.words)),
				}
				r.Findings = append(r.Findings, f)
				r.Changed.SetMark(&f, Mark{New: i%2 == 1})
				w.Now.Errors++
			}
			r.Changed.Workloads = append(r.Changed.Workloads, w)
			r.Changed.Suggestions = append(r.Changed.Suggestions, Suggestion{
				File: "a.yaml", First: 1, Last: 2, Text: strings.Repeat("line\n", 200), Resource: resource,
			})
			r.Problems = append(r.Problems, Problem{"b", i, strings.Repeat("much ", c.words)})
		}
		r.Count()
		out := render(t, "markdown", r, Options{})
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
		if c.workloads == 2000 && (strings.Contains(out, "#### Deployment d0000") || !strings.Contains(out, "#### Deployment d0001")) {
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

func TestHostileChange(t *testing.T) {
	for _, a := range hostile {
		for _, b := range hostile {
			checkChange(t, a, b)
		}
	}
}

func FuzzChange(f *testing.F) {
	for i, a := range hostile {
		f.Add(a, hostile[(i+1)%len(hostile)])
	}
	f.Add("```\n</details>", "````")
	f.Fuzz(func(t *testing.T, a, b string) { checkChange(t, a, b) })
}

// checkChange puts the strings wherever a repository could.
func checkChange(t *testing.T, a, b string) {
	t.Helper()
	r := hostileReport(a, b)
	w := r.Workloads[0]
	r.Changed = &Changed{
		Ref: a, Base: b, Notes: []string{a, b},
		Workloads: []ChangedWorkload{
			{Resource: w.Resource, File: b, Line: 2, State: StateTouched, Fixed: r.Findings[:1]},
			{Resource: w.Resource, File: a, Line: 2, State: StateRemoved},
		},
		Suggestions: []Suggestion{{File: w.File, First: 1, Last: 2, Text: a + "\n" + b, Resource: w.Resource, Rules: []string{a}}},
		Snippets:    []Snippet{{Origin: b, Where: a, Text: b, Note: a}},
	}
	r.Changed.SetMark(&r.Findings[0], Mark{New: true, OnLine: true})
	checkLines(t, render(t, "table", r, Options{Verbose: true}))
	checkJSON(t, r)
	checkJSONOnly(t, render(t, "gitlab", r, Options{}))
	out := render(t, "markdown", r, Options{})
	checkBlocks(t, out)
	left := strings.NewReplacer(commentMarker, "", "<br>", "", "<!-- -->", "").Replace(unfenced(out))
	if left = ourTags.ReplaceAllString(left, ""); strings.ContainsAny(left, "<>") {
		t.Errorf("HTML from the input in\n%s", left)
	}
	if !utf8.ValidString(out) {
		t.Error("not UTF-8")
	}
	if t.Failed() {
		t.Fatalf("with %q and %q:\n%s", a, b, out)
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
