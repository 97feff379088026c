package json

import (
	"bytes"
	"encoding/json"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// Encode leaves <, > and & as they are: the output is not for a web page.
func Encode(w *bytes.Buffer, v any) error {
	before := w.Len()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	text := terminal.JSON(w.Bytes()[before:]) // of its own where it differs
	w.Truncate(before)
	w.Write(text)
	return err
}

// stream writes an object member by member, and lists entry by entry: encoding/json holds
// what it writes twice over, and a report of ten thousand workloads has sixty megabytes.
type stream struct {
	out   *bytes.Buffer
	begun bool
	entry bytes.Buffer
	err   error
}

const indent = "  "

func (j *stream) key(name string) {
	if j.begun {
		j.out.WriteString(",\n")
	} else {
		j.out.WriteString("{\n")
	}
	j.begun = true
	j.out.WriteString(indent + `"` + name + `": `)
}

func (j *stream) member(name string, value any) {
	j.key(name)
	j.value(value, indent)
}

func list[T, U any](j *stream, name string, entries []T, shape func(*T) U) {
	j.key(name)
	if len(entries) == 0 {
		j.out.WriteString("[]")
		return
	}
	const prefix = indent + indent
	for i := range entries {
		if i == 0 {
			j.out.WriteByte('[')
		} else {
			j.out.WriteByte(',')
		}
		j.out.WriteString("\n" + prefix)
		j.value(shape(&entries[i]), prefix)
	}
	j.out.WriteString("\n" + indent + "]")
}

// value writes a value whose further lines begin with a prefix.
func (j *stream) value(v any, prefix string) {
	j.entry.Reset()
	e := json.NewEncoder(&j.entry)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil && j.err == nil {
		j.err = err
	}
	j.out.Write(terminal.JSON(bytes.TrimSuffix(j.entry.Bytes(), []byte("\n"))))
}

func (j *stream) end() error {
	j.out.WriteString("\n}\n")
	return j.err
}
