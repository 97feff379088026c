//go:build integration

package fixfiles_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	goyaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// a form is another way to write what a file has; nil where it cannot be.
type form struct {
	name string
	make func(t *testing.T, text []byte) []byte
	// cut: values over several lines get nothing but something in front, and the rest is left.
	cut bool
}

var forms = []form{
	{"carriage returns", func(_ *testing.T, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}, false},
	{"old line ends", func(_ *testing.T, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))
	}, false},
	{"mixed line ends", func(_ *testing.T, text []byte) []byte {
		half := len(text) / 2
		return append(bytes.ReplaceAll(text[:half:half], []byte("\n"), []byte("\r\n")), text[half:]...)
	}, false},
	{"a byte order mark", func(_ *testing.T, text []byte) []byte { return append([]byte("\ufeff"), text...) }, false},
	{"no end of the last line", func(_ *testing.T, text []byte) []byte { return bytes.TrimRight(text, "\n") }, false},
	{"comments behind every line", noisy, false},
	{"indented by four", func(t *testing.T, text []byte) []byte { return rewritten(t, text, 4, nil) }, false},
	{"in braces", func(t *testing.T, text []byte) []byte {
		return rewritten(t, text, 2, func(n *goyaml.Node, depth int) {
			if depth > 4 && len(n.Content) > 0 {
				n.Style |= goyaml.FlowStyle
			}
		})
	}, false},
	{"single quotes", func(t *testing.T, text []byte) []byte { return rewritten(t, text, 2, style(goyaml.SingleQuotedStyle)) }, false},
	{"double quotes", func(t *testing.T, text []byte) []byte { return rewritten(t, text, 2, style(goyaml.DoubleQuotedStyle)) }, false},
	{"block scalars", func(t *testing.T, text []byte) []byte { return rewritten(t, text, 2, style(goyaml.LiteralStyle)) }, true},
	{"folded scalars", func(t *testing.T, text []byte) []byte { return rewritten(t, text, 2, style(goyaml.FoldedStyle)) }, true},
	{"anchors that nobody uses", func(t *testing.T, text []byte) []byte {
		n := 0
		return rewritten(t, text, 2, func(node *goyaml.Node, _ int) {
			n++
			node.Anchor = fmt.Sprintf("a%d", n)
		})
	}, false},
	{"JSON", func(t *testing.T, text []byte) []byte { return asJSON(t, text, "") }, false},
	{"indented JSON", func(t *testing.T, text []byte) []byte { return asJSON(t, text, "    ") }, false},
	{"JSON with tabs", func(t *testing.T, text []byte) []byte { return asJSON(t, text, "\t") }, false},
	{"a List", inList, false},
	{"between others", func(_ *testing.T, text []byte) []byte {
		const other = "# first\t{{\n--- # marker\nkind: ConfigMap\napiVersion: v1\ndata: {a: |-\n b}\n"
		head := strings.Replace(other, "{a: |-\n b}", "\n  a: |+\n    --- no\n    {{ x }}\n\n", 1)
		head = strings.ReplaceAll(head, "{{\n", "\n") + "---\n"
		return []byte(head + string(text) + "\n---\n# nothing\n---\njust: a map\n...\n# end\n")
	}, false},
	{"long lines", func(_ *testing.T, text []byte) []byte {
		return bytes.Replace(text, []byte("\nmetadata:"), []byte("\n# "+strings.Repeat("long ", 9000)+"\nmetadata:"), 1)
	}, false},
}

// noisy puts comments, with tabs and what looks like YAML in them, wherever the text still
// reads the same.
func noisy(t *testing.T, text []byte) []byte {
	t.Helper()
	want := encode(documents(t, text))
	out := text
	for i, line := range strings.SplitAfter(string(text), "\n") {
		noise := strings.TrimSuffix(line, "\n") + fmt.Sprintf(" #\t%d: {\t- 'x\n\t# {[&*!\n", i)
		marked := strings.Replace(string(out), line, noise, 1)
		if strings.TrimSpace(line) != "" && strings.Count(string(out), line) == 1 && reads(t, []byte(marked), want) {
			out = []byte(marked)
		}
	}
	return out
}

func reads(t *testing.T, text []byte, want string) bool {
	t.Helper()
	return encode(documents(t, text)) == want
}

func style(s goyaml.Style) func(*goyaml.Node, int) {
	return func(n *goyaml.Node, _ int) {
		if n.Kind == goyaml.ScalarNode && n.Tag == "!!str" {
			n.Style = s
		}
	}
}

// rewritten writes each document anew, each of its values as visit wants it. Keys stay.
func rewritten(t *testing.T, text []byte, indent int, visit func(*goyaml.Node, int)) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := goyaml.NewEncoder(&out)
	encoder.SetIndent(indent)
	for _, part := range parts(t, text) {
		var root goyaml.Node
		if err := goyaml.Unmarshal(part, &root); err != nil || len(root.Content) == 0 {
			return nil
		}
		if visit != nil {
			values(root.Content[0], 0, visit)
		}
		if err := encoder.Encode(&root); err != nil {
			t.Fatal(err)
		}
	}
	if err := encoder.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func values(n *goyaml.Node, depth int, visit func(*goyaml.Node, int)) {
	visit(n, depth)
	for i, c := range n.Content {
		if n.Kind != goyaml.MappingNode || i%2 == 1 {
			values(c, depth+1, visit)
		}
	}
}

func asJSON(t *testing.T, text []byte, indent string) []byte {
	t.Helper()
	all := parts(t, text)
	if len(all) != 1 {
		return nil
	}
	out, err := yaml.YAMLToJSON(all[0])
	if err != nil {
		return nil
	}
	if indent == "" {
		return out
	}
	var b bytes.Buffer
	if err := json.Indent(&b, out, "", indent); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// inList makes items of a file's documents.
func inList(t *testing.T, text []byte) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems: # all of them\n")
	for _, part := range parts(t, text) {
		body := strings.TrimLeft(strings.TrimPrefix(string(part), "---"), "\n")
		body = strings.ReplaceAll(strings.TrimRight(body, "\n"), "\n", "\n    ")
		b.WriteString("  -\n    " + body + "\n")
	}
	return []byte(b.String())
}

// TestHostile writes what is wrong on purpose in every form, and fixes it.
func TestHostile(t *testing.T) {
	s := *with(t, eager)
	s.quick = true // TestCorpus asks the webhook about them
	files := map[string][]byte{}
	for _, root := range []string{"../../../samples/wrong", "../../../policies/rego/headroom/rules"} {
		prefix := map[bool]string{true: "", false: "bad"}[strings.HasSuffix(root, "wrong")]
		for name, text := range manifests(t, root, prefix) {
			files[strings.ReplaceAll(name, "/", "-")] = text
		}
	}
	plain := s.check(t, folderOf(t, t.TempDir(), files))
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			formed := map[string][]byte{}
			for name, text := range files {
				made := f.make(t, text)
				if made == nil {
					continue
				}
				if strings.Contains(f.name, "JSON") {
					name += ".json"
				}
				formed[name] = made
			}
			sum := s.check(t, folderOf(t, t.TempDir(), formed))
			t.Logf("%+v of %+v", sum, plain)
			if f.cut {
				sum.left -= sum.why["a value over several lines would have to be cut"]
			}
			if sum.left > 0 || sum.objects < plain.objects*2/3 {
				t.Errorf("%+v of %+v", sum, plain)
			}
		})
	}
}
