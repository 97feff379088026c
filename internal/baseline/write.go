package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// header tells the reader what the file is and how to renew it.
var header = []string{
	"Findings that were there already: headroom counts them, and fails for new ones only.",
	"Renew it with the command that wrote it: headroom lint (or audit) … --baseline FILE --write-baseline",
	"An entry may have a reason, which is kept: {…, reason: \"the vendor's chart, until March\"}",
}

// Encode writes a baseline as its file's name wants it: JSON where that ends in .json, else
// YAML. Either has one entry a line, so that git merges what two people changed.
func Encode(file string, b *Baseline) ([]byte, error) {
	entries := slices.SortedStableFunc(slices.Values(b.Entries), compare)
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return encodeJSON(b.Covers, entries)
	}
	return encodeYAML(b.Covers, entries), nil
}

func encodeYAML(covers Scope, entries []Entry) []byte {
	var out bytes.Buffer
	for _, line := range header {
		out.WriteString("# " + line + "\n")
	}
	out.WriteString("schema: " + Schema + "\n")
	if len(covers) > 0 {
		out.WriteString("covers:\n")
		for _, item := range covers {
			out.WriteString("- " + quoted(item) + "\n")
		}
	}
	if len(entries) == 0 {
		out.WriteString("findings: []\n")
		return out.Bytes()
	}
	out.WriteString("findings:\n")
	for _, e := range entries {
		var fields []string
		for _, f := range e.fields() {
			value := f.value
			if !f.number() {
				value = quoted(value)
			}
			fields = append(fields, f.key+": "+value)
		}
		out.WriteString("- {" + strings.Join(fields, ", ") + "}\n")
	}
	return out.Bytes()
}

type field struct{ key, value string }

func (f field) number() bool { return f.key == "count" || f.key == "size" }

// fields are those of an entry that say something.
func (e Entry) fields() []field {
	all := []field{
		{"cluster", e.Workload.Cluster},
		{"namespace", e.Workload.Namespace},
		{"kind", e.Workload.Kind},
		{"group", e.Workload.Group},
		{"name", e.Workload.Name},
		{"container", e.Container},
		{"rule", e.Rule},
		{"severity", e.Severity},
		{"count", ""},
		{"size", sizes(e.Sizes)},
		{"reason", e.Reason},
	}
	if i := slices.IndexFunc(all, func(f field) bool { return f.key == "count" }); e.Count > 1 {
		all[i].value = strconv.Itoa(e.Count)
	}
	return slices.DeleteFunc(all, func(f field) bool { return f.value == "" })
}

// sizes are one number, or a list.
func sizes(list []float64) string {
	var texts []string
	for _, size := range list {
		texts = append(texts, strconv.FormatFloat(size, 'f', -1, 64))
	}
	text := strings.Join(texts, ", ")
	if len(list) > 1 {
		text = "[" + text + "]"
	}
	return text
}

// plain text is text to every YAML parser. It begins with a letter that no number, date, boolean or
// null has there, and nothing that ends a value.
var (
	plain   = pattern.Lazy(`^[A-Za-z][A-Za-z0-9_-]*([./:][A-Za-z0-9_-]+)*$`)
	special = pattern.Lazy(`(?i)^(y|n|yes|no|on|off|true|false|null|inf|nan)$`)
)

func quoted(text string) string {
	if plain().MatchString(text) && !special().MatchString(text) {
		return text
	}
	// A JSON string is a YAML string.
	out, err := marshal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(out)
}

func marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	text := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	// What JSON leaves as it is, and YAML takes for the end of a line or not at all.
	return unseen().ReplaceAllFunc(text, func(character []byte) []byte {
		r, _ := utf8.DecodeRune(character)
		return fmt.Appendf(nil, `\u%04x`, r)
	}), err
}

var unseen = pattern.Lazy(`[\x{7f}-\x{9f}\x{feff}\x{fffe}\x{ffff}]`)

func encodeJSON(covers Scope, entries []Entry) ([]byte, error) {
	var out bytes.Buffer
	line := func(key string, value any, end string) error {
		text, err := marshal(value)
		out.WriteString("  " + strconv.Quote(key) + ": " + string(text) + end + "\n")
		return err
	}
	out.WriteString("{\n")
	if err := line("comment", strings.Join(header, " "), ","); err != nil {
		return nil, err
	}
	if err := line("schema", Schema, ","); err != nil {
		return nil, err
	}
	if len(covers) > 0 {
		if err := line("covers", covers, ","); err != nil {
			return nil, err
		}
	}
	out.WriteString(`  "findings": [`)
	for i, e := range entries {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n    {")
		for j, f := range e.fields() {
			if j > 0 {
				out.WriteString(", ")
			}
			text, err := marshal(f.value)
			if err != nil {
				return nil, err
			}
			if f.number() {
				text = []byte(f.value)
			}
			out.WriteString(strconv.Quote(f.key) + ": " + string(text))
		}
		out.WriteString("}")
	}
	if len(entries) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes(), nil
}
