package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/headroom-dev/headroom/policies/settings"
)

const (
	schemaDir = "docs/schema"
	schemaURL = "https://headroom.dev/schema/v1alpha1/"
	draft07   = "http://json-schema.org/draft-07/schema#"
)

// schemas are what editors check files by: the config, annotations, whole manifests, and scenarios.
func schemas() ([]generated, error) {
	config, err := configSchema()
	if err != nil {
		return nil, err
	}
	v, err := readVocabulary(context.Background())
	if err != nil {
		return nil, err
	}
	annotations, err := annotationSchema(v)
	if err != nil {
		return nil, err
	}
	scenarios, err := scenarioSchema()
	if err != nil {
		return nil, err
	}
	var files []generated
	for _, f := range []struct {
		name   string
		schema any
	}{
		{"headroom.schema.json", config},
		{"annotations.schema.json", annotations},
		{"manifest.schema.json", manifestSchema(v)},
		{"scenario.schema.json", scenarios},
	} {
		text, err := written(f.schema)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.name, err)
		}
		files = append(files, generated{filepath.Join(schemaDir, f.name), text})
	}
	return files, nil
}

// configSchema is the schema that settings are checked with, in the words of draft 7, which is what
// editors know. It has definitions by their old name, and nothing beside a $ref, since what stands
// beside one does not count there.
func configSchema() (any, error) {
	text, err := settings.Schema()
	if err != nil {
		return nil, err
	}
	schema, err := readJSON(text)
	if err != nil {
		return nil, fmt.Errorf("read the config schema: %w", err)
	}
	return inDraft07(schema), nil
}

func inDraft07(value any) any {
	switch value := value.(type) {
	case object:
		out := object{}
		for _, m := range value {
			switch reference, _ := m.value.(string); {
			case m.key == "$schema":
				m.value = draft07
			case m.key == "$defs":
				m = member{"definitions", inDraft07(m.value)}
			case m.key == "$ref" && len(value) > 1:
				m = member{"allOf", []any{object{{"$ref", definition(reference)}}}}
			case m.key == "$ref":
				m.value = definition(reference)
			default:
				m.value = inDraft07(m.value)
			}
			out = append(out, m)
		}
		return out
	case []any:
		for i := range value {
			value[i] = inDraft07(value[i])
		}
		return value
	default:
		return value
	}
}

func definition(reference string) string {
	const old = "#/$defs/"
	if len(reference) > len(old) && reference[:len(old)] == old {
		return "#/definitions/" + reference[len(old):]
	}
	return reference
}
