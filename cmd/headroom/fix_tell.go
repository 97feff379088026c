package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	safe "github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/policies/engine"
)

// tell says on standard error what was done, what was left alone and why, and what remains.
func (r *fixReport) tell(stderr io.Writer) {
	var b strings.Builder
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "%s: left out: %s\n", printable(s.File), s.Reason)
	}
	for i := range r.Files {
		tellFile(&b, &r.Files[i])
	}
	for i := range r.Rendered {
		tellObject(&b, &r.Rendered[i])
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s: %s\n", sentences.Place(p.File, p.Line), printable(p.Message))
	}
	for _, line := range sentences.NotRead(r.NotRead) {
		fmt.Fprintf(&b, "%s\n", line)
	}
	r.sum(&b)
	_, _ = io.WriteString(stderr, b.String())
}

// tellFile says what becomes of the objects of a file; once, where all are left alone for the
// same reason.
func tellFile(b *strings.Builder, file *lint.FixedFile) {
	first := &file.Objects[0]
	if first.Left != "" && len(file.Objects) > 1 && !slices.ContainsFunc(file.Objects, func(o lint.FixedObject) bool {
		return o.Left != first.Left || o.LeftLine != first.LeftLine
	}) {
		fmt.Fprintf(b, "%s: %d objects left alone: %s\n", place(first), len(file.Objects), printable(first.Left))
		return
	}
	for i := range file.Objects {
		tellObject(b, &file.Objects[i])
	}
}

// place is the line that a person has to look at.
func place(o *lint.FixedObject) string {
	line := o.Line
	if o.LeftLine > 0 {
		line = o.LeftLine
	}
	return fmt.Sprintf("%s:%d", printable(o.File), line)
}

// tellObject says what becomes of one object.
func tellObject(b *strings.Builder, o *lint.FixedObject) {
	what, did := "", ""
	switch {
	case o.Left != "":
		what, did = ": left alone: "+o.Left, "wanted: "
	case o.Declined:
		what = ": declined"
	}
	fmt.Fprintf(b, "%s: %s%s\n", place(o), sentences.Title(o.Resource), printable(what))
	if o.Declined {
		return
	}
	for _, a := range o.Applied {
		fmt.Fprintf(b, "  %s%s %s%s\n", did, a.Rule, whose(a.Container), printable(sentences.Change(a)))
	}
	for _, price := range sentences.Prices(o.Fixed) {
		b.WriteString(folded("  ", price))
	}
	if rules := rulesOf(o.Remaining); len(rules) > 0 {
		b.WriteString(folded("  remains: ", strings.Join(rules, ", ")))
	}
}

// folded is a text that is as wide as the terminal, with what leads it on its first line.
func folded(lead, text string) string {
	_, columns := screen("never")
	margin := strings.Repeat(" ", len(lead))
	var b strings.Builder
	for i, line := range safe.Wrap(text, columns-len(lead)) {
		if i > 0 {
			lead = margin
		}
		b.WriteString(lead + line + "\n")
	}
	return b.String()
}

// rulesOf names the rules of findings, those that are worst first.
func rulesOf(findings []engine.Finding) []string {
	var names []string
	for _, severity := range []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo} {
		for i := range findings {
			name := findings[i].Rule + " " + findings[i].Slug
			if findings[i].Severity == severity && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func whose(container string) string {
	if container == "" {
		return ""
	}
	return printable(container) + ": "
}

// writeSnippets prints what charts and kustomizations get.
func writeSnippets(stdout io.Writer, snippets []suggest.Snippet) error {
	for i, s := range snippets {
		var b strings.Builder
		if i > 0 {
			b.WriteString("---\n")
		}
		for _, text := range []string{s.Origin + ": " + s.Where, s.Note} {
			if text = strings.TrimSpace(text); text != "" {
				fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(multiline(text), "\n", "\n# "))
			}
		}
		b.WriteString(strings.TrimRight(s.Text, "\n") + "\n")
		if _, err := io.WriteString(stdout, b.String()); err != nil {
			return fmt.Errorf("write standard output: %w", err)
		}
	}
	return nil
}
