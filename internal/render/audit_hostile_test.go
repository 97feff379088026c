package render

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// hostileAudit puts the strings wherever a cluster could.
func hostileAudit(a, b string) *Report {
	r := hostileReport(a, b)
	w := &r.Workloads[0]
	w.Replicas = 2
	w.Containers[0].Measured = &engine.Measured{Source: a, CPUAverage: b, CPUPeak: a, MemoryPeak: b, Samples: 1}
	w.Containers[0].Detail = &engine.Detail{
		Container: b, Evidence: a,
		Budget: &engine.Budget{
			LimitMiB: 1, TotalMiB: 2, LeftMiB: -1, Complete: true, Terms: []engine.Term{{Name: a, MiB: 2, Source: b}},
		},
	}
	known := r.Findings[0]
	known.Suppressed = &engine.Suppression{Source: "baseline"}
	r.Known = []engine.Finding{known}
	r.Stale = []Stale{{Rule: a, Kind: b, Namespace: a, Name: b, Container: a, File: b, Line: 3}}
	r.Cluster = &Cluster{Name: a, Measured: b, Namespaces: []Namespace{{Name: a, Mode: b, Mutate: a}}}
	r.Preview = &Preview{Mode: a, Items: []PreviewItem{{
		Resource: w.Resource, File: w.File, Line: w.Line, Refused: r.Findings[:1], Warned: r.Findings[1:],
		Changed: []engine.Applied{{Rule: a, Container: b, Path: a, Old: b, New: a, Added: b}},
	}}}
	r.Count()
	return r
}

func TestHostileAudit(t *testing.T) {
	for i, a := range hostile {
		for j := range 4 { // each with itself and a few others: the page is large
			checkAudit(t, a, hostile[(i+7*j)%len(hostile)])
		}
	}
}

func FuzzAudit(f *testing.F) {
	for i, a := range hostile {
		f.Add(a, hostile[(i+1)%len(hostile)])
	}
	f.Fuzz(func(t *testing.T, a, b string) { checkAudit(t, a, b) })
}

func checkAudit(t *testing.T, a, b string) {
	t.Helper()
	r := hostileAudit(a, b)
	checkLines(t, render(t, "table", r, Options{Verbose: true}))
	if !json.Valid([]byte(render(t, "json", r, Options{}))) {
		t.Error("not JSON")
	}
	validateSARIF(t, render(t, "sarif", r, Options{}))
	var back junitSuites
	if err := xml.NewDecoder(strings.NewReader(render(t, "junit", r, Options{}))).Decode(&back); err != nil {
		t.Error(err)
	}
	if back.Errors != 1 || back.Skipped != 4 {
		t.Errorf("lost some of %+v", back.junitCounts)
	}
	checkAuditMarkdown(t, render(t, "markdown", r, Options{}))
	r.Rules = []Rule{{ID: a, Slug: b, Title: a, HelpURI: b}, {ID: b, Slug: a, HelpURI: "https://" + a}}
	checkPage(t, render(t, "html", r, Options{}))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}

func checkAuditMarkdown(t *testing.T, out string) {
	t.Helper()
	if left := ourTags.ReplaceAllString(comment.ReplaceAllString(out, ""), ""); strings.ContainsAny(left, "<>") {
		t.Errorf("HTML from the input in\n%s", left)
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("details left open")
	}
}

// checkPage finds our scripts and no other, and data that can be read; tests/integration/browser looks at the rest.
func checkPage(t *testing.T, out string) {
	t.Helper()
	if n := strings.Count(out, "<script"); n != 2 || strings.Count(out, "</script") != 2 {
		t.Errorf("%d scripts", n)
	}
	for _, tag := range []string{"<img", "<iframe", "<!--", "javascript:alert"} {
		if strings.Contains(strings.ToLower(out), tag) {
			t.Errorf("%s is on the page", tag)
		}
	}
	_, text, found := strings.Cut(out, `id="data">`)
	if !found {
		t.Fatal("no data")
	}
	var data pageData
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&data); err != nil && err != io.EOF {
		t.Errorf("the data cannot be read: %v", err)
	}
	if len(data.Workloads) != 1 || len(data.Workloads[0].Findings) != 2 {
		t.Errorf("lost some of %+v", data.Workloads)
	}
}
