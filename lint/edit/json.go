package edit

import (
	"encoding/json"
	"strings"
)

// reader gives the places of JSON values.
type reader struct {
	text    lines
	decoder *json.Decoder
}

func parseJSON(text string) (*node, error) {
	r := &reader{text: lines(text), decoder: json.NewDecoder(strings.NewReader(text))}
	return r.value()
}

func (r *reader) offset() int { return int(r.decoder.InputOffset()) }

// value reads a value, or a key.
func (r *reader) value() (*node, error) {
	at := r.text.skip(r.offset(), " \t\n,:")
	token, err := r.decoder.Token()
	if err != nil {
		return nil, refuse(at, misread)
	}
	n := &node{at: at, start: at, end: r.offset(), value: string(r.text[at:r.offset()])}
	switch token := token.(type) {
	case string:
		n.style, n.value = double, token
	case json.Delim:
		n.value, n.flow, n.kind = "", true, sequence
		if token == '{' {
			n.kind = mapping
		}
		err = r.collection(n)
	}
	return n, err
}

func (r *reader) collection(n *node) (err error) {
	for r.decoder.More() {
		e := &entry{}
		if n.kind == mapping {
			if e.key, err = r.value(); err != nil {
				return err
			}
			e.mark = r.text.space(e.key.end)
		}
		if e.value, err = r.value(); err != nil {
			return err
		}
		n.entries = append(n.entries, e)
	}
	_, err = r.decoder.Token() // what closes it
	n.end = r.offset()
	return err
}
