package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/pmezard/go-difflib/difflib"
)

// context is how many lines are shown around a change, as diff -u has it.
const context = 3

// Diff is the unified diff of a file, as patch and git apply take it; "" where nothing
// changes. Lines end as they do in the file.
func Diff(name string, before, after []byte) string {
	diff, _ := unified(name, before, after, grouped, func(string) bool { return false })
	return diff
}

// Bare is Diff without the lines around a change, and without the changes that have a line to hide; hidden counts
// those. patch takes it, and git apply does with --unidiff-zero.
func Bare(name string, before, after []byte, hide func(line string) bool) (diff string, hidden int) {
	return unified(name, before, after, changes, hide)
}

// unified writes a hunk for each group of codes, but for those with a line to hide.
func unified(
	name string, before, after []byte, groups func([]difflib.OpCode) [][]difflib.OpCode, hide func(line string) bool,
) (diff string, hidden int) {
	a, b := split(string(before)), split(string(after))
	var out strings.Builder
	for _, group := range groups(opcodes(a, b)) {
		first, last := group[0], group[len(group)-1]
		if slices.ContainsFunc(a[first.I1:last.I2], hide) || slices.ContainsFunc(b[first.J1:last.J2], hide) {
			hidden++
			continue
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(first.I1, last.I2), span(first.J1, last.J2))
		for _, op := range group {
			if op.Tag == 'e' {
				writeLines(&out, " ", a[op.I1:op.I2])
				continue
			}
			writeLines(&out, "-", a[op.I1:op.I2])
			writeLines(&out, "+", b[op.J1:op.J2])
		}
	}
	if out.Len() == 0 {
		return "", hidden
	}
	from, to := "a/"+name, "b/"+name
	if path.IsAbs(name) {
		from, to = name, name
	}
	return fmt.Sprintf("--- %s\n+++ %s\n%s", named(from), named(to), out.String()), hidden
}

// named is a file's name as a diff has it. A name with line ends or the like is in quotes, as git
// writes it. Behind a name with blanks stands a tab; without it patch takes the first word only.
func named(name string) string {
	if !strings.ContainsFunc(name, unicode.IsControl) {
		if strings.Contains(name, " ") {
			name += "\t"
		}
		return name
	}
	var quoted strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			quoted.WriteString(`\` + string(c))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&quoted, `\%03o`, c)
		default:
			quoted.WriteByte(c)
		}
	}
	return `"` + quoted.String() + `"`
}

func writeLines(out *strings.Builder, sign string, lines []string) {
	for _, line := range lines {
		out.WriteString(sign + line)
	}
}

// split gives lines with their ends. The last one, if it has none, says so as diff does.
func split(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	last := len(lines) - 1
	if lines[last] == "" {
		return lines[:last]
	}
	lines[last] += "\n\\ No newline at end of file\n"
	return lines
}

// span writes a range of lines; one without a line names the line in front of it.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(end)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}
