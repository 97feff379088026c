// Package render writes a report in the format that -o names. Each format is a package of its own
// below this one; package report has the data, package sentences what several formats say.
package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

type format struct {
	name  string
	write func(*bytes.Buffer, *Report, Options) error
	// rules is set where a format describes the rules, so that Report.Rules has to be filled.
	rules bool
}

// formats are in the order in which help shows them; the first is the default.
var formats = []format{
	{name: "table", write: writeTable},
	{name: "json", write: plainly(writeJSON)},
	{name: "sarif", write: plainly(writeSARIF), rules: true},
	{name: "junit", write: plainly(writeJUnit)},
	{name: "github", write: plainly(writeGitHub)},
	{name: "gitlab", write: plainly(writeGitLab)},
	{name: "markdown", write: plainly(writeMarkdown)},
	{name: "html", write: plainly(writeHTML), rules: true},
}

// plainly is a format without options.
func plainly(write func(*bytes.Buffer, *Report) error) func(*bytes.Buffer, *Report, Options) error {
	return func(w *bytes.Buffer, r *Report, _ Options) error { return write(w, r) }
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
func Write(w io.Writer, format string, r *Report, o Options) error {
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
