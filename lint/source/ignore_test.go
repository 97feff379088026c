package source

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func commentsOf(t *testing.T, text string) []string {
	t.Helper()
	var all []string
	for _, item := range Parse("a.yaml", []byte(text), Options{}) {
		if item.Problem != nil {
			t.Fatalf("%v in\n%s", item.Problem, text)
		}
		if item.Document == nil {
			continue
		}
		for _, c := range item.Document.Comments {
			all = append(all, fmt.Sprintf("%d%s %v", c.Line, c.Text, c.Paths))
		}
	}
	return all
}

func TestComments(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"behind a field":       {"a:\n  b: 1 # headroom:ignore HR1 why\n", []string{"2 HR1 why [[a b]]"}},
		"above a field":        {"a:\n  # headroom:ignore HR1 why\n  b: {c: 1}\n", []string{"2 HR1 why [[a b]]"}},
		"above others":         {"a:\n  # headroom:ignore HR1 why\n\n  # and more\n  b: 1\n", []string{"2 HR1 why [[a b]]"}},
		"two above":            {"a:\n  # headroom:ignore HR1 x\n  # headroom:ignore HR2 y\n  b: 1\n", []string{"2 HR1 x [[a b]]", "3 HR2 y [[a b]]"}},
		"at the head":          {"# headroom:ignore HR1 why\nkind: a\n", []string{"1 HR1 why [[]]"}},
		"before the mark":      {"# headroom:ignore HR1 why\n---\nkind: a\n", []string{"1 HR1 why [[]]"}},
		"behind the mark":      {"kind: a\n--- # headroom:ignore HR1 x\n# headroom:ignore HR2 y\nkind: b\n", []string{"2 HR1 x []", "3 HR2 y [[]]"}},
		"an entry of a list":   {"a:\n  # headroom:ignore HR1 why\n  - name: x\n  - name: y # headroom:ignore HR2 why\n", []string{"2 HR1 why [[a 0]]", "4 HR2 why [[a 1]]"}},
		"several on a line":    {"a: {b: 1,\n  c: 2, d: 3} # headroom:ignore HR1 why\n", []string{"2 HR1 why [[a c] [a d]]"}},
		"at the end":           {"a: 1\n# headroom:ignore HR1 why\n", []string{"2 HR1 why []"}},
		"in a script":          {"a: |\n  # headroom:ignore HR1 why\n  b\nc: 1 # headroom:ignore HR2 why\n", []string{"4 HR2 why [[c]]"}},
		"in quotes":            {"a: 'b # headroom:ignore HR1 why\n  # headroom:ignore HR1 why'\n", nil},
		"of an anchor":         {"a: &x\n  b: 1 # headroom:ignore HR1 why\nc: *x\n", []string{"2 HR1 why [[a b] [c b]]"}},
		"of another mark":      {"a: 1 # headroom:ignored HR1\nb: 1 # headroom:ignore\n", []string{"2 [[b]]"}},
		"with returns":         {"a: 1 # headroom:ignore HR1 why\r\n", []string{"1 HR1 why [[]]"}},
		"without a blank":      {"a: x#headroom:ignore HR1 why\nb: 1 #headroom:ignore HR1 why\n", []string{"2 HR1 why [[b]]"}},
		"of the next document": {"a: 1\n---\n# headroom:ignore HR1 why\nb: 1\n", []string{"3 HR1 why [[]]"}},
	} {
		if got := commentsOf(t, test.text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, wanted %q", name, got, test.want)
		}
	}
}

func TestManyComments(t *testing.T) {
	if got := commentsOf(t, "a: |\n"+strings.Repeat("  # headroom:ignore HR1 why\n", 10_000)+"b: 1\n"); got != nil {
		t.Errorf("%d comments in a script", len(got))
	}
	if got := commentsOf(t, "a: 1\n"+strings.Repeat("# headroom:ignore HR1 why\n", 10_000)+"b: 1\n"); len(got) != maxIgnores {
		t.Errorf("%d comments", len(got))
	}
}

// A text that holds the mark, in whatever style YAML writes it, never exempts; a comment beside it always does.
func TestCommentsAreNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := rapid.SampledFrom([]string{"|\n%s", "|-\n%s", ">\n%s", "\"%s\"", "'%s'"}).Draw(t, "style")
		var lines []string
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			lines = append(lines, "    "+rapid.SampledFrom([]string{"# headroom:ignore HR1 text", "x # headroom:ignore HR1 text", "y"}).Draw(t, "line"))
		}
		text := "a:\n  b: " + fmt.Sprintf(style, strings.Join(lines, "\n")) + "\n  c: 1 # headroom:ignore HR2 why\n"
		items := Parse("a.yaml", []byte(text), Options{})
		if len(items) != 1 || items[0].Document == nil {
			t.Fatalf("%v in\n%s", items, text)
		}
		found := items[0].Document.Comments
		if len(found) != 1 || found[0].Text != " HR2 why" || fmt.Sprint(found[0].Paths) != "[[a c]]" {
			t.Fatalf("%+v in\n%s", found, text)
		}
	})
}
