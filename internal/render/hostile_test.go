package render

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

var hostile = []string{
	"", " ", "a\nb", "a\r\n::error::b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u009b2J", "\x00", "\xff\xfe", "a|b|c",
	"]]>", "<script>alert(1)</script>", "</details>", "::set-output name=x::y", "%0A::warning::z", "a,b:c", "`x`", "**b**",
	"[a](http://b)", "@everyone", "\\|", "\\", "__x__", "\u202egnp.exe", "\u2028", "\uffff", "日本語", "👩‍👩‍👧", "{0}",
	strings.Repeat("x", 300), "C:\\dir\\file.yaml", "../up.yaml", "a b%20c?d#e.yaml", "http://x/y:z", "- a", "# h", "~~~",
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hostileReport puts the strings wherever a manifest or a file name could.
func hostileReport(a, b string) *Report {
	resource := engine.Resource{APIVersion: a, Kind: b, Namespace: a, Name: b}
	f := engine.Finding{
		Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Class: a, Resource: resource, Container: b,
		Path: "/" + a, File: b, Line: 3, Message: a, Expected: b, Fixable: true,
		Figures: map[string]any{a: b, "terms": []any{map[string]any{"name": a, "mib": 1, "source": b}}},
	}
	info, exempted := f, f
	info.Severity, info.Container, info.Message = "info", a, b
	exempted.Suppressed = &engine.Suppression{Reason: a, Until: b, Source: "config"}
	r := &Report{
		Findings: []engine.Finding{f, info}, Exempted: []engine.Finding{exempted},
		Skipped:  []Skip{{b, resource, a, b}},
		Problems: []Problem{{b, 2, a}},
		Workloads: []Workload{{Resource: resource, File: b, Line: 1, Containers: []Container{
			{Name: b, Class: a, Evidence: b, Runtime: a},
		}}},
		Summary: Summary{Files: 1, Workloads: 1, Containers: 1},
	}
	r.Count()
	return r
}

func TestHostile(t *testing.T) {
	for _, a := range hostile {
		for _, b := range hostile {
			checkAll(t, a, b)
		}
	}
}

func FuzzFormats(f *testing.F) {
	for i, a := range hostile {
		f.Add(a, hostile[(i+1)%len(hostile)])
	}
	f.Fuzz(func(t *testing.T, a, b string) { checkAll(t, a, b) })
}

func checkAll(t *testing.T, a, b string) {
	t.Helper()
	r := hostileReport(a, b)
	checkTable(t, r)
	checkJSON(t, r)
	checkSARIF(t, r)
	checkJUnit(t, r)
	checkGitHub(t, r)
	checkMarkdown(t, r)
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}

func checkTable(t *testing.T, r *Report) {
	t.Helper()
	for _, o := range []Options{{Verbose: true}, {Color: true, Width: 140, Verbose: true}} {
		out := sgr.ReplaceAllString(render(t, "table", r, o), "")
		checkLines(t, out)
	}
}

// checkLines holds text to what a terminal only shows.
func checkLines(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("not UTF-8")
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if i := strings.IndexFunc(line, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }); i >= 0 {
			t.Errorf("a terminal would obey %q", line[i:])
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

func checkJSON(t *testing.T, r *Report) {
	t.Helper()
	var back struct {
		Findings []engine.Finding
		Exempted []engine.Finding
		Problems []Problem
		Skipped  []Skip
	}
	if err := json.Unmarshal([]byte(render(t, "json", r, Options{})), &back); err != nil {
		t.Error(err)
		return
	}
	if len(back.Findings) != 2 || len(back.Exempted) != 1 || len(back.Problems) != 1 || len(back.Skipped) != 1 {
		t.Errorf("lost some of %+v", back)
		return
	}
	if back.Findings[0].Message != readBack(r.Findings[0].Message) {
		t.Errorf("message became %q", back.Findings[0].Message)
	}
}

// readBack is what JSON makes of bytes that are not UTF-8: one mark for each.
func readBack(s string) string { return string([]rune(s)) }

func checkSARIF(t *testing.T, r *Report) {
	t.Helper()
	var log sarifLog
	out := render(t, "sarif", r, Options{})
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Error(err)
		return
	}
	if n := len(log.Runs[0].Results); n != 3 {
		t.Errorf("%d results", n)
	}
	validateSARIF(t, out)
}

func checkJUnit(t *testing.T, r *Report) {
	t.Helper()
	out := render(t, "junit", r, Options{})
	d := xml.NewDecoder(strings.NewReader(out))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%v in\n%s", err, out)
			return
		}
	}
	var back junitSuites
	if err := xml.Unmarshal([]byte(out), &back); err != nil {
		t.Error(err)
		return
	}
	if back.Errors != 1 || back.Failures < 1 || back.Skipped != 2 {
		t.Errorf("lost some of %+v", back.junitCounts)
	}
	message := terminal.Printable(r.Findings[0].Message)
	for _, s := range back.Suites {
		for _, c := range s.Cases {
			if c.Failure != nil && !strings.Contains(c.Failure.Body, strings.TrimSpace(message)) {
				t.Errorf("failure says %q, not %q", c.Failure.Body, message)
			}
		}
	}
}

var githubLine = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]*,line=\d+,)?title=[^,:]*::`)

func checkGitHub(t *testing.T, r *Report) {
	t.Helper()
	out := render(t, "github", r, Options{})
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines:\n%s", len(lines), out)
	}
	for _, line := range lines[:len(lines)-1] {
		if !githubLine.MatchString(line) {
			t.Errorf("GitHub cannot read %q", line)
		}
	}
}

var (
	comment = regexp.MustCompile(`<!-- -->`)
	ourTags = regexp.MustCompile(`</?(details|summary|sub)>`)
	row     = regexp.MustCompile(`(?m)^\| .*\|$`)
)

func checkMarkdown(t *testing.T, r *Report) {
	t.Helper()
	out := render(t, "markdown", r, Options{})
	if left := ourTags.ReplaceAllString(comment.ReplaceAllString(out, ""), ""); strings.ContainsAny(left, "<>") {
		t.Errorf("HTML from the input in\n%s", left)
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("details left open")
	}
	for _, line := range row.FindAllString(out, -1) {
		if n := strings.Count(line, "|"); n != 6 && n != 4 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
}
