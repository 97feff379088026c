//go:build integration

package fixfiles_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	goyaml "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/tests/harness/random"
)

// TestGenerated fixes files that people would not write: any workload, any style for each of
// its values, any line ends, and other documents around it.
func TestGenerated(t *testing.T) {
	s := with(t, eager)
	dir := t.TempDir()
	sum := tally{why: map[string]int{}}
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		made := random.New(t)
		delete(made.Around, "owners") // files have no owners
		// The status of a ResourceQuota counts in files alone, as docs/fix.md says.
		for _, quota := range made.Around["resource_quotas"] {
			delete(quota, "status")
		}
		w := &writer{T: t}
		text := w.file(made)
		if err := os.WriteFile(filepath.Join(dir, "x.yaml"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		kept += w.kept
		sum.add(s.check(t, dir))
	})
	t.Logf("%+v, %d documents in their styles", sum, kept)
	if sum.objects < 10 || sum.fixedPods < 10 || kept < 20 {
		t.Errorf("%+v", sum)
	}
	for why := range sum.why {
		if !known(why) {
			t.Errorf("left alone: %s", why)
		}
	}
}

// known says whether an edit may be refused for a reason.
func known(why string) bool {
	for _, reason := range []string{"alias", "anchor", "several lines", "without a newline", "comment"} {
		if strings.Contains(why, reason) {
			return true
		}
	}
	return false
}

// writer writes objects in any style.
type writer struct {
	*rapid.T
	anchors map[string]string // of scalars, by value
	kept    int               // documents that are in the styles that were drawn
}

func (w *writer) chance(percent int, label string) bool {
	return rapid.IntRange(1, 100).Draw(w.T, label) <= percent
}

func (w *writer) file(made random.Object) []byte {
	var documents []any
	for _, list := range made.Around {
		for _, o := range list {
			documents = append(documents, o)
		}
	}
	documents = append(documents, made.Object)
	var b bytes.Buffer
	for _, document := range documents {
		b.WriteString(rapid.SampledFrom([]string{"---\n", "--- # a\tb\n", "---\n# {{\n---\n", "---\na: 1\n---\n"}).Draw(w.T, "head"))
		b.Write(w.document(document))
	}
	text := strings.ReplaceAll(b.String(), "# {{\n", "# {\n")
	switch rapid.SampledFrom([]string{"lf", "lf", "crlf", "cr", "mixed", "bom", "open"}).Draw(w.T, "ends") {
	case "crlf":
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case "cr":
		text = strings.ReplaceAll(text, "\n", "\r")
	case "mixed":
		text = strings.Replace(text, "\n", "\r\n", strings.Count(text, "\n")/2)
	case "bom":
		text = "\ufeff" + text
	case "open":
		text = strings.TrimRight(text, "\n")
	}
	return []byte(text)
}

// document writes an object; as JSON where the styles have made something else of it.
func (w *writer) document(o any) []byte {
	plain := []byte(encode(o) + "\n")
	var root goyaml.Node
	if err := goyaml.Unmarshal(plain, &root); err != nil {
		w.Fatal(err)
	}
	w.anchors = map[string]string{}
	w.styled(root.Content[0], w.chance(30, "aliases"), false)
	var b bytes.Buffer
	encoder := goyaml.NewEncoder(&b)
	encoder.SetIndent(rapid.IntRange(1, 5).Draw(w.T, "indent"))
	if err := encoder.Encode(&root); err != nil || !w.same(b.Bytes(), o) {
		return plain
	}
	w.kept++
	return b.Bytes()
}

func (w *writer) same(text []byte, o any) bool {
	all := documents(w.T, text)
	return len(all) == 1 && encode(all[0]) == encode(o)
}

// styled gives values styles, comments and anchors; in braces no comments, which the library
// does not know how to write there.
func (w *writer) styled(n *goyaml.Node, aliases, flow bool) {
	n.Style = 0
	if n.Kind == goyaml.ScalarNode {
		w.scalar(n, aliases, flow)
		return
	}
	if flow || w.chance(10, "flow") {
		flow, n.Style = true, goyaml.FlowStyle
	}
	if w.chance(3, "anchor") {
		w.anchors[fmt.Sprint("#", len(w.anchors))] = ""
		n.Anchor = fmt.Sprint("x", len(w.anchors))
	}
	for i, c := range n.Content {
		if n.Kind == goyaml.MappingNode && i%2 == 0 {
			c.Style = 0
			if !flow && w.chance(10, "head") {
				c.HeadComment = "# h\tk: v\n#\n# - a"
			}
			continue
		}
		w.styled(c, aliases, flow)
	}
}

func (w *writer) scalar(n *goyaml.Node, aliases, flow bool) {
	if !flow && w.chance(10, "comment") {
		n.LineComment = "# l\t{ - '"
	}
	if n.Tag != "!!str" {
		return
	}
	styles := []goyaml.Style{0, 0, 0, goyaml.SingleQuotedStyle, goyaml.DoubleQuotedStyle}
	if !flow && w.chance(20, "block") {
		styles = []goyaml.Style{goyaml.LiteralStyle, goyaml.FoldedStyle}
	}
	n.Style = rapid.SampledFrom(styles).Draw(w.T, "style")
	w.alias(n, aliases)
}

// alias lets a value come from the first one that is the same.
func (w *writer) alias(n *goyaml.Node, aliases bool) {
	if !aliases || n.Value == "" {
		return
	}
	if name, ok := w.anchors[n.Value]; ok && w.chance(30, "alias") {
		*n = goyaml.Node{Kind: goyaml.AliasNode, Value: name, Alias: &goyaml.Node{Anchor: name}}
		return
	}
	if _, ok := w.anchors[n.Value]; !ok && w.chance(30, "anchor") {
		name := fmt.Sprint("v", len(w.anchors))
		w.anchors[n.Value] = name
		n.Anchor = name
	}
}
