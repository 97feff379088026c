// Package traced tells which line of a file of values a field comes from that a chart renders. Every value that could
// be one of a container gets a mark, the chart is rendered with the marks, and what stands in a field names the value.
package traced

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// Values are the values of a file, and their marked twins.
type Values struct {
	// Text is what the file says, with a null for each key that only the file before it has: Helm then leaves that out.
	Text []byte
	// Marked is the same with the marks.
	Marked []byte

	root   *yaml.Node
	places [][]step // of each mark
}

// step is a key on the way to a value.
type step struct {
	key  string
	line int
}

// A mark is a number that no manifest has: the first digits are the same, the others say which.
const (
	marks    = 7340_0000
	maxMarks = 9999
)

var (
	marked   = pattern.Lazy(`7340(\d{4})`)
	quantity = pattern.Lazy(`^[0-9]+(?:\.[0-9]+)?(m|[kKMGTPE]i?[bB]?|[kmg][bB]?)$`)
	number   = pattern.Lazy(`^[0-9]+(?:\.[0-9]+)?$`)
	// sized are keys whose numbers may be those of a container; said are those of texts that a program reads.
	sized = pattern.Lazy(`(?i)resources|requests|limits|cpu|mem|heap`)
	said  = pattern.Lazy(`(?i)env|java|jvm|opts|options|flags|args|command|annotations`)
)

// Read reads the text of a file of values. saved is the chart's own file that the text takes the place of, nil for
// another one.
func Read(text, saved []byte) (*Values, error) {
	var document, before yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("read the values: %w", err)
	}
	if document.Kind == 0 { // an empty file
		document = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	if yaml.Unmarshal(saved, &before) == nil && before.Kind != 0 {
		withoutGone(document.Content[0], before.Content[0])
	}
	v := &Values{root: document.Content[0]}
	var err error
	if v.Text, err = yaml.Marshal(&document); err != nil {
		return nil, fmt.Errorf("write the values: %w", err)
	}
	v.mark(v.root, nil)
	if v.Marked, err = yaml.Marshal(&document); err != nil {
		return nil, fmt.Errorf("write the values: %w", err)
	}
	return v, nil
}

// withoutGone sets keys to null that only the values before had.
func withoutGone(now, before *yaml.Node) {
	if now.Kind != yaml.MappingNode || before.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(before.Content); i += 2 {
		key := before.Content[i]
		at := 0
		for at < len(now.Content) && now.Content[at].Value != key.Value {
			at += 2
		}
		if at < len(now.Content) {
			withoutGone(now.Content[at+1], before.Content[i+1])
			continue
		}
		now.Content = append(now.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key.Value},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
	}
}

// mark marks a value and those below it.
func (v *Values) mark(node *yaml.Node, path []step) {
	switch node.Kind {
	case yaml.MappingNode:
		if len(node.Content) == 0 && len(path) > 0 && strings.EqualFold(path[len(path)-1].key, "resources") {
			node.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Value: "marked"}, v.next(path, "", "")}
			return
		}
		for i := 0; i < len(node.Content); i += 2 {
			key := node.Content[i]
			v.mark(node.Content[i+1], append(slices.Clip(path), step{key.Value, key.Line}))
		}
	case yaml.SequenceNode:
		for i, entry := range node.Content {
			v.mark(entry, append(slices.Clip(path), step{strconv.Itoa(i), entry.Line}))
		}
	case yaml.ScalarNode:
		v.markScalar(node, path)
	}
}

func (v *Values) markScalar(node *yaml.Node, path []step) {
	if len(v.places) == maxMarks || node.Line == 0 || len(path) == 0 || node.Tag == "!!bool" || node.Tag == "!!null" {
		return
	}
	text := strings.TrimSpace(node.Value)
	under := func(keys *regexp.Regexp) bool {
		return slices.ContainsFunc(path, func(s step) bool { return keys.MatchString(s.key) })
	}
	unit := quantity().FindStringSubmatch(text)
	switch {
	case unit != nil:
		*node = *v.next(path, "", unit[1])
	case number().MatchString(text) && (under(sized()) || under(said())):
		was := node.Tag
		*node = *v.next(path, "", "")
		if was == "!!str" {
			node.Tag = was
		}
	case node.Tag == "!!str" && (under(said()) || strings.HasPrefix(text, "-")):
		*node = *v.next(path, node.Value+" ", "")
	}
}

// next is another mark.
func (v *Values) next(path []step, before, after string) *yaml.Node {
	mark := strconv.Itoa(marks + len(v.places))
	v.places = append(v.places, path)
	node := &yaml.Node{Kind: yaml.ScalarNode, Value: before + mark + after}
	if before+after != "" {
		node.Tag = "!!str"
	}
	return node
}

// Line is the line, from 1, of the value that a field comes from; 0 where no value is known for it. The object was
// rendered with the marks. Where the field has several values it is the line of the key that leads to all of them. Of a
// field that is not there, what stands around it in the resources of a container counts.
func (v *Values) Line(object map[string]any, pointer string) int {
	var common []step
	for _, mark := range marked().FindAllStringSubmatch(textOf(fieldOf(object, pointer)), -1) {
		n, _ := strconv.Atoi(mark[1]) // four digits
		switch {
		case n >= len(v.places):
		case common == nil:
			common = v.places[n]
		default:
			common = shared(common, v.places[n])
		}
	}
	if common == nil {
		return 0
	}
	return common[len(common)-1].line
}

// fieldOf is what a pointer leads to, or the innermost part of the way that there is. Of a whole container that is what
// its resources are; of more than one container nothing.
func fieldOf(object map[string]any, pointer string) any {
	way, err := jsonpointer.New(pointer)
	if err != nil {
		return nil
	}
	var here any = object
	inner := false
	for _, token := range way.DecodedTokens() {
		var next any
		switch at := here.(type) {
		case map[string]any:
			next = at[token]
		case []any:
			if n, err := strconv.Atoi(token); err == nil && n >= 0 && n < len(at) {
				next = at[n]
			}
		}
		if next == nil {
			break
		}
		here = next
		inner = inner || token == "resources" || token == "env" || token == "annotations"
	}
	fields, isMap := here.(map[string]any)
	if _, isContainer := fields["image"]; isMap && isContainer && !inner {
		return fields["resources"]
	}
	if _, isText := here.(string); !isText && !inner {
		return nil
	}
	return here
}

// textOf is all that stands in a value.
func textOf(value any) string {
	switch value := value.(type) {
	case map[string]any:
		var all []string
		for _, entry := range value {
			all = append(all, textOf(entry))
		}
		return strings.Join(all, " ")
	case []any:
		var all []string
		for _, entry := range value {
			all = append(all, textOf(entry))
		}
		return strings.Join(all, " ")
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// shared is how far two ways are the same; the one that ends first where they are not.
func shared(a, b []step) []step {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	switch {
	case n > 0:
		return a[:n]
	case b[len(b)-1].line < a[len(a)-1].line:
		return b
	}
	return a
}
