package edit

import (
	"maps"
	"slices"
	"strings"
)

func spaces(n int) string { return strings.Repeat(" ", n) }

// keys gives a map's keys in the order in which they are written: a name comes first, as
// people have it in lists of variables and containers.
func keys(object map[string]any) []string {
	sorted := slices.Sorted(maps.Keys(object))
	if i := slices.Index(sorted, "name"); i > 0 {
		sorted = slices.Insert(slices.Delete(sorted, i, i+1), 0, "name")
	}
	return sorted
}

// isEmpty says whether a value is a collection without anything in it, or no collection.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return true
}

// field writes "key: value" in block style. The first line has no indentation, as the caller
// knows what stands in front of it; no line has an end.
func (m writingStyle) field(key string, value any, column int) string {
	return m.key(key, false) + ":" + m.forKey(key).behind(value, column, m.indent)
}

// behind writes what follows a colon or a dash: on the same line, or below and indented
// against column.
func (m writingStyle) behind(value any, column, indent int) string {
	if isEmpty(value) {
		return " " + m.inline(value, false, "")
	}
	var b strings.Builder
	switch value := value.(type) {
	case map[string]any:
		for _, key := range keys(value) {
			b.WriteString("\n" + spaces(column+m.step) + m.field(key, value[key], column+m.step))
		}
	case []any:
		for _, item := range value {
			b.WriteString("\n" + spaces(column+indent) + m.item(item, column+indent))
		}
	}
	return b.String()
}

// item writes "- value" in block style, at the column of its dash.
func (m writingStyle) item(value any, column int) string {
	inner := column + 1 + m.dash
	var parts []string
	switch value := value.(type) {
	case map[string]any:
		for _, key := range keys(value) {
			parts = append(parts, m.field(key, value[key], inner))
		}
	case []any:
		for _, item := range value {
			parts = append(parts, m.item(item, inner))
		}
	}
	if len(parts) == 0 {
		parts = []string{m.inline(value, false, "")}
	}
	return "-" + spaces(m.dash) + strings.Join(parts, "\n"+spaces(inner))
}

// inline writes a value in flow style. With a line (a newline and its indentation) each entry
// of a collection gets a line of its own, as in JSON that is made to be read.
func (m writingStyle) inline(value any, flow bool, line string) string {
	var parts []string
	open, shut := "{", "}"
	switch value := value.(type) {
	case map[string]any:
		for _, key := range keys(value) {
			parts = append(parts, m.pair(key, value[key], m.deeper(line)))
		}
	case []any:
		open, shut = "[", "]"
		for _, item := range value {
			parts = append(parts, m.inline(item, true, m.deeper(line)))
		}
	default:
		return m.scalar(value, flow)
	}
	switch {
	case len(parts) == 0:
		return open + shut
	case line != "":
		return open + m.deeper(line) + strings.Join(parts, ","+m.deeper(line)) + line + shut
	case open == "[":
		return open + strings.Join(parts, m.comma) + shut
	}
	return open + m.pad + strings.Join(parts, m.comma) + m.pad + shut
}

func (m writingStyle) deeper(line string) string {
	if line == "" {
		return ""
	}
	return line + m.unit
}

// pair writes "key: value" in flow style.
func (m writingStyle) pair(key string, value any, line string) string {
	return m.key(key, true) + m.colon + m.forKey(key).inline(value, true, line)
}
