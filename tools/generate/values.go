package main

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// trimmed are the characters that the policies trim from words: those of unicode.IsSpace.
const trimmed = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
	"\u2028\u2029\u202f\u205f\u3000"

const (
	spaces = "[" + trimmed + "]*"
	// className is what the schema of headroom.yaml takes as the name of a class.
	className = `[a-z0-9](?:[-a-z0-9]*[a-z0-9])?`
)

// valueSchemas are the definitions of values, by how HR105 reads them.
func valueSchemas(v vocabulary) object {
	text := func(says, pattern string) object {
		return object{{"type", "string"}, {"pattern", pattern}, {"patternErrorMessage", says}}
	}
	rules := spaces + anyOf(v.ruleNames()) + "?" + spaces
	classes := spaces + "(?:" + className + ")?" + spaces
	caps := spaces + anyOf(v.Caps) + spaces
	day := "(?:" + bare(v.Calendar) + ")?"
	schemas := object{
		{"text", object{{"type", "string"}}},
		{"quantity", text("a quantity such as 500m, 2 or 512Mi, more than nothing", v.quantity())},
		// A config may add classes; those that it cannot add are no class ever.
		{"class", append(either(
			"one of "+strings.Join(v.Classes, ", ")+", or a class that headroom.yaml adds",
			object{{"enum", v.Classes}},
			object{{"pattern", "^" + className + "$"}, {"not", object{{"enum", []any{"init", "unclassified", "unknown"}}}}},
		), member{"type", "string"})},
		{"classes", text("classes, with commas between them", "^"+classes+"(?:,"+classes+")*$")},
		{"rules", text("IDs or slugs of rules, with commas between them", "^"+rules+"(?:,"+rules+")*$")},
		{"caps", text("some of "+strings.Join(v.Caps, ", ")+", with commas between them", "^"+caps+"(?:,"+caps+")*$")},
		{"dated", text("date=2026-11-27 over=7d of=cpu-average,memory-peak", "^ *(?:"+v.Dated+")(?: +(?:"+v.Dated+"))* *$")},
		{"pinning", object{{"type", "string"}, {"enum", []any{"static"}}}},
		{"runtime", append(either(
			"one of "+strings.Join(v.Runtimes, ", ")+"; facts may follow, as in go version=1.24",
			object{{"enum", v.Runtimes}}, object{{"pattern", v.runtime()}},
		), member{"type", "string"})},
		{"exemption", append(either(
			"the reason; a last day may stand before it, as in until=2027-01-31; billed by limit",
			object{{"pattern", "^" + spaces + "until=" + spaces + day + spaces + ";" + `[\s\S]*(?:` + v.reason() + ")"}},
			object{{"pattern", v.reason()}, {"not", object{{"pattern", "^" + spaces + "until="}}}},
		), member{"type", "string"})},
	}
	for _, name := range slices.Sorted(maps.Keys(v.Annotated)) {
		fact := "(?:" + v.Facts[name] + ")"
		schemas = append(schemas, member{factsOf(name), text(v.Annotated[name].Expected, "^ *"+fact+"(?: +"+fact+")* *$")})
	}
	return schemas
}

// factsOf is the definition of a runtime's own annotation.
func factsOf(runtime string) string { return runtime + "-facts" }

// quantity is more than nothing: some digit of it is no zero.
func (v vocabulary) quantity() string {
	blanks := "[" + v.Blanks + "]*"
	return "^" + blanks + `\+?(?:[0-9]*[1-9][0-9]*(?:\.[0-9]*)?|[0-9]*\.[0-9]*[1-9][0-9]*)` + v.Suffix + blanks + "$"
}

var codePoint = regexp.MustCompile(`\\x\{([0-9A-F]+)\}`)

// reason is the policies' pattern with its characters as they are: editors know no \x{…}.
func (v vocabulary) reason() string {
	return codePoint.ReplaceAllStringFunc(v.Reason, func(escaped string) string {
		n, err := strconv.ParseInt(codePoint.FindStringSubmatch(escaped)[1], 16, 32)
		if err != nil {
			panic(err)
		}
		return string(rune(n))
	})
}

// runtime is the name of one, and what is known of it. Those of which the same is known stand together.
func (v vocabulary) runtime() string {
	byFact := map[string][]string{}
	for _, name := range v.Runtimes {
		byFact[v.Facts[name]] = append(byFact[v.Facts[name]], name)
	}
	var alternatives []string
	for _, fact := range slices.Sorted(maps.Keys(byFact)) {
		alternatives = append(alternatives, anyOf(byFact[fact])+"(?: +(?:"+fact+"))*")
	}
	return "^" + anyOf(alternatives) + " *$"
}

// bare is a pattern without its anchors.
func bare(pattern string) string { return strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") }

// manifestSchema finds annotations in whole manifests, of all kinds that headroom judges.
func manifestSchema(v vocabulary) object {
	const annotations = "annotations.schema.json#/definitions/"
	metadata := func(members ...member) object {
		return object{{"properties", object(members)}}
	}
	branches := []any{
		branch([]any{"v1"}, []any{"Namespace"}, object{{"metadata", metadata(
			member{"annotations", object{{"$ref", annotations + "namespace"}}},
			member{"labels", object{{"$ref", annotations + "namespaceLabels"}}},
		)}}),
		object{
			{"if", object{{"properties", object{{"kind", object{{"pattern", "List$"}}}}}, {"required", []any{"kind", "items"}}}},
			{"then", object{{"properties", object{{"items", object{{"items", object{{"$ref", "#"}}}}}}}}},
		},
	}
	for _, apiVersion := range slices.Sorted(maps.Keys(v.TemplatePaths)) {
		versions := []any{apiVersion}
		for _, earlier := range slices.Sorted(maps.Keys(v.LaterVersions)) {
			if v.LaterVersions[earlier] == apiVersion {
				versions = append(versions, earlier)
			}
		}
		byPath := map[string][]any{}
		for _, kind := range slices.Sorted(maps.Keys(v.TemplatePaths[apiVersion])) {
			path := strings.Join(v.TemplatePaths[apiVersion][kind], "/")
			byPath[path] = append(byPath[path], kind)
		}
		for _, path := range slices.Sorted(maps.Keys(byPath)) {
			own := metadata(member{"annotations", object{{"$ref", annotations + "workload"}}})
			properties := object{{"metadata", own}}
			if path != "" {
				properties = append(properties, below(strings.Split(path, "/"), object{{"metadata", own}}))
			}
			branches = append(branches, branch(versions, byPath[path], properties))
		}
	}
	return object{
		{"$schema", draft07},
		{"$id", schemaURL + "manifest.schema.json"},
		{"title", "Manifests with annotations of headroom"},
		{"description", "Checks headroom's own annotations and labels; the rest of a manifest is for Kubernetes' schemas."},
		{"type", "object"},
		{"allOf", branches},
	}
}

// branch holds objects of some kinds to properties.
func branch(versions, kinds []any, properties object) object {
	return object{
		{"if", object{
			{"properties", object{
				{"apiVersion", object{{"enum", versions}}}, {"kind", object{{"enum", kinds}}},
			}},
			{"required", []any{"apiVersion", "kind"}},
		}},
		{"then", object{{"properties", properties}}},
	}
}

// below nests properties below keys.
func below(path []string, properties object) member {
	inner := object{{"properties", properties}}
	for _, key := range slices.Backward(path[1:]) {
		inner = object{{"properties", object{{key, inner}}}}
	}
	return member{path[0], inner}
}
