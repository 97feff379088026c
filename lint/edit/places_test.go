package edit_test

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Where a value ends is found in every way in which one can be written: the one behind it is
// changed, and the one itself goes.
func TestEndsOfValues(t *testing.T) {
	const add = `{"op":"add","path":"/a/e","value":1}`
	for name, value := range map[string]string{
		"plain":                                "x",
		"plain with marks":                     "x'y\"z#:w",
		"plain over lines":                     "x\n   y\n\n   z",
		"plain with blanks":                    "x  y\t z",
		"single":                               "'x'",
		"single with quotes":                   "'it''s'''",
		"single, only quotes":                  "''''",
		"single, empty":                        "''",
		"single over lines":                    "'x\n\n   y'",
		"double":                               `"x"`,
		"double with escapes":                  `"\"\\"`,
		"double, empty":                        `""`,
		"double over lines":                    "\"x\\\n   \\ y\"",
		"block":                                "|\n    x\n     y",
		"block in the next column":             "|\n   x\n\n   # no comment",
		"block with blank lines":               "|\n\n   x\n\n\n   y",
		"block that begins with blanks":        "|3\n      x\n     y",
		"block with its columns":               "|1\n   x\n    y\n   z",
		"block with a comment":                 "|- # 9 + c\n   x",
		"folded block":                         ">-\n   x\n   # no comment\n   y",
		"block without lines":                  "|",
		"block without lines, with a comment":  "| # c",
		"block of lines with blanks":           "|2\n     \n    x",
		"block that has more blanks":           "|1\n      \n   x",
		"anchor":                               "&x y",
		"anchor with a dash":                   "&x-1_Z y",
		"anchor without a value":               "&x",
		"alias":                                "*k",
		"alias with a dash":                    "*k-1_Z",
		"null":                                 "",
		"null with a comment":                  "# c",
		"brackets":                             "[x, 'y', \"z\"]",
		"brackets with a comma":                "[x, ]",
		"brackets over lines":                  "[x, # c\n   y\n   ]",
		"brackets with nothing":                "[ ]",
		"braces":                               "{x: y, z: }",
		"braces with a comma":                  "{x: y , }",
		"braces with keys alone":               "{x, y: 1}",
		"braces with nothing, over lines":      "{\n   }",
		"braces without blanks":                `{"x":y,"z":1}`,
		"a pair in brackets":                   "[x: y]",
		"anchors in brackets":                  "[&x y, &z , *x ]",
		"braces in braces":                     "{x: {y: [z]}}",
		"map":                                  "\n   x: y",
		"map with a null":                      "\n   x: y\n   z:",
		"map of a block":                       "\n   x: |\n    y",
		"list":                                 "\n   - x\n   - y",
		"list in the column of its key":        "\n  - x\n  - y",
		"list with a null":                     "\n  - x\n  -",
		"list of lists":                        "\n  - - x\n    - y\n  -\n    - z",
		"list behind comments":                 "# c\n  # d\n  - x # e\n\n  # f\n  - y",
		"list of a block with its columns":     "\n  - |1\n    x\n   y",
		"list of maps of blocks":               "\n  - x: |2\n       y\n      z",
		"anchored map":                         "&x\n   y: z",
		"anchored list":                        "&x # c\n  - y",
		"wide characters":                      "日本 é",
		"tag":                                  "!!str x",
		"tag without a value":                  "!!str",
		"anchor and tag":                       "&x !!str y",
		"tag and anchor":                       "!!str &x y",
		"anchor and tag without a value":       "&x !!str",
		"tag with marks":                       "!<tag:yaml.org,2002:str> x",
		"bare tag":                             "! x",
		"tagged map":                           "!!map\n   x: y",
		"tagged list":                          "!!seq [x]",
		"merge":                                "\n   <<: *m\n   x: 1",
		"merge of several":                     "\n   <<: [*m, *m]",
		"key in quotes":                        "\n   'x': 1\n   \"y\" : 2",
		"key with a question mark":             "\n   ? x\n   : 1",
		"key with a question mark, no value":   "\n   ? x",
		"key with a question mark and comment": "\n   ? x # c\n   # d\n   : 1",
		"dash that is no item":                 "-x",
		"question mark that is no key":         "?x",
	} {
		head := "m: &m {p: q}\nk: &k 1\nj: &k-1_Z 2\na:\n  b: "
		if strings.HasPrefix(value, "\n") {
			head = strings.TrimSuffix(head, " ")
		}
		commented := strings.Contains(value, "# c") || strings.ContainsAny(value, "|>")
		t.Run(name, func(t *testing.T) {
			becomes(t, head+value+"\n  c: 1\n", `{"op":"replace","path":"/a/c","value":2}`, head+value+"\n  c: 2\n")
			becomes(t, "z: 1\n"+head+value+"\n  c: 1\n", `{"op":"remove","path":"/a/c"}`, "z: 1\n"+head+value+"\n")
			for _, end := range []string{"\n", "", "\n# d\n", "\n\n", " # e\n"} {
				rest := strings.TrimPrefix(end, " # e")
				switch {
				case rest != end && commented:
				case rest != end:
					becomes(t, head+value+end, add, head+value+" # e\n  e: 1"+rest)
				case end == "" && strings.Contains(value, "|") && !strings.Contains(value, "|-"):
					becomes(t, head+value, add, "")
				default:
					becomes(t, head+value+end, add, head+value+"\n  e: 1"+rest)
				}
			}
		})
	}
}

// becomes checks what a patch makes of a text; nothing where it is refused.
func becomes(t *testing.T, text, patch, want string) {
	t.Helper()
	got, err := edit.Apply([]byte(text), 0, operations(t, patch))
	if (err != nil) != (want == "") || string(got) != want {
		t.Errorf("%s\nbecomes\n%s\nnot\n%s: %v", visible(text), visible(string(got)), visible(want), err)
	}
}

// Check looks at the text alone, and so says what Apply's look at the object leaves it no time for.
func TestPlacesThatAreNotThere(t *testing.T) {
	text := "l:\n- a\n- b: 1\nm: &m {x: 1}\nn:\n  <<: *m\n\"q\": {r, s: 1}\n"
	for path, want := range map[string]string{
		"/l/x":   "line 2: the list has no place x",
		"/l/-1":  "line 2: the list has no place -1",
		"/l/3":   "line 2: the list has no place 3",
		"/l/2":   `line 2: "2" is not written here as it reads`,
		"/l/-":   `line 2: "-" is not written here as it reads`,
		"/l/0":   "",
		"/l/1":   "",
		"/l/0/c": "line 2: a value stands where a map or a list is meant",
		"/l/1/c": `line 3: "c" is not written here as it reads`,
		"/z":     `line 1: "z" is not written here as it reads`,
		"/z/y":   `line 1: "z" is not written here as it reads`,
		"/n/x":   `line 6: "x" comes from a merge key (<<), whose source others may use`,
		"/n/x/y": `line 6: "x" comes from a merge key (<<), whose source others may use`,
		"/q/r":   "line 7: the key has no colon",
		"/q/s":   "",
	} {
		err := edit.Check([]byte(text), 0, [][]engine.Operation{{{Op: "replace", Path: path, Value: "v"}}})[0]
		if said := message(err); said != want {
			t.Errorf("%s: %q, not %q", path, said, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
