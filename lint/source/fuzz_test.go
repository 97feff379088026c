package source

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzParse holds any input to three things: no panic, an answer in time, and
// the values that kubectl sees.
func FuzzParse(f *testing.F) {
	for _, text := range append(slicesOf(shapes, scalars), anchored) {
		f.Add([]byte(text))
	}
	for _, data := range manifestFiles(f) {
		if len(data) < 4096 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range []string{"a.yaml", "a.json"} {
			lines := 1 + bytes.Count(data, []byte{'\n'}) + bytes.Count(data, []byte{'\r'})
			for item := range Items(file, data, Options{}) {
				checkItem(t, item, lines)
			}
		}
		if text, err := decodeText(data); err == nil {
			segments(text, 0, func(s segment) bool {
				checkEqual(t, s)
				return true
			})
		}
	})
}

func slicesOf(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// checkItem makes sure that an item says one thing, and about lines that exist.
func checkItem(t *testing.T, item Item, lines int) {
	t.Helper()
	if (item.Problem != nil) == (item.Document != nil || item.Skipped != "") {
		t.Errorf("%#v is neither one thing nor the other", item)
	}
	if item.Line < 1 || item.Line > lines {
		t.Errorf("line %d of %d: %v", item.Line, lines, item)
	}
	if strings.Contains(item.String(), reasonBug) {
		t.Error(item)
	}
	if item.Document == nil {
		return
	}
	eachField(item.Document.Object, nil, func(path []any) {
		if line := item.Document.LineOf(path); line < 1 || line > lines {
			t.Errorf("line %d of %d for %v", line, lines, path)
		}
	})
}

// pieces are what random documents are made of.
var pieces = []string{
	"a:", "b:", "c:", "'q':", "\"q\":", "yes:", "12:", "~:", "<<:", "a b:", "- ", "-", "- - ", "? ", ": ", "  ",
	"    ", " ", "\n", "\n", "\n  ",
	"\n    ", "\n- ", "\n  - ", "\na:", "\nb: ", "\n  c: ", "\n    d: ", "# c", " # c", "#c", "|", "|-", "|+",
	"|2", ">", ">-", "&x ", "*x",
	"&y ", "*y", "!!str ", "!!int ", "! ", "!t ", "[", "]", "{", "}", ",", ", ", "[]", "{}", "[a, b]", "{a: 1}",
	"{a: [1, {b: c}]}", "'", "\"", "''",
	"'it''s'", "\"a\\n\\\"b\"", "\"\\x41\"", "x", "x y", "-x", "--", "...", "---", "--- ", "%", "@", "`", "\t",
	"\r\n", "\u00e9", "\u2028", "1", "0777", "1e3",
	"null", "x: y", "x:y", "x #y", "x#y", "http://x:80/y", "\\", "=", "$(A)", "\n\n", "\n \n", "\n\n\n  ", ".5",
	"0x1F", "a\u0085b", "\ufeff",
}

// randomPieces strings pieces together without any plan.
func randomPieces(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(12) {
		if random.IntN(4) == 0 {
			b.WriteString(scalars[random.IntN(len(scalars))])
		} else {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
	}
	return b.String()
}

// randomLines makes what is nearly a manifest: keys and items, mostly indented
// as they should be.
func randomLines(random *rand.Rand) string {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	var b strings.Builder
	indent := 0
	for range 1 + random.IntN(8) {
		b.WriteString(strings.Repeat(" ", indent))
		b.WriteString(pick("", "", "", "- ", "-   ", "- - "))
		b.WriteString(pick("a:", "b:", "c:", "d:", "e:", "f:", "'q r':", "\"s\":", "on:", "7:", "", "a b:"))
		text := strings.Repeat(" ", indent+random.IntN(4))
		switch random.IntN(6) {
		case 0, 1:
			b.WriteString(pick(" ", "  ") + scalars[random.IntN(len(scalars))])
		case 2:
			b.WriteString(" " + pieces[random.IntN(len(pieces))])
		case 3:
			b.WriteString(pick(" |", " |-", " |+", " | # c", " >", " >-", " >+") + pick("\n", "\n\n", "\n \n") +
				text + "l\n" +
				pick("", "\n", " \n", text+" m\n", text+"\n", text+"  \n", text+"\tn\n", " # c\n", "\n\n"+text+"o"))
		}
		b.WriteString(pick("\n", "\n", "\n", "\n", " # c\n", "\n\n", "\n# c\n", "\n    # c\n", " \n", ""))
		indent = max(0, indent+[]int{0, 0, 2, 2, -2, -2, -4, 1, -1}[random.IntN(9)])
	}
	return b.String()
}

// TestRandomDocumentsEqualKubectl reads what people write wrong.
func TestRandomDocumentsEqualKubectl(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	count := 30_000
	if testing.Short() {
		count = 5_000
	}
	for i := range count {
		made := randomPieces(random)
		if i%4 > 0 {
			made = randomLines(random)
		}
		text, err := decodeText([]byte(made))
		if err != nil {
			t.Fatal(err)
		}
		segments(text, 0, func(s segment) bool {
			checkEqual(t, s)
			return true
		})
		if t.Failed() {
			return
		}
	}
}
