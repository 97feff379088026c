package size

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// maxRows bounds a comment, which GitHub cuts at 65 536 characters.
const maxRows = 100

// writeMarkdown writes a comment for a pull request: what changes as a table, and why behind it.
func writeMarkdown(out *bytes.Buffer, r *Report) {
	fmt.Fprintf(out, "### Sizes from measured use\n\n%s\n", cell(total(r)))
	if r.Measured != "" {
		fmt.Fprintf(out, "\n%s.\n", cell(measured(r)))
	}
	rows := 0
	out.WriteString("\n| Workload | Container | Value | Now | Wanted | Why |\n|---|---|---|--:|--:|---|\n")
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for j := range w.Containers {
			c := &w.Containers[j]
			for _, v := range c.Values {
				if !v.Changed() {
					continue
				}
				if rows++; rows <= maxRows {
					fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", cell(w.Resource.Kind+" "+w.Resource.Name),
						cell(c.Container), cell(v.Name), cell(orNone(v.Now)), cell(orNone(v.Wanted)), cell(v.Why))
				}
			}
		}
		for _, a := range w.Autoscalers {
			if a.Now == a.Wanted {
				continue
			}
			if rows++; rows <= maxRows {
				fmt.Fprintf(out, "| HorizontalPodAutoscaler %s | %s | %s | %d %% | %d %% | %s |\n",
					cell(a.Name), cell(a.Container), cell(a.Resource), a.Now, a.Wanted, cell(a.Why))
			}
		}
	}
	if rows > maxRows {
		fmt.Fprintf(out, "\nand %d more values\n", rows-maxRows)
	}
	out.WriteString("\n<details><summary>How well it is known, and what to know of it</summary>\n\n")
	notes := 0
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for j := range w.Containers {
			c := &w.Containers[j]
			if notes++; notes > maxRows {
				continue
			}
			fmt.Fprintf(out, "- %s, %s: %s\n", cell(w.Resource.Kind+" "+w.Resource.Name), cell(c.Container), cell(confidence(c.Confidence)))
			for _, text := range append(append([]string{}, c.Unsized...), c.Notes...) {
				fmt.Fprintf(out, "  - %s\n", cell(text))
			}
		}
	}
	if notes > maxRows {
		fmt.Fprintf(out, "- and %d more containers\n", notes-maxRows)
	}
	out.WriteString("\n</details>\n")
	for _, problem := range r.Problems {
		fmt.Fprintf(out, "\n%s\n", cell("problem: "+place(problem.File, problem.Line)+problem.Message))
	}
	for _, line := range r.asides() {
		fmt.Fprintf(out, "\n%s\n", cell(line))
	}
}

var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "@", "&#64;")

// cell is text of a manifest in Markdown.
func cell(text string) string { return escape.Replace(terminal.Printable(text)) }
