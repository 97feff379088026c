package main

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/scenario"
)

// null is how a file leaves a field out.
var null = object{{"type", "null"}}

// scalars are the values of scenario files. Numbers are read as text there: 2 and "2" are one.
func scalars() object {
	const number, units = `([0-9]+\.?[0-9]*|\.[0-9]+)`, "(ns|us|\u00b5s|\u03bcs|ms|s|m|h)"
	const zero = `(0+\.?0*|\.0+)`
	duration := object{
		{"type", "string"},
		{"pattern", `^\+?(` + number + units + `)+$`},
		{"examples", []any{"20ms", "1.5s"}},
	}
	return object{
		{"text", object{{"type", []any{"string", "number", "boolean", "null"}}, {"maxLength", 1000}}},
		{"name", object{{"type", []any{"string", "number", "boolean"}}, {"pattern", `\S`}, {"maxLength", 1000}}},
		{"duration", duration},
		{"durationOrZero", object{{"anyOf", []any{
			refer("duration"),
			object{{"type", "string"}, {"pattern", `^(-(` + zero + units + `)+|[+-]?0)$`}},
			object{{"const", 0}},
		}}}},
		{"limit", object{{"anyOf", []any{
			object{{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", cfs.MaxProcessors}},
			object{
				{"type", "string"},
				{"allOf", []any{
					object{{"pattern", `^([0-9]{1,16}(\.[0-9]{0,3})?|[0-9]{1,15}\.?m)$`}}, object{{"pattern", "[1-9]"}},
				}},
				{"examples", []any{"500m", "1.5"}},
			},
			object{{"const", "none"}},
		}}}},
		{"processors", whole(1, cfs.MaxProcessors)},
	}
}

// whole is a number, also one in quotes.
func whole(least, most int) object {
	return object{{"anyOf", []any{
		object{{"type", "integer"}, {"minimum", least}, {"maximum", most}},
		object{{"type", "string"}, {"pattern", "^[+-]?[0-9]+$"}},
	}}}
}

func refer(name string) object { return object{{"$ref", "#/definitions/" + name}} }

func orNull(schema object) object { return object{{"anyOf", []any{schema, null}}} }

// listOr is a value, or a list of values that are compared.
func listOr(schema object) object {
	return object{{"anyOf", []any{schema, object{
		{"type", "array"}, {"minItems", 1}, {"maxItems", scenario.MaxValues}, {"items", schema},
	}}}}
}

func swept(schema object) object { return orNull(listOr(schema)) }

// layerNames are layers, with the blanks that the reader takes away.
func layerNames(layers ...scenario.Layer) object {
	var names []string
	for _, layer := range layers {
		names = append(names, string(layer))
	}
	return object{{"type", "string"}, {"pattern", `^\s*(` + strings.Join(names, "|") + `)\s*$`}}
}

// described puts words, and perhaps a default, in front of a schema.
func described(words string, schema object, standard ...any) object {
	out := object{{"description", words}}
	if len(standard) > 0 {
		out = append(out, member{"default", standard[0]})
	}
	return append(out, member{"allOf", []any{schema}})
}

// given says that a field is there, and no null.
func given(name string) object {
	return object{
		{"required", []any{name}},
		{"properties", object{{name, object{{"not", null}}}}},
	}
}

// together says that with one field the other has to be there.
func together(one, other string) object {
	return object{{"if", given(one)}, {"then", given(other)}}
}
