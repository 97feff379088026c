package cel

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Literal writes a JSON value as CEL. CEL's lists and maps hold one type each; where a value
// mixes several, each is given as dyn.
func Literal(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return number(v)
	case string:
		return text(v)
	case []any:
		return "[" + strings.Join(written(v, mixed(v)), ", ") + "]"
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		values := make([]any, 0, len(keys))
		for _, key := range keys {
			values = append(values, v[key])
		}
		entries := written(values, mixed(values))
		for i, key := range keys {
			entries[i] = text(key) + ": " + entries[i]
		}
		return "{" + strings.Join(entries, ", ") + "}"
	default:
		panic("no JSON value") // what JSON's decoder gives is above
	}
}

func written(values []any, mixed bool) []string {
	out := make([]string, 0, len(values))
	for _, value := range values {
		literal := Literal(value)
		if mixed {
			literal = "dyn(" + literal + ")"
		}
		out = append(out, literal)
	}
	return out
}

// number keeps whole numbers whole: CEL tells 2 from 2.0, JSON does not.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// text prefers a raw string for a pattern, which people then can read.
func text(s string) string {
	if strings.Contains(s, `\`) && !strings.ContainsAny(s, "\"\n\r") && printable(s) {
		return `r"` + s + `"`
	}
	if strings.ContainsAny(s, `'\`) || !printable(s) {
		return strconv.QuoteToASCII(s)
	}
	return "'" + s + "'"
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}

func mixed(values []any) bool {
	for _, value := range values {
		if typeOf(value) != typeOf(values[0]) {
			return true
		}
	}
	return false
}

// typeOf is the type that CEL's checker would give the literal.
func typeOf(value any) string {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return "list()"
		}
		if mixed(v) {
			return "list(dyn)"
		}
		return "list(" + typeOf(v[0]) + ")"
	case map[string]any:
		values := slices.Collect(maps.Values(v))
		if len(values) == 0 {
			return "map()"
		}
		if mixed(values) {
			return "map(dyn)"
		}
		return "map(" + typeOf(values[0]) + ")"
	case float64:
		if strings.Contains(number(v), ".") {
			return "double"
		}
		return "int"
	case string:
		return "string"
	case bool:
		return "bool"
	default:
		return "null"
	}
}
