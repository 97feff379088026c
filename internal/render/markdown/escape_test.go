package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// GitHub refuses a comment over 65 536 characters, so the rest is only counted.
func TestMarkdownFitsAComment(t *testing.T) {
	r := &report.Report{}
	for i := range 400 {
		name := engine.Resource{Kind: "Deployment", Name: fmt.Sprintf("d%03d", i)}
		f := engine.Finding{Rule: "HR301", Severity: "error", Resource: name, File: "a", Message: fmt.Sprint(i, strings.Repeat(" word", 60))}
		r.Findings = append(r.Findings, f)
		r.Problems = append(r.Problems, report.Problem{File: "b", Line: i, Message: strings.Repeat("much ", 60)})
	}
	r.Count()
	out := sample.Written(t, Write, r)
	if len(out) > 65_536 {
		t.Errorf("%d bytes", len(out))
	}
	for _, want := range []string{"A comment holds no more: ", " findings are left out here.", "more\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said", want)
		}
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"JAVA_TOOL_OPTIONS":  "JAVA_TOOL_OPTIONS",
		"_JAVA_OPTIONS":      `\_JAVA_OPTIONS`,
		"a|b":                "a&#124;b",
		"<b>&amp;":           "&lt;b&gt;&amp;amp;",
		"image@sha256:1":     "image@<!-- -->sha256:1",
		"`x` *y* [z]":        "\\`x\\` \\*y\\* \\[z\\]",
		`C:\x`:               "C:&#92;x",
		"http://x.example/y": "http:<!-- -->//x.example/y",
		"see WWW.x.example":  "see WWW.<!-- -->x.example",
		"fixes #1, a/b#2":    "fixes #<!-- -->1, a/b#<!-- -->2",
		"-XX:+UseG1GC":       "-XX:+UseG1GC",
		"two\nlines":         "two lines",
	} {
		if got := md(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
