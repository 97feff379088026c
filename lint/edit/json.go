package edit

import (
	"encoding/json"
	"strings"
)

// reader gives the places of JSON values. The text has been read by encoding/json before, so
// that only places are left to find.
type reader struct {
	text lines
	at   int
}

func parseJSON(text string) (*node, error) {
	r := &reader{text: lines(text)}
	return r.value()
}

func (r *reader) blanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *reader) value() (*node, error) {
	r.blanks()
	if r.at >= len(r.text) {
		return nil, refuse(r.at, misread)
	}
	n := &node{at: r.at, start: r.at, flow: true}
	var err error
	switch r.text[r.at] {
	case '{':
		n.kind = mapping
		err = r.collection(n, '}')
	case '[':
		n.kind = sequence
		err = r.collection(n, ']')
	case '"':
		n.flow = false
		err = r.text.jsonString(n)
		r.at = n.end
	default:
		n.flow = false
		for r.at < len(r.text) && strings.IndexByte(" \t\r\n,]}", r.text[r.at]) < 0 {
			r.at++
		}
		n.value = string(r.text[n.start:r.at])
	}
	n.end = r.at
	return n, err
}

func (t lines) jsonString(n *node) error {
	end, ok := t.doubleEnd(n.start)
	n.style, n.end = double, end
	if !ok || json.Unmarshal([]byte(t[n.start:end]), &n.value) != nil {
		return refuse(n.start, misread)
	}
	return nil
}

func (r *reader) collection(n *node, bracket byte) error {
	r.at++
	for {
		r.blanks()
		if r.at >= len(r.text) {
			return refuse(n.start, misread)
		}
		switch r.text[r.at] {
		case bracket:
			r.at++
			return nil
		case ',':
			r.at++
			continue
		}
		e := &entry{mark: -1}
		var err error
		if n.kind == mapping {
			if e.key, err = r.value(); err != nil {
				return err
			}
			r.blanks()
			e.mark = r.at
			r.at++
		}
		if e.value, err = r.value(); err != nil {
			return err
		}
		n.entries = append(n.entries, e)
	}
}
