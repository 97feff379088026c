package edit

import (
	"strings"
	"testing"
)

// A file of one line of megabytes, with an edit for each of its objects: were the line read for each, this would take hours.
func TestEditsOfALongLine(t *testing.T) {
	const edits = 3000
	text := strings.Repeat(strings.Repeat("x", 1000)+"2", edits)
	var splices []splice
	for i := range edits {
		splices = append(splices, splice{start: 1001*i + 1000, end: 1001*i + 1001, text: "3"})
	}
	if got := string(fold([]byte(text)).apply(splices)); got != strings.ReplaceAll(text, "2", "3") {
		t.Error("not all of it was edited")
	}
}

func TestLineEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"", 0, "\n"},
		{"a", 1, "\n"},
		{"a\nb", 0, "\n"},
		{"a\r\nb", 0, "\r\n"},
		{"a\rb\n", 0, "\r"},
		{"a\rb\r\n", 2, "\r\n"},
		{"a\r\rb\n", 0, "\r"},
		{"a\r", 0, "\r"},
		{"a\nb", 3, "\n"},
		{"a\r\nb", 4, "\r\n"},
		{"a\rb", 3, "\r"},
		{"\nb", 2, "\n"},
		{"\rb", 2, "\r"},
		{"a\n\rb", 4, "\r"},
		{"a\r\nb\n", 3, "\n"},
	} {
		if got := fold([]byte(c.text)).lineEnd(c.at); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.at, got, c.want)
		}
	}
}
