package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	yamlv2 "go.yaml.in/yaml/v2"
	"go.yaml.in/yaml/v3"
)

// writingStyle is how values are written in one part of a file.
type writingStyle struct {
	json   bool
	quote  style // the quotes that are used where some are needed: single, or else double
	always bool  // strings are quoted though they need not be
	like   map[string]habit
	step   int    // columns by which a map lies further in than its key
	indent int    // columns by which a list lies further in than its key
	dash   int    // blanks behind a dash
	unit   string // by which lines inside of braces lie further in
	pad    string // inside of braces on one line
	colon  string // in braces, as comma
	comma  string
}

// forKey is the style of the value of a key.
func (m writingStyle) forKey(key string) writingStyle {
	if h, ok := m.like[key]; ok {
		m.always, m.quote = h.always, h.quote
	}
	return m
}

// scalar writes a string, number, bool or null.
func (m writingStyle) scalar(value any, flow bool) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return m.text(value, flow)
	default:
		return fmt.Sprint(value)
	}
}

// text writes a string, in quotes where it needs them or its neighbours have them.
func (m writingStyle) text(text string, flow bool) string {
	switch {
	case m.json:
		return quoted(text)
	case !m.always && bare(text, flow):
		return text
	case m.quote == single && printable(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return quoted(text)
}

// key writes a map's key: quotes only where they are needed.
func (m writingStyle) key(text string, flow bool) string {
	m.always = false
	return m.text(text, flow)
}

// bare says whether a string stays that string without quotes, for every reader: YAML 1.1
// knows more words and numbers than 1.2 does.
func bare(text string, flow bool) bool {
	if !printable(text) || flow && strings.ContainsAny(text, ",[]{}") {
		return false
	}
	written, err := yaml.Marshal(text)
	if err != nil || string(written) != text+"\n" {
		return false
	}
	document := "k: " + text
	if flow {
		document = "{k: " + text + "}"
	}
	var read map[string]any
	_ = yamlv2.Unmarshal([]byte(document), &read) // with an error, nothing is read
	return read["k"] == any(text)
}

// printable says whether a string can stand on a line as it is.
func printable(text string) bool {
	for _, r := range text {
		if r == unicode.ReplacementChar || r == '\ufeff' || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// quoted writes a string in double quotes as JSON does, which YAML reads the same, and
// escapes what YAML does not take as it is.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""` // no string fails
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if r >= 0x7f && r <= 0xa0 || r == '\ufeff' || r == '\ufffe' || r == '\uffff' {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}
