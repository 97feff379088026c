package edit

import (
	"fmt"
	"path"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// Bare is Diff without the lines around a change, and without the changes that have a line to hide; hidden counts
// those. patch takes it, and git apply does with --unidiff-zero.
func Bare(name string, before, after []byte, hide func(line string) bool) (diff string, hidden int) {
	a, b := split(string(before)), split(string(after))
	var out strings.Builder
	for _, change := range changes(opcodes(a, b)) {
		var hunk strings.Builder
		fmt.Fprintf(&hunk, "@@ -%s +%s @@\n", bareSpan(change.I1, change.I2), bareSpan(change.J1, change.J2))
		if hides(hide, a[change.I1:change.I2]) || hides(hide, b[change.J1:change.J2]) {
			hidden++
			continue
		}
		put(&hunk, "-", a[change.I1:change.I2])
		put(&hunk, "+", b[change.J1:change.J2])
		out.WriteString(hunk.String())
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

func hides(hide func(string) bool, lines []string) bool {
	for _, line := range lines {
		if hide(line) {
			return true
		}
	}
	return false
}

// changes are the codes that change something; those that follow each other are one.
func changes(codes []difflib.OpCode) []difflib.OpCode {
	var joined []difflib.OpCode
	for _, c := range codes {
		if c.Tag == 'e' {
			continue
		}
		if last := len(joined) - 1; last >= 0 && joined[last].I2 == c.I1 && joined[last].J2 == c.J1 {
			joined[last].I2, joined[last].J2 = c.I2, c.J2
			continue
		}
		joined = append(joined, c)
	}
	return joined
}

// bareSpan writes a range of lines; one without a line names the line in front of it.
func bareSpan(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(end)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}
