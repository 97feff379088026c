package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
)

// body is a diff without its names, of texts whose lines are single letters.
func body(before, after string) string {
	lines := func(letters string) []byte { return []byte(strings.Join(strings.Split(letters, ""), "\n") + "\n") }
	diff := edit.Diff("x", lines(before), lines(after))
	return strings.TrimPrefix(strings.ReplaceAll(diff, "\n", "|"), "--- a/x|+++ b/x|")
}

func TestLinesOfDiffs(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"the first line", "abcdefgh", "Abcdefgh", "@@ -1,4 +1,4 @@|-a|+A| b| c| d|"},
		{"the second line", "abcdefgh", "aBcdefgh", "@@ -1,5 +1,5 @@| a|-b|+B| c| d| e|"},
		{"the last line", "abcdefgh", "abcdefgH", "@@ -5,4 +5,4 @@| e| f| g|-h|+H|"},
		{"the only line", "a", "A", "@@ -1 +1 @@|-a|+A|"},
		{"one behind the only line", "a", "ab", "@@ -1 +1,2 @@| a|+b|"},
		{"one in front of the only line", "b", "ab", "@@ -1 +1,2 @@|+a| b|"},
		{"one line of two is gone", "ab", "b", "@@ -1,2 +1 @@|-a| b|"},
		{"six lines in between are shown", "abcdefgh", "AbcdefgH", "@@ -1,8 +1,8 @@|-a|+A| b| c| d| e| f| g|-h|+H|"},
		{"seven are not", "abcdefghi", "AbcdefghI", "@@ -1,4 +1,4 @@|-a|+A| b| c| d|@@ -6,4 +6,4 @@| f| g| h|-i|+I|"},
		{"four lines behind", "abcdefghijklm", "abcdefghIjklm", "@@ -6,7 +6,7 @@| f| g| h|-i|+I| j| k| l|"},
		{
			"the second with what the first added",
			"abcdefghijklm", "aXbcdefghijklM",
			"@@ -1,4 +1,5 @@| a|+X| b| c| d|@@ -10,4 +11,4 @@| j| k| l|-m|+M|",
		},
		{
			"the second with what the first took",
			"abcdefghijklm", "acdefghijklM",
			"@@ -1,5 +1,4 @@| a|-b| c| d| e|@@ -10,4 +9,4 @@| j| k| l|-m|+M|",
		},
		{"one line alike comes first", "pq", "pzpq", "@@ -1,2 +1,4 @@| p|+z|+p| q|"},
		{"one added before three alike", "abcxabcy", "zabcxabcy", "@@ -1,3 +1,4 @@|+z| a| b| c|"},
		{"three alike are in step", "abcdefg", "xabcdefgabcdefg", "@@ -1,3 +1,4 @@|+x| a| b| c|@@ -5,3 +6,10 @@| e| f| g|+a|+b|+c|+d|+e|+f|+g|"},
		{"what follows the first line is in step", "accca", "ccca", "@@ -1,4 +1,3 @@|-a| c| c| c|"},
		{"the end is in step with the end of two added", "b", "cbb", "@@ -1 +1,3 @@|+c|+b| b|"},
		{"the end is in step with another line added", "d", "cdd", "@@ -1 +1,3 @@|+c|+d| d|"},
		{"the end is in step with the end of two gone", "dcc", "c", "@@ -1,3 +1 @@|-d|-c| c|"},
		{"three lines alike, and then no more", "cbbbb", "bbb", "@@ -1,5 +1,3 @@|-c| b| b| b|-b|"},
		{"the end is in step", "xab", "yab", "@@ -1,3 +1,3 @@|-x|+y| a| b|"},
	} {
		if got := body(c.before, c.after); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// Texts that are out of step for long are left to difflib, which finds what is alike too.
func TestLinesFarOutOfStep(t *testing.T) {
	for _, n := range []int{127, 128, 129, 300} {
		var added strings.Builder
		for i := range n {
			fmt.Fprintf(&added, "+%d\n", i)
		}
		text := strings.ReplaceAll(added.String(), "+", "")
		want := fmt.Sprintf("--- a/x\n+++ b/x\n@@ -1,2 +1,%d @@\n a\n%s b\n", n+2, added.String())
		if got := edit.Diff("x", []byte("a\nb\n"), []byte("a\n"+text+"b\n")); got != want {
			t.Errorf("%d added: %s", n, got)
		}
	}
}

// What is nearest is in step, up to 128 lines away; difflib looks for the longest.
func TestNearestInStep(t *testing.T) {
	long := strings.Repeat("l", 20)
	for n, nearest := range map[int]bool{1: true, 127: true, 128: true, 129: false} {
		added := strings.Repeat("+z|", n)
		got := body("abcx"+long, strings.Repeat("z", n)+"abcyabcx"+long)
		want := fmt.Sprintf("@@ -1,6 +1,%d @@|%s a| b| c|+y|+a|+b|+c| x| l| l|", n+10, added)
		if !nearest {
			want = fmt.Sprintf("@@ -1,3 +1,%d @@|%s+a|+b|+c|+y| a| b| c|", n+7, added)
		}
		if got != want {
			t.Errorf("%d: %s, not %s", n, got, want)
		}
	}
}

func TestDiffsOfLastLines(t *testing.T) {
	for _, c := range [][3]string{
		{"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"", "a", "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"},
		{"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
	} {
		if got := edit.Diff("x", []byte(c[0]), []byte(c[1])); got != "--- a/x\n+++ b/x\n"+c[2] {
			t.Errorf("%q and %q: %s", c[0], c[1], got)
		}
	}
}

func TestEscapesInNamesOfDiffs(t *testing.T) {
	name := "\x01 \x1f~\x7f\u0080é\\\""
	got, _, _ := strings.Cut(edit.Diff(name, []byte("a"), []byte("b")), "\n")
	if want := `--- "a/\001 \037~\177\302\200\303\251\\\""`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	got, _, _ = strings.Cut(edit.Diff("\n", []byte("a"), []byte("b")), "\n")
	if want := `--- "a/\012"`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	got, _, _ = strings.Cut(edit.Diff("/\n", []byte("a"), []byte("b")), "\n")
	if want := `--- "/\012"`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
