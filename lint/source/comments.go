package source

import (
	"bytes"
	"encoding/json"
)

const (
	reasonComments = "JSON with comments, not a Kubernetes object"
	reasonTemplate = "a template, not a Kubernetes object"
)

// notYetJSON says why a text that is no JSON is not meant for Kubernetes; "" where it may be.
func notYetJSON(text []byte) string {
	switch {
	case withComments(text):
		return reasonComments
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("{{")) && !bytes.Contains(text, []byte("apiVersion")):
		return reasonTemplate
	}
	return ""
}

// withComments says whether a text that is no JSON is the JSON with comments and last commas that editors and compilers
// take, and nothing for Kubernetes, whose programs refuse it.
func withComments(text []byte) bool {
	plain, commented := withoutComments(text)
	plain = bytes.TrimSpace(plain)
	if !commented { // a comma too many is a mistake, not another language
		return false
	}
	if len(plain) == 0 {
		return true
	}
	var value any
	if json.Unmarshal(plain, &value) != nil {
		return false
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return true
	}
	cause, _ := Untyped(object)
	return cause == "" && reasonToSkip("", value) != ""
}

// withoutComments takes comments, and commas in front of a closing bracket, out of JSON, and says whether it had a
// comment.
func withoutComments(text []byte) (out []byte, commented bool) {
	out = make([]byte, 0, len(text))
	comma := -1 // where the last comma stands in out, if only blanks stand behind it
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := stringEnd(text, i)
			out, i, comma = append(out, text[i:end]...), end-1, -1
			continue
		case bytes.HasPrefix(text[i:], []byte("//")):
			i += lengthTo(text[i:], "\n") - 1
			commented = true
			continue
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += 2 + lengthTo(text[i+2:], "*/") + 1
			commented = true
			continue
		case c == ',':
			comma = len(out)
		case (c == '}' || c == ']') && comma >= 0:
			out = append(out[:comma], out[comma+1:]...)
			comma = -1
		case c != ' ' && c != '\t' && c != '\n':
			comma = -1
		}
		out = append(out, text[i])
	}
	return out, commented
}

// stringEnd is the offset behind the string that begins at an offset.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// lengthTo is how many bytes stand in front of a mark, or all bytes if the mark is missing.
func lengthTo(text []byte, mark string) int {
	if at := bytes.Index(text, []byte(mark)); at >= 0 {
		return at
	}
	return len(text)
}
