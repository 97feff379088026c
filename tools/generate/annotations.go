package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// annotationSchema describes the annotations of a workload, and in its definitions those of
// a Namespace, as HR105 reads them: whatever it lets through is let through here.
func annotationSchema(v vocabulary) (object, error) {
	workload, err := annotationsOf(v, v.Workloads, "workload")
	if err != nil {
		return nil, err
	}
	namespace, err := annotationsOf(v, v.Namespaces, "namespace")
	if err != nil {
		return nil, err
	}
	labels, err := labelsOf(v)
	if err != nil {
		return nil, err
	}
	return object{
		{"$schema", draft07},
		{"$id", schemaURL + "annotations.schema.json"},
		{"title", "Annotations of headroom"},
		{"description", "The annotations of a workload or its pod template. Those of others are left alone."},
		{"allOf", []any{object{{"$ref", "#/definitions/workload"}}}},
		{"definitions", append(object{
			{"workload", workload}, {"namespace", namespace}, {"namespaceLabels", labels},
		}, valueSchemas(v)...)},
	}, nil
}

// annotationsOf describes one vocabulary of keys.
func annotationsOf(v vocabulary, readers map[string]string, on string) (object, error) {
	properties, patterns, snippets := object{}, object{}, []any{}
	var prefixes []string
	for _, key := range slices.Sorted(maps.Keys(readers)) {
		word, ok := v.word(on, key)
		if !ok {
			return nil, fmt.Errorf("the schema of annotations has no words for %s on a %s", key, on)
		}
		schema := object{{"description", word.says}}
		if word.example != "" {
			schema = append(schema, member{"examples", []any{word.example}})
		}
		schema = append(schema, member{"allOf", []any{object{{"$ref", "#/definitions/" + valueOf(key, readers[key])}}}})
		if !strings.HasSuffix(key, ".") {
			properties = append(properties, member{"headroom.dev/" + key, schema})
			continue
		}
		prefixes = append(prefixes, key)
		patterns = append(patterns, member{"^" + regexp.QuoteMeta(key+"headroom.dev/"), schema})
		name := "container"
		if !slices.Contains(v.Containers, key) {
			name = "rule"
		}
		snippets = append(snippets, object{
			{"label", key + "headroom.dev/<" + name + ">"},
			{"description", word.says},
			{"body", object{{key + "headroom.dev/${1:" + name + "}", "${2:" + word.example + "}"}}},
		})
	}
	schema := object{{"type", []string{"object", "null"}}, {"properties", properties}}
	if len(patterns) > 0 {
		schema = append(schema, member{"patternProperties", patterns})
	}
	schema = append(schema, member{"propertyNames", either(
		"headroom knows no such annotation on a "+on, knownNames(v, readers, prefixes)...,
	)})
	if len(snippets) > 0 {
		schema = append(schema, member{"defaultSnippets", snippets})
	}
	return schema, nil
}

// word is what an editor shows of a key; a runtime has its own for its annotation.
func (v vocabulary) word(on, key string) (word, bool) {
	if own, ok := v.Annotated[strings.TrimSuffix(key, ".")]; ok {
		return word{own.Says, own.Example}, true
	}
	found, ok := words[on+" "+key]
	return found, ok
}

// ours are the keys of which HR105 speaks; no key of Kubernetes has a second slash.
const ours = `^([^/]*\.)?headroom\.dev/[^/]*$`

// knownNames are keys of others, and those that mean something.
func knownNames(v vocabulary, readers map[string]string, prefixes []string) []object {
	var plain []any
	for _, key := range slices.Sorted(maps.Keys(readers)) {
		if !strings.HasSuffix(key, ".") {
			plain = append(plain, "headroom.dev/"+key)
		}
	}
	names := []object{{{"enum", plain}}}
	var containers []string
	for _, prefix := range prefixes {
		if slices.Contains(v.Containers, prefix) {
			containers = append(containers, regexp.QuoteMeta(strings.TrimSuffix(prefix, ".")))
		} else {
			pattern := "^" + regexp.QuoteMeta(prefix+"headroom.dev/") + anyOf(v.ruleNames()) + "$"
			names = append(names, object{{"pattern", pattern}})
		}
	}
	if len(containers) > 0 {
		names = append(names, object{{"pattern", "^" + anyOf(containers) + `\.headroom\.dev/[^/]+$`}})
	}
	return append(names, object{{"not", object{{"pattern", ours}}}})
}

// ruleNames are the IDs and slugs of all rules.
func (v vocabulary) ruleNames() []string {
	return append(slices.Sorted(maps.Keys(v.Rules)), slices.Sorted(maps.Keys(v.Slugs))...)
}

// labelsOf describes the labels of a Namespace.
func labelsOf(v vocabulary) (object, error) {
	properties := object{}
	var known []any
	for _, name := range slices.Sorted(maps.Keys(v.Labels)) {
		word, ok := words["label "+name]
		if !ok {
			return nil, fmt.Errorf("the schema of annotations has no words for the label %s", name)
		}
		properties = append(properties, member{"headroom.dev/" + name, object{
			{"description", word.says}, {"enum", v.Labels[name]},
		}})
		known = append(known, "headroom.dev/"+name)
	}
	return object{
		{"type", []string{"object", "null"}},
		{"properties", properties},
		{"propertyNames", either(
			"headroom knows no such label on a Namespace",
			object{{"enum", known}}, object{{"not", object{{"pattern", `^headroom\.dev/`}}}},
		)},
	}, nil
}

// valueOf names the definition of a key's values.
func valueOf(key, reads string) string {
	switch {
	case reads == "cpu" || reads == "memory" || reads == "cores":
		return "quantity"
	case reads == "" && key == "applied":
		return "text"
	case reads == "":
		return "class"
	case reads == "facts":
		return factsOf(strings.TrimSuffix(key, "."))
	default:
		return reads
	}
}

// either is what one of some schemas lets through. An editor shows the complaint of one of
// them, so each says the same.
func either(complaint string, alternatives ...object) object {
	branches := make([]any, len(alternatives))
	for i, alternative := range alternatives {
		branches[i] = append(alternative, member{"errorMessage", complaint})
	}
	return object{{"anyOf", branches}}
}

// anyOf is a group of alternatives.
func anyOf(alternatives []string) string { return "(?:" + strings.Join(alternatives, "|") + ")" }
