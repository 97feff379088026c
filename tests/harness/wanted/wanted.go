// Package wanted takes apart what the findings on memory want, and does it to a manifest: literally, as
// somebody would who reads no more than that line.
package wanted

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Way is one of those that a finding names.
type Way struct {
	Flags []string
	Place string            // the variable that the flags go into, "" where any will do
	Sizes map[string]string // what variables take instead of flags, and Flags are what becomes of it
	Limit string            // of memory
	Other bool              // the request follows the limit
	Facts []string          // what an annotation says of the JVM first; the finding then names the flags
}

var (
	flagText  = regexp.MustCompile(`-X[^ ,;:)]+(:[^ ,;:)]+)?`)
	limitText = regexp.MustCompile(`limits\.memory(?: of |: )(\d+[A-Za-z]*)`)
	sameText  = regexp.MustCompile(` \((-Xmx\d+m)\)`)
	sizesText = regexp.MustCompile(`\b[A-Z][A-Za-z0-9_]*=\d+[kmg]?(?:(?:,| and) [A-Z][A-Za-z0-9_]*=\d+[kmg]?)* \((-Xmx\d+m)\)`)
	sizeText  = regexp.MustCompile(`\b([A-Z][A-Za-z0-9_]*)=(\d+[kmg]?)`)
	factsText = regexp.MustCompile(`^annotate ([a-z=, ]+) \(headroom diagnose POD shows (?:it|them)\), then set -XX:`)
	factText  = regexp.MustCompile(`[a-z]+=`)
	placeText = regexp.MustCompile(` in ([A-Z_][A-Z0-9_]*(?:_[A-Za-z0-9_]+)?)\b`)
)

// unnumbered are texts that ask for facts, caps or a limit first and tell no number.
var unnumbered = regexp.MustCompile(`, then (?:lower the heap or raise the limit|set )|limits\.memory, then|^limits\.memory and -Xmx:`)

// Ways of what HR303 to HR307 and HR406 want. A text that names no number, as where there is no limit
// yet, has none.
func Ways(text string) []Way {
	var found []Way
	if m := factsText.FindStringSubmatch(text); m != nil {
		return []Way{{Facts: factText.FindAllString(m[1], -1)}}
	}
	if unnumbered.MatchString(text) {
		return nil
	}
	for part := range strings.SplitSeq(text, ", or ") {
		way := Way{Other: strings.Contains(part, "requests.memory")}
		if strings.Contains(part, "native= in the annotation") {
			way.Facts = []string{"native="}
		}
		if m := limitText.FindStringSubmatch(part); m != nil {
			way.Limit = m[1]
		}
		if m := sizesText.FindStringSubmatch(part); m != nil {
			way.Sizes, way.Flags = map[string]string{}, m[1:]
			for _, pair := range sizeText.FindAllStringSubmatch(m[0], -1) {
				way.Sizes[pair[1]] = pair[2]
			}
			found = append(found, way)
			continue
		}
		if m := placeText.FindStringSubmatch(part); m != nil {
			way.Place = m[1]
		}
		if m := sameText.FindStringSubmatch(part); m != nil {
			found = append(found, Way{Flags: []string{m[1]}, Place: way.Place, Limit: way.Limit, Other: way.Other})
			part = strings.Replace(part, m[0], "", 1)
		}
		way.Flags = flagText.FindAllString(part, -1)
		if len(way.Flags) > 0 || way.Limit != "" || way.Facts != nil {
			found = append(found, way)
		}
	}
	return found
}

// Follow does to a container of an object what a way asks for. A flag takes the place of an existing one.
// It stands in the variable that wins over all other places, as the old place may have no effect.
func Follow(object map[string]any, container string, way Way) {
	spec, metadata := podOf(object)
	if way.Facts != nil {
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
			metadata["annotations"] = annotations
		}
		key := "jvm.headroom.dev/" + container
		said, _ := annotations[key].(string)
		for _, fact := range way.Facts {
			said += " " + fact + least[fact]
		}
		annotations[key] = strings.TrimSpace(said)
	}
	for _, list := range []string{"containers", "initContainers"} {
		entries, _ := spec[list].([]any)
		for _, entry := range entries {
			c, _ := entry.(map[string]any)
			if c == nil || c["name"] != container {
				continue
			}
			switch {
			case way.Sizes != nil:
				for _, name := range slices.Sorted(maps.Keys(way.Sizes)) {
					setVariable(c, name, func(string) string { return way.Sizes[name] })
				}
			case way.Place != "":
				for _, flag := range way.Flags {
					setVariable(c, way.Place, func(text string) string { return with(text, flag) })
				}
			default:
				for _, flag := range way.Flags {
					setFlag(c, flag)
				}
			}
			if way.Limit != "" {
				setLimit(spec, c, way)
			}
		}
	}
}

// least are facts no larger than what is expected at the least: they tell nothing that was not known to be possible.
var least = map[string]string{"native=": "25Mi", "metaspace=": "6Mi", "direct=": "1Mi"}

func podOf(object map[string]any) (spec, metadata map[string]any) {
	at := object
	for _, path := range [][]string{{"spec", "jobTemplate", "spec", "template"}, {"spec", "template"}} {
		found := object
		for _, key := range path {
			found, _ = found[key].(map[string]any)
		}
		if found != nil {
			at = found
			break
		}
	}
	if _, ok := at["metadata"].(map[string]any); !ok {
		at["metadata"] = map[string]any{}
	}
	spec, _ = at["spec"].(map[string]any)
	return spec, at["metadata"].(map[string]any)
}

// spelled are the other names of a flag, which go with it.
var spelled = map[string]string{"-Xmx": "-XX:MaxHeapSize=", "-Xms": "-XX:InitialHeapSize="}

// setVariable changes a variable of a container, or adds it.
func setVariable(c map[string]any, name string, change func(string) string) {
	env, _ := c["env"].([]any)
	for _, entry := range slices.Backward(env) {
		if e, _ := entry.(map[string]any); e != nil && e["name"] == name {
			text, _ := e["value"].(string)
			e["value"] = change(text)
			return
		}
	}
	c["env"] = append(env, map[string]any{"name": name, "value": change("")})
}

// with is a text with a flag, in the place of the one that there is or behind the others.
func with(text, flag string) string {
	if present := pattern(flag); present.MatchString(text) {
		return present.ReplaceAllString(text, "${1}"+flag)
	}
	return strings.TrimSpace(text + " " + flag)
}

// pattern finds a flag with any value.
func pattern(flag string) *regexp.Regexp {
	name, _, valued := strings.Cut(flag, "=")
	if valued {
		name += "="
	} else {
		name = flag[:len("-Xmx")]
	}
	quoted := regexp.QuoteMeta(name)
	if other := spelled[name]; other != "" {
		quoted = "(?:" + quoted + "|" + regexp.QuoteMeta(other) + ")"
	}
	return regexp.MustCompile(`(^|[\s"'=])` + quoted + `[0-9][^\s"']*`)
}

func setFlag(c map[string]any, flag string) {
	present := pattern(flag)
	change := func(text string) string { return present.ReplaceAllString(text, "${1}"+flag) }
	for _, key := range []string{"command", "args"} {
		words, _ := c[key].([]any)
		for i, word := range words {
			if text, ok := word.(string); ok {
				words[i] = change(text)
			}
		}
	}
	env, _ := c["env"].([]any)
	for _, entry := range env {
		e, _ := entry.(map[string]any)
		if text, ok := e["value"].(string); ok {
			e["value"] = change(text)
		}
	}
	for _, entry := range slices.Backward(env) {
		if e, _ := entry.(map[string]any); e != nil && e["name"] == strongest {
			if text, ok := e["value"].(string); ok {
				e["value"] = text + " " + flag
				return
			}
		}
	}
	c["env"] = append(env, map[string]any{"name": strongest, "value": flag})
}

// strongest is the variable that wins over the command line, whatever a script puts there.
const strongest = "_JAVA_OPTIONS"

func setLimit(spec, c map[string]any, way Way) {
	resources := within(c, "resources")
	limits := within(resources, "limits")
	if _, own := limits["memory"]; !own {
		if pod, ok := spec["resources"].(map[string]any); ok {
			if shared, ok := pod["limits"].(map[string]any); ok && shared["memory"] != nil {
				resources, limits = pod, shared
			}
		}
	}
	limits["memory"] = way.Limit
	requests := within(resources, "requests")
	if _, said := requests["memory"]; said && way.Other {
		requests["memory"] = way.Limit
	}
	if len(requests) == 0 {
		delete(resources, "requests")
	}
}

func within(object map[string]any, key string) map[string]any {
	found, ok := object[key].(map[string]any)
	if !ok {
		found = map[string]any{}
		object[key] = found
	}
	return found
}

// String is the way in words, for a test that fails.
func (w Way) String() string {
	return fmt.Sprintf("%v %v in %q, limit %q, request too: %v, annotated: %v", w.Flags, w.Sizes, w.Place, w.Limit, w.Other, w.Facts)
}
