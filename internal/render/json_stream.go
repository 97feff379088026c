package render

import (
	"bytes"
	"encoding/json"
)

// jsonStream writes an object member by member, and lists entry by entry: encoding/json holds
// what it writes twice over, and a report of ten thousand workloads has sixty megabytes.
type jsonStream struct {
	out   *bytes.Buffer
	begun bool
	entry bytes.Buffer
	err   error
}

const jsonIndent = "  "

func (j *jsonStream) key(name string) {
	if j.begun {
		j.out.WriteString(",\n")
	} else {
		j.out.WriteString("{\n")
	}
	j.begun = true
	j.out.WriteString(jsonIndent + `"` + name + `": `)
}

func (j *jsonStream) member(name string, value any) {
	j.key(name)
	j.value(value, jsonIndent)
}

func list[T, U any](j *jsonStream, name string, entries []T, shape func(*T) U) {
	j.key(name)
	if len(entries) == 0 {
		j.out.WriteString("[]")
		return
	}
	const prefix = jsonIndent + jsonIndent
	for i := range entries {
		if i == 0 {
			j.out.WriteByte('[')
		} else {
			j.out.WriteByte(',')
		}
		j.out.WriteString("\n" + prefix)
		j.value(shape(&entries[i]), prefix)
	}
	j.out.WriteString("\n" + jsonIndent + "]")
}

// value writes a value whose further lines begin with a prefix.
func (j *jsonStream) value(v any, prefix string) {
	j.entry.Reset()
	e := json.NewEncoder(&j.entry)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, jsonIndent)
	if err := e.Encode(v); err != nil && j.err == nil {
		j.err = err
	}
	j.out.Write(bytes.TrimSuffix(j.entry.Bytes(), []byte("\n")))
}

func (j *jsonStream) end() error {
	j.out.WriteString("\n}\n")
	return j.err
}
