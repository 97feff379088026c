package scenario

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// field is a value of a file, or a list of values. Its node is nil where the file has none, or null.
type field struct{ *yaml.Node }

// UnmarshalYAML keeps the node: what it should be depends on the field.
func (f *field) UnmarshalYAML(node *yaml.Node) error {
	f.Node = node
	return nil
}

// The objects of a file, by their keys.
type (
	file struct {
		APIVersion                                                        field `yaml:"apiVersion"`
		Kind, Title, Note, Layer, Processors, Limit, Period, Burst, Loads field
		Busy                                                              field
	}
	load struct {
		Name, Start, Threads, Work, Total, Every, Times field
	}
	busy struct {
		Threads, Duration, Seeds, Slice, Tick, Jitter, Aligned, Rewrite, Remedy field
	}
)

// Keys are those of a file.
func Keys() []string { return keys(file{}) }

// LoadKeys are those of a load.
func LoadKeys() []string { return keys(load{}) }

// BusyKeys are those of busy.
func BusyKeys() []string { return keys(busy{}) }

// keys are those that the YAML library knows for a struct.
func keys(of any) []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
		names = append(names, cmp.Or(f.Tag.Get("yaml"), strings.ToLower(f.Name)))
	}
	return names
}

// reader collects what is wrong, so that a file is corrected in one go.
type reader struct{ yamlfile.Reader }

// need reports a field that is missing from an object.
func (r *reader) need(object *yaml.Node, f field, format string, arguments ...any) {
	if f.Node == nil {
		r.Fail(object, format, arguments...)
	}
}

// decode reads an object, and says whether it is one; each of its keys is one of the known.
func decode[T file | load | busy](r *reader, node *yaml.Node, what string) (object T, is bool) {
	node, known := target(node), keys(object)
	if node.Kind != yaml.MappingNode {
		r.Fail(node, "%s has fields: %s", what, strings.Join(known, ", "))
		return object, false
	}
	sound, lines := *node, map[string]int{}
	sound.Content = nil
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		switch line := lines[key.Value]; {
		case !slices.Contains(known, key.Value):
			r.Fail(key, "unknown key %q; %s", short(key.Value), suggestion(key.Value, what, known))
		case line > 0:
			r.Fail(key, "%s is there twice; it was in line %d", key.Value, line)
		default:
			lines[key.Value] = key.Line
			sound.Content = append(sound.Content, node.Content[i:i+2]...)
		}
	}
	if err := sound.Decode(&object); err != nil {
		r.library(node.Line, err)
	}
	return object, true
}

func suggestion(key, what string, known []string) string {
	best, distance := "", 3
	for _, name := range known {
		if len(key) > 2*len(name)+3 {
			continue // far from it, and slow to compare
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return what + " has " + strings.Join(known, ", ")
}

var placed = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)`)

// library reports what the YAML library says, at the line that it names.
func (r *reader) library(line int, err error) {
	messages := []string{err.Error()}
	if several := (*yaml.TypeError)(nil); errors.As(err, &several) {
		messages = several.Errors
	}
	for _, message := range messages {
		if parts := placed.FindStringSubmatch(message); parts != nil {
			line, _ = strconv.Atoi(parts[1]) // digits of a file's line
			message = parts[2]
		}
		r.Fail(&yaml.Node{Line: max(line, 1)}, "%s", words.WithoutGo(message))
	}
}

// target follows an alias.
func target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// short cuts a value of the file for a message.
func short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
