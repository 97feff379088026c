package source

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// long is a comment that makes a List one that is read item by item.
var long = "# " + strings.Repeat("x", apartBytes) + "\n"

// checkApart holds a List that is read item by item to itself in one piece, and says whether it was.
func checkApart(t interface {
	Errorf(format string, arguments ...any)
}, text string,
) bool {
	s := segment{text: []byte(text), line: 3}
	value, positions, ok := readApart(s)
	if !ok {
		return false
	}
	want, places, _, failure := readWhole(s)
	text = strings.ReplaceAll(text, long, "# long\n")
	if failure != nil {
		t.Errorf("%s\nis read as %v, which is broken: %v", text, value, failure)
		return true
	}
	if !reflect.DeepEqual(value, want) {
		t.Errorf("%s\n got %#v\nwant %#v", text, value, want)
	}
	if !reflect.DeepEqual(positions, places) {
		t.Errorf("%s\n got %v\nwant %v", text, positions, places)
	}
	return true
}

func TestListsApart(t *testing.T) {
	for text, apart := range map[string]bool{
		"items:\n- a: 1\n- b\n":                                                                 true,
		"kind: List\nitems:\n- a: |+\n    b\n\n-\n  c\nx: {}\n":                                 true,
		"%YAML 1.1\n---\nkind: List\nitems:\n- a\n":                                             true,
		"--- # here\nkind: List\nitems:\n  - a\n  - - b\n    - c\n# d\nkind2: x\ny: [1,\n 2]\n": true,
		"kind: List\nitems:\n  # c\n  - a\n":                                                    false,
		"kind: List\nitems:\n- a: &x 1\n  b: &y\n- c\n":                                         true,
		"kind: List\nitems:\n- a: &x 1\n  b: *x\n- c\n":                                         false,
		"kind: List\nitems:\n- a: &x 1\n- *x\n":                                                 false,
		"kind: List\nitems:\n- a: {<<: {b: 1}}\n":                                               true,
		"kind: List\nitems:\n- a: \"x\n- b\"\n- c\n":                                            false,
		"kind: List\nitems:\n- a: [x,\n- b]\n":                                                  false,
		"a: \"x\nitems:\n- b\"\nc: \"\nitems: []\n":                                             false,
		"a: 'x\nitems:\n- b'\nc: '\nitems: []\n'\nitems: []\n":                                  false,
		"|\nitems:\n- a\n":                                                                      false,
		"kind: List\nitems:\n- a\nitems:\n- b\n":                                                false,
		"kind: List\nitems: []\na:\n  b: |\n    x\n    items:\n    - c\n":                       false,
		"kind: List\nitems:\n  - a\n- b\n":                                                      false,
		"kind: List\nitems:\n  - a\n - b\n":                                                     false,
		"kind: List\nitems:\n- a: 1\n a: 2\n":                                                   false,
		"kind: List\nitems:\n-a\n- b\n":                                                         false,
		"kind: List\nitems:\n":                                                                  false,
		"items:\n- a: 1\n- b\u2028- c\n":                                                        false,
		"kind: List\nitems:\n- a: 1\n  a: 2\n":                                                  false,
	} {
		if got := checkApart(t, text+long); got != apart {
			t.Errorf("read item by item: %v\n%s", got, text)
		}
		if at := strings.Index(text, "items:\n"); at > 0 && text[at-1] == '\n' && apart {
			checkApart(t, strings.Replace(text, "items:\n", long+"items:\n", 1))
		}
	}
	if checkApart(t, "items:\n- a\n") {
		t.Error("a small List is cut")
	}
}

// TestMixedLists makes Lists up, of what is meant for them and of what is not.
func TestMixedLists(t *testing.T) {
	lines := []string{
		"kind: List", "items:", "items:", "items: []", "- a: 1", "- b", "-", "- - c", "  d: e", "  f: |", "    g", "    - h", "",
		"  # i", "# j", "- k: \"l", "  m\"", "- \"n", "o\"", "p: 'q", "r'", "  s: [t,", "  u]", "v: {w: x", "}", "  - y", "  - z: 1",
		"    aa: >-", "      bb", "- &cc dd", "- *cc", "ee: *cc", "- !!str 1", "? ff", ": gg", "<<: {hh: 1}", "---", "...", "\titems:",
	}
	apart := 0
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.SampledFrom(lines), 1, 12).Draw(t, "lines")
		text := strings.Join(drawn, "\n") + "\n"
		if rapid.Bool().Draw(t, "a List") {
			text = "kind: List\nitems:\n" + text
		}
		if !rapid.Bool().Draw(t, "ends") {
			text = strings.TrimSuffix(text, "\n")
		} else {
			text += long
		}
		segments([]byte(text+"\n"+long), 0, func(s segment) bool {
			if checkApart(t, string(s.text)) {
				apart++
			}
			return true
		})
	})
	if apart == 0 {
		t.Error("none is read item by item")
	}
}

// TestManifestsApart puts manifests into Lists.
func TestManifestsApart(t *testing.T) {
	read := 0
	for _, data := range manifestFiles(t) {
		segments(newlines(data), 0, func(s segment) bool {
			for _, indent := range []string{"", "  "} {
				var text strings.Builder
				text.WriteString("kind: List\nitems:\n")
				for i, line := range bytes.Split(bytes.TrimPrefix(s.text, []byte("---\n")), []byte{'\n'}) {
					lead := "  "
					if i == 0 {
						lead = "- "
					}
					fmt.Fprintf(&text, "%s%s%s\n", indent, lead, line)
				}
				if checkApart(t, text.String()+indent+"- last: 1\n"+long+"metadata: {}\n") {
					read++
				}
			}
			return true
		})
	}
	if read < 100 {
		t.Errorf("%d are read item by item", read)
	}
}
