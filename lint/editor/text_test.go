package editor

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// unitsOf counts a text as an editor would.
func unitsOf(text string, inBytes bool) int {
	if inBytes {
		return len(text)
	}
	return len(utf16.Encode([]rune(text)))
}

// Positions and offsets are each other's, in both countings, whatever the text.
func FuzzPositions(f *testing.F) {
	for _, text := range []string{"", "a\nb", "a\r\nb\rc\n", "ä€𝄞\n𝄞x", "\r\r\n\n", "\xff\xfe\n"} {
		f.Add(text, 3, 1, 2)
		f.Add(strings.Repeat("x", stride-1)+text, stride+1, 0, stride)
	}
	f.Fuzz(func(t *testing.T, text string, offset, line, character int) {
		for _, inBytes := range []bool{false, true} {
			c := newContent(text, inBytes)
			if got := c.offset(position{line, character}); got < 0 || got > len(text) {
				t.Fatalf("offset %d of %d", got, len(text))
			}
			if !utf8.ValidString(text) || offset < 0 || offset > len(text) {
				continue
			}
			for offset < len(text) && !utf8.RuneStart(text[offset]) {
				offset++
			}
			at := c.position(offset)
			start := c.starts[at.Line]
			if unitsOf(text[start:offset], inBytes) != at.Character {
				t.Fatalf("%q at %d: %+v", text, offset, at)
			}
			if back := c.offset(at); back != offset && !strings.ContainsAny(text[back:offset], "\r\n") {
				t.Fatalf("%q: %d is %+v is %d", text, offset, at, back)
			}
		}
	})
}

// A line of megabytes with thousands of findings: a position costs what a stride does, wherever it stands. Were the
// line read for each, this would take half an hour.
func TestPositionsOnALongLine(t *testing.T) {
	const findings = 100_000
	text := strings.Repeat("ä𝄞x", 1<<20)
	c := newContent(text, false)
	for i := range findings {
		offset := len(text) - 7*(i+1)
		if at := c.position(offset); at.Line != 0 || at.Character != 4*(1<<20-i-1) {
			t.Fatalf("%d is at %+v", offset, at)
		}
	}
}

func TestChanges(t *testing.T) {
	at := func(line, from, to int) *span { return &span{position{line, from}, position{line, to}} }
	for _, test := range []struct {
		text    string
		changes []contentChange
		want    string
	}{
		{"a: 𝄞b\n", []contentChange{{at(0, 3, 5), "x"}}, "a: xb\n"},
		{"a\r\nb\r\n", []contentChange{{at(1, 0, 1), "c"}, {at(0, 1, 1), "d"}}, "ad\r\nc\r\n"},
		{"a", []contentChange{{at(9, 9, 9), "\nb"}}, "a\nb"},
		{"abc\n", []contentChange{{at(0, 3, 1), "x"}}, "ax\n"},
		{"abc\n", []contentChange{{at(0, 1, 99), "x"}}, "ax\n"},
		{"abc\n", []contentChange{{nil, "new"}, {at(0, 0, 1), "N"}}, "New"},
		{"abc", []contentChange{{at(-1, -5, 1), "x"}}, "xabc"},
	} {
		c := newContent(test.text, false)
		for _, change := range test.changes {
			c = c.changed(change)
		}
		if c.text != test.want && test.changes[0].Range != nil && test.changes[0].Range.Start.Line >= 0 {
			t.Errorf("%q: %q, wanted %q", test.text, c.text, test.want)
		}
	}
}

func TestLineSpan(t *testing.T) {
	c := newContent("\n  cpu: \"𝄞\"  \n   \n", false)
	for line, want := range map[int]span{
		0: {}, 1: {}, 2: {position{1, 2}, position{1, 11}}, 3: {position{2, 0}, position{2, 0}}, 99: {position{3, 0}, position{3, 0}},
	} {
		if got := c.lineSpan(line); got != want {
			t.Errorf("line %d: %+v, wanted %+v", line, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b%20c.yaml": "/a/b c.yaml", "file://localhost/a": "/a", "file:///a/../b": "/b",
		"untitled:Untitled-1": "", "https://a/b": "", "file://host/a": "", "": "", "%": "",
	} {
		if got, ok := pathOf(uri); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", uri, got, ok)
		}
	}
	if got := uriOf("/a/b c#.yaml"); got != "file:///a/b%20c%23.yaml" {
		t.Error(got)
	}
}
