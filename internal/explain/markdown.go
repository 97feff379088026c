package explain

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Markdown is what is known of one container, short enough for a window in an editor. Free is the share of the memory
// limit that has to stay free.
func Markdown(e *engine.Explanation, free float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s", inMarkdown(e.Container), inMarkdown(class(e)))
	if e.ClassEvidence != "" {
		b.WriteString(", " + inMarkdown(e.ClassEvidence))
	}
	b.WriteString("\n\n")
	if e.Runtime != "" {
		fmt.Fprintf(&b, "Runtime: %s, %s\n\n", inMarkdown(e.Runtime), inMarkdown(e.RuntimeEvidence))
	}
	resourcesInMarkdown(&b, e)
	memoryInMarkdown(&b, e, free)
	b.WriteString("**CPU**\n\n")
	for _, l := range cpuLines(e) {
		fmt.Fprintf(&b, "- %s: %s\n", l[0], inMarkdown(l[1]))
	}
	b.WriteString("\n**What would pass**\n\n")
	for _, l := range passingLines(e) {
		fmt.Fprintf(&b, "- %s: %s\n", l[0], inMarkdown(l[1]))
	}
	return b.String()
}

func resourcesInMarkdown(b *strings.Builder, e *engine.Explanation) {
	if len(e.Resources) == 0 {
		return
	}
	b.WriteString("| | | from |\n|---|---|---|\n")
	for _, l := range e.Resources {
		fmt.Fprintf(b, "| %s | %s | %s |\n", inMarkdown(l.Name), inMarkdown(resourceValue(l)), inMarkdown(l.Source))
	}
	b.WriteString("\n")
}

func memoryInMarkdown(b *strings.Builder, e *engine.Explanation, free float64) {
	sum := barOf(e, free)
	if sum == nil {
		return
	}
	name := "Memory"
	if sum.Budget {
		name = "Memory budget"
	}
	fmt.Fprintf(b, "**%s**: %s\n\n| | | from |\n|---|--:|---|\n", name, inMarkdown(sum.Verdict()))
	for _, s := range append(append([]segment{}, sum.Segments...), sum.sums()...) {
		fmt.Fprintf(b, "| %s | %s | %s |\n", inMarkdown(s.Name), s.amount(), inMarkdown(origin(s)))
	}
	b.WriteString("\n")
	for _, size := range e.Sizes {
		fmt.Fprintf(b, "- %s\n", inMarkdown(size.Text))
	}
}

// obeyed are the signs that Markdown or HTML could obey. What a manifest says is text.
const obeyed = "\\`*_{}[]<>#|!~&"

// inMarkdown is text of a manifest or of ours on one line, with nothing in it that Markdown obeys.
func inMarkdown(text string) string {
	var b strings.Builder
	for _, r := range terminal.Printable(text) {
		if strings.ContainsRune(obeyed, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
