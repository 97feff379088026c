package gatekeeper

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

type object = map[string]any

// parameterSchema is what the API server holds the parameters of a Constraint to.
func parameterSchema() (object, error) {
	text, err := settings.Schema()
	if err != nil {
		return nil, fmt.Errorf("read the config schema: %w", err)
	}
	var schema object
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("read the config schema: %w", err)
	}
	definitions, _ := schema["$defs"].(object)
	config := structural(schema, definitions)
	properties, _ := config["properties"].(object)
	delete(properties, "apiVersion")
	delete(properties, "kind")
	delete(config, "required")
	config["description"] = "As in a headroom.yaml. What is not said stays at its default."
	return object{
		"type": "object",
		"properties": object{
			"severities": object{
				"description": "The severities that this Constraint speaks of; without it every one.",
				"type":        "array",
				"items": object{
					"type": "string",
					"enum": []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo},
				},
			},
			"config": config,
		},
	}, nil
}

// structural says in the words of a CustomResourceDefinition what a JSON schema says. Those
// words are fewer: what has none is left to the policies, which keep the default for a value
// that they cannot read. Defaults are left out: the API server would write them into the
// Constraint, and a later release's could not take effect.
func structural(schema, definitions object) object {
	schema = resolved(schema, definitions)
	out := object{}
	for _, key := range []string{
		"description", "type", "pattern", "minLength", "minItems", "minimum", "maximum", "required", "enum",
	} {
		if value, ok := schema[key]; ok {
			out[key] = value
		}
	}
	// There an exclusive bound is a flag beside the bound.
	for key, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if value, ok := schema[key]; ok {
			out[bound], out[key] = value, true
		}
	}
	if items, ok := schema["items"].(object); ok {
		out["items"] = structural(items, definitions)
	}
	// Named properties and any others exclude each other there.
	if others, ok := schema["additionalProperties"].(object); ok {
		out["additionalProperties"] = structural(others, definitions)
	} else if properties, ok := schema["properties"].(object); ok {
		named := object{}
		for name, property := range properties {
			named[name] = structural(property.(object), definitions)
		}
		out["properties"] = named
	}
	if _, ok := out["type"]; !ok {
		typed(out)
	}
	return out
}

// typed gives a schema the type that the API server wants of each: that of the values it
// lists. Where they have several, anything goes.
func typed(schema object) {
	values, _ := schema["enum"].([]any)
	for _, value := range values {
		if _, ok := value.(string); !ok {
			values = nil
			break
		}
	}
	if len(values) > 0 {
		schema["type"] = "string"
		return
	}
	schema["x-kubernetes-preserve-unknown-fields"] = true
}

// resolved has the definition that a schema refers to, with what it says beside that.
func resolved(schema, definitions object) object {
	reference, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	const prefix = "#/$defs/"
	definition, _ := definitions[reference[len(prefix):]].(object)
	merged := maps.Clone(definition)
	maps.Copy(merged, schema)
	delete(merged, "$ref")
	return merged
}
