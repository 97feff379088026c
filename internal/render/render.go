// Package render writes a report in the format that -o names. Each format is a package of its own
// below this one; package report has the data, package sentences what several formats say.
package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/github"
	"github.com/headroom-dev/headroom/internal/render/gitlab"
	"github.com/headroom-dev/headroom/internal/render/html"
	"github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/internal/render/junit"
	"github.com/headroom-dev/headroom/internal/render/markdown"
	"github.com/headroom-dev/headroom/internal/render/policyreport"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sarif"
	"github.com/headroom-dev/headroom/internal/render/table"
)

// Options say how to print a table; the other formats have none.
type Options = table.Options

type format struct {
	name  string
	write func(*bytes.Buffer, *report.Report, Options) error
	// rules is set where a format describes the rules, so that Report.Rules has to be filled.
	rules bool
}

// formats are in the order in which help shows them; the first is the default.
var formats = []format{
	{name: "table", write: table.Write},
	{name: "json", write: plainly(json.Write)},
	{name: "sarif", write: plainly(sarif.Write), rules: true},
	{name: "junit", write: plainly(junit.Write)},
	{name: "github", write: plainly(github.Write)},
	{name: "gitlab", write: plainly(gitlab.Write)},
	{name: "markdown", write: plainly(markdown.Write)},
	{name: "html", write: plainly(html.Write), rules: true},
	{name: "policyreport", write: plainly(policyreport.Write), rules: true},
	{name: "openreports", write: plainly(policyreport.WriteOpen), rules: true},
}

// plainly is a format without options.
func plainly(write func(*bytes.Buffer, *report.Report) error) func(*bytes.Buffer, *report.Report, Options) error {
	return func(w *bytes.Buffer, r *report.Report, _ Options) error { return write(w, r) }
}

// Formats are the names that Write knows, in the order in which help shows them.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// NeedsRules says whether a format describes the rules: Report.Rules has to be filled then.
func NeedsRules(name string) bool {
	f := named(name)
	return f != nil && f.rules
}

func named(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Write prints the report in one of Formats.
func Write(w io.Writer, format string, r *report.Report, o Options) error {
	f := named(format)
	if f == nil {
		return fmt.Errorf("output format %q is not one of %s", format, strings.Join(Formats(), ", "))
	}
	// Whole or not at all: half a report would pass for a sound one. Into a buffer, a report of
	// ten thousand workloads is not copied once more.
	out, direct := w.(*bytes.Buffer)
	if !direct {
		out = &bytes.Buffer{}
	}
	before := out.Len()
	if err := f.write(out, r, o); err != nil {
		out.Truncate(before)
		return fmt.Errorf("write %s: %w", format, err)
	}
	if direct {
		return nil
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	return nil
}
