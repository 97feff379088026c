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
	n := note{strong: "**", of: inMarkdown}
	return n.container(e, free)
}

// Plain is the same for an editor that shows text as it stands.
func Plain(e *engine.Explanation, free float64) string {
	n := note{of: terminal.Printable}
	return n.container(e, free)
}

// A note is written in Markdown or as plain text.
type note struct {
	out strings.Builder

	strong string              // stands around a heading
	of     func(string) string // text of a manifest or of ours
}

func (n *note) container(e *engine.Explanation, free float64) string {
	fmt.Fprintf(&n.out, "%s: %s", n.heading(e.Container), n.of(class(e)))
	if e.ClassEvidence != "" {
		n.out.WriteString(", " + n.of(e.ClassEvidence))
	}
	n.out.WriteString("\n\n")
	if e.Runtime != "" {
		fmt.Fprintf(&n.out, "Runtime: %s, %s\n\n", n.of(e.Runtime), n.of(e.RuntimeEvidence))
	}
	n.resources(e)
	n.memory(e, free)
	n.lines("CPU", cpuLines(e))
	n.out.WriteString("\n")
	n.lines("What would pass", passingLines(e))
	return n.out.String()
}

func (n *note) heading(text string) string { return n.strong + n.of(text) + n.strong }

func (n *note) lines(name string, lines [][2]string) {
	n.out.WriteString(n.heading(name) + "\n\n")
	for _, l := range lines {
		fmt.Fprintf(&n.out, "- %s: %s\n", l[0], n.of(l[1]))
	}
}

// table has rows of a name, an amount and where it comes from.
func (n *note) table(align string, rows [][3]string) {
	if n.strong != "" {
		n.out.WriteString("| | | from |\n" + align + "\n")
	}
	for _, r := range rows {
		if n.strong != "" {
			fmt.Fprintf(&n.out, "| %s | %s | %s |\n", n.of(r[0]), n.of(r[1]), n.of(r[2]))
		} else {
			n.out.WriteString(strings.TrimRight(fmt.Sprintf("- %s: %s  %s", n.of(r[0]), n.of(r[1]), n.of(r[2])), " ") + "\n")
		}
	}
	n.out.WriteString("\n")
}

func (n *note) resources(e *engine.Explanation) {
	if len(e.Resources) == 0 {
		return
	}
	var rows [][3]string
	for _, l := range e.Resources {
		rows = append(rows, [3]string{l.Name, resourceValue(l), l.Source})
	}
	n.table("|---|---|---|", rows)
}

func (n *note) memory(e *engine.Explanation, free float64) {
	sum := barOf(e, free)
	if sum == nil {
		return
	}
	name := "Memory"
	if sum.Budget {
		name = "Memory budget"
	}
	fmt.Fprintf(&n.out, "%s: %s\n\n", n.heading(name), n.of(sum.Verdict()))
	var rows [][3]string
	for _, s := range append(append([]segment{}, sum.Segments...), sum.sums()...) {
		rows = append(rows, [3]string{s.Name, s.amount(), origin(s)})
	}
	n.table("|---|--:|---|", rows)
	for _, size := range e.Sizes {
		fmt.Fprintf(&n.out, "- %s\n", n.of(size.Text))
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
