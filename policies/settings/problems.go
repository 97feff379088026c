//go:build !lean

package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

var printer = message.NewPrinter(language.English)

// flaw is a problem before its line is known.
type flaw struct {
	path []string
	text string
}

// told is what is wrong with a document that is not sound, by a validator that says where.
func told(file, against string, root *yaml.Node, document any) error {
	schema, err := compile(against)
	if err != nil {
		return fmt.Errorf("read the config schema: %w", err)
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(document); errors.As(err, &invalid) {
		return problems(file, against, root, invalid)
	} else if err != nil {
		return Problem{File: file, Line: 1, Message: err.Error()}
	}
	return nil
}

func compile(name string) (*jsonschema.Schema, error) {
	text, err := policies.Files.ReadFile("schema/" + name)
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// problems turns a schema violation into what a person has to change, each at its line.
func problems(file, against string, root *yaml.Node, invalid *jsonschema.ValidationError) error {
	var flaws []flaw
	var visit func(*jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		if len(e.Causes) > 0 && !whole(e.ErrorKind) {
			for _, next := range e.Causes {
				visit(next)
			}
			return
		}
		flaws = append(flaws, flawsOf(against, e)...)
	}
	visit(invalid)
	// A line costs a walk through the file.
	slices.SortFunc(flaws, func(a, b flaw) int { return slices.Compare(a.path, b.path) })
	found := make([]Problem, 0, yamlfile.MaxProblems+1)
	for _, f := range flaws[:min(len(flaws), yamlfile.MaxProblems)] {
		found = append(found, Problem{File: file, Line: lineOf(root, f.path), Message: yamlfile.Told(f.text)})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Line < found[j].Line })
	if more := len(flaws) - len(found); more > 0 {
		found = append(found, Problem{File: file, Line: root.Line, Message: fmt.Sprintf("and %d more problems", more)})
	}
	return yamlfile.Joined(found)
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

// imagesOfLock is where a lock has its images.
var imagesOfLock = []string{"headroom", "image_lock", "images"}

func flawsOf(against string, e *jsonschema.ValidationError) []flaw {
	where := strings.Join(e.InstanceLocation, ".")
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		var all []flaw
		for _, key := range k.Properties {
			path := append(append([]string{}, e.InstanceLocation...), key)
			text := fmt.Sprintf("unknown key %s", strings.Join(path, "."))
			if near := nearest(key, e.InstanceLocation); near != "" {
				text += fmt.Sprintf("; did you mean %s?", near)
			}
			all = append(all, flaw{path, text})
		}
		return all
	case *kind.Required:
		return []flaw{{e.InstanceLocation, fmt.Sprintf("%s is missing", list(k.Missing))}}
	case *kind.AnyOf:
		return []flaw{{
			e.InstanceLocation,
			where + " must be none, peak, measured, allocation, or {timesAverage: a number of at least 1}",
		}}
	case *kind.PropertyNames:
		// Digests of a lock, classes of a config's matrix; the library gives no location for them.
		if against != configSchema {
			return []flaw{{append(slices.Clone(imagesOfLock), k.Property), fmt.Sprintf("%q is no digest", k.Property)}}
		}
		return []flaw{{
			[]string{"matrix", k.Property},
			fmt.Sprintf("matrix.%s cannot be a class name: use lower-case letters, digits and dashes", k.Property),
		}}
	case *kind.FalseSchema:
		return []flaw{{
			e.InstanceLocation,
			where + " cannot be a class name: headroom uses it for containers that have no class",
		}}
	case *kind.Type:
		if path := e.InstanceLocation; against == configSchema && len(path) == 2 && path[0] == "rules" {
			return []flaw{{path, fmt.Sprintf("%s takes a severity, as in %s: {severity: off}", where, path[1])}}
		}
	case *kind.Pattern:
		if k.Want == fewStars {
			return []flaw{{e.InstanceLocation, where + ": a pattern has at most three *"}}
		}
	}
	return []flaw{{e.InstanceLocation, fmt.Sprintf("%s: %s", where, e.ErrorKind.LocalizedString(printer))}}
}

// fewStars is what the schema asks of a pattern.
const fewStars = `^[^*]*(\*[^*]*){0,3}$`

// knownKeys are the keys of each object of the config, for a suggestion.
var knownKeys = map[string][]string{
	"": {
		"apiVersion", "kind", "defaultClass", "tolerance", "matrix", "sidecars", "memory", "jvm", "measured", "rules",
		"ignore", "classes", "images", "kinds", "nodes", "metrics",
	},
	"metrics":  {"exporter", "runtime", "metrics", "metric", "match", "over", "times"},
	"classes":  {"class", "namespace", "labels"},
	"sidecars": {"names", "images", "changeInjected"},
	"memory":   {"headroom", "peak"},
	"jvm":      {"threads", "native", "maxRAMPercentage", "gcPause", "inject"},
	"measured": {"minSamples", "maxAge", "annotationMaxAge"},
	"nodes":    {"kernel", "cgroup", "cores"},
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

// list writes names as a person would read them out.
func list(names []string) string {
	return strings.Join(names, ", ")
}
