package settings

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

var yamlLine = regexp.MustCompile(`line (\d+):? ?`)

// syntaxProblem takes the line out of the YAML library's message.
func syntaxProblem(file string, err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
	problem := Problem{File: file, Line: 1}
	if at := yamlLine.FindStringSubmatch(text); at != nil {
		problem.Line, _ = strconv.Atoi(at[1])
		text = yamlLine.ReplaceAllString(text, "")
	}
	problem.Message = "is not valid YAML: " + text
	return problem
}

var printer = message.NewPrinter(language.English)

// problems turns a schema violation into what a person has to change, each at its line.
func problems(file string, root *yaml.Node, invalid *jsonschema.ValidationError) error {
	var found []Problem
	var visit func(*jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		if len(e.Causes) > 0 && !whole(e.ErrorKind) {
			for _, next := range e.Causes {
				visit(next)
			}
			return
		}
		found = append(found, problemsOf(file, root, e)...)
	}
	visit(invalid)
	return joined(found)
}

// whole says that an error tells more than its causes do: the branches of an alternative
// that failed, or the pattern that a name broke.
func whole(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.AnyOf, *kind.PropertyNames:
		return true
	default:
		return false
	}
}

func problemsOf(file string, root *yaml.Node, e *jsonschema.ValidationError) []Problem {
	where := strings.Join(e.InstanceLocation, ".")
	at := func(path []string, text string) Problem {
		return Problem{File: file, Line: lineOf(root, path), Message: text}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		var all []Problem
		for _, key := range k.Properties {
			path := append(append([]string{}, e.InstanceLocation...), key)
			text := fmt.Sprintf("unknown key %s", strings.Join(path, "."))
			if near := nearest(key, e.InstanceLocation); near != "" {
				text += fmt.Sprintf("; did you mean %s?", near)
			}
			all = append(all, at(path, text))
		}
		return all
	case *kind.Required:
		return []Problem{at(e.InstanceLocation, fmt.Sprintf("%s is missing", list(k.Missing)))}
	case *kind.AnyOf:
		return []Problem{at(e.InstanceLocation,
			where+" must be none, peak, measured, allocation, or {timesAverage: a number of at least 1}")}
	case *kind.PropertyNames:
		// Only the matrix restricts its names; the library gives no location for them.
		return []Problem{at([]string{"matrix", k.Property},
			fmt.Sprintf("matrix.%s cannot be a class name: use lower-case letters, digits and dashes", k.Property))}
	case *kind.FalseSchema:
		return []Problem{at(e.InstanceLocation,
			where+" cannot be a class name: headroom uses it for containers that have no class")}
	default:
		return []Problem{at(e.InstanceLocation, fmt.Sprintf("%s: %s", where, k.LocalizedString(printer)))}
	}
}

// knownKeys are the keys of each object of the config, for a suggestion.
var knownKeys = map[string][]string{
	"": {
		"apiVersion", "kind", "defaultClass", "tolerance", "matrix", "sidecars", "memory", "jvm", "measured", "rules",
		"ignore", "classes", "images", "kinds",
	},
	"classes":  {"class", "namespace", "labels"},
	"sidecars": {"names", "images"},
	"memory":   {"headroom", "peak"},
	"jvm":      {"threads", "native", "maxRAMPercentage", "gcPause", "inject"},
	"measured": {"minSamples", "maxAge"},
	"rules":    {"severity"},
	"ignore":   {"rules", "namespace", "kind", "name", "container", "reason", "until"},
	"matrix":   {"request", "limit"},
}

// nearest is the known key that a typo is closest to, "" when none is near.
func nearest(key string, location []string) string {
	section := ""
	if len(location) > 0 {
		section = location[0]
	}
	best, distance := "", 3
	for _, known := range knownKeys[section] {
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(known)); d < distance {
			best, distance = known, d
		}
	}
	return best
}

// lineOf is the line of the key that path ends in, or of the last one on the way that is
// there.
func lineOf(node *yaml.Node, path []string) int {
	line := node.Line
	for _, step := range path {
		if node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		switch node.Kind {
		case yaml.MappingNode:
			next := -1
			for i := 0; i+1 < len(node.Content); i += 2 {
				if node.Content[i].Value == step {
					next = i
				}
			}
			if next < 0 {
				return line
			}
			line = node.Content[next].Line
			node = node.Content[next+1]
		case yaml.SequenceNode:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node.Content) {
				return line
			}
			node = node.Content[i]
			line = node.Line
		default:
			return line
		}
	}
	return line
}
