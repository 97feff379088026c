package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestLargeInput holds what takes time or memory with the square of the size
// somewhere. Reading each takes well under a second; a square took minutes.
func TestLargeInput(t *testing.T) {
	const size = 2 << 20
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const slow = "x: &x 1\n" // something to refer to
	for name, text := range map[string]string{
		"items": fill("- a\n"), "keys": numbered("k%d: 1\n"), "keys, slow": slow + numbered("k%d: 1\n"),
		"flow": "a: [" + fill("a,") + "]", "flow keys": "{" + numbered("k%d: 1,\n") + "}", "json": "[" +
			fill("1,") + "1]",
		"plain": "a: b\n" + fill("  c\n"), "quoted": "a: \"" + fill("b\n") + "\"", "folded": "a: >\n" + fill("  b\n"),
		"open quote": "a: \"" + fill("b\n"), "one line": slow + "a: " + fill("b "), "escapes": "a: \"" +
			fill(`\n`) + "\"",
		"comments": slow + fill("# c\n"), "comments between": slow + "y:\n" + fill("  - a\n    # c\n # d\n\n"),
		"brackets": fill("["), "braces": fill("{ "), "dashes": fill("- "), "questions": fill("? a\n"),
		"tags":      fill("- !!str a\n"),
		"bare tags": slow + "l: [" + numbered("! a%d, ") + "]", "anchors": numbered("- &a%d 1\n"),
		"aliases":   slow + fill("- *x\n"),
		"documents": fill("---\n"), "directives": fill("%A\n---\n"), "digits": "a: " + fill("1"), "spaces": fill(" "),
	} {
		for _, file := range []string{"a.yaml", "a.json"} {
			items := 0
			for range Items(file, []byte(text), Options{MaxFileBytes: size + 1024}) {
				items++
			}
			if items == 0 {
				t.Errorf("%s as %s: nothing in it", name, file)
			}
		}
	}
	got := describe(Parse("f", []byte("a: &a ["+fill("a, ")+"]"), Options{MaxFileBytes: size}))
	if got != "f:1: more than 131072 values in one document; a larger file limit allows for more" {
		t.Error(got)
	}
}
