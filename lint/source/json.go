package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
)

// jsonItems reads JSON values that stand one after the other.
func jsonItems(file string, text []byte, opts Options, yield func(Item) bool) {
	if failure := checkUTF8(segment{text: text, line: 1}); failure != nil {
		yield(problemItem(file, failure))
		return
	}
	r := newJSONReader(text)
	r.values = opts.maxValues()
	for count := 0; ; count++ {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			if count == 0 {
				yield(Item{File: file, Line: 1, Skipped: reasonEmpty})
			}
			return
		}
		if count == opts.maxDocuments() {
			yield(problemItem(file, failAt(r.here(), "more than %d documents in one file", count)))
			return
		}
		r.builder = builder{}
		line := r.here()
		at := r.begin("", line)
		value, failure := r.value(token, err, at, 0)
		if failure != nil {
			if reason := notYetJSON(text); reason != "" {
				yield(Item{File: file, Line: 1, Skipped: reason})
				return
			}
			yield(problemItem(file, failure))
			return
		}
		r.end(at)
		if !yield(newItem(file, line, value, slices.Clip(r.positions)).with(r.twice)) {
			return
		}
	}
}

// jsonReader builds values and positions from JSON tokens.
type jsonReader struct {
	builder
	text    []byte
	decoder *json.Decoder
	values  int // how many there may be in one document
	line    int // of counted
	counted int // offset up to which newlines have been counted
}

func newJSONReader(text []byte) *jsonReader {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return &jsonReader{text: text, decoder: decoder, line: 1}
}

// here gives the line on which the token just read ends. No token of JSON
// spans lines.
func (r *jsonReader) here() int { return r.lineAt(int(r.decoder.InputOffset())) }

// lineAt gives the line of an offset; offsets come in rising order.
func (r *jsonReader) lineAt(offset int) int {
	if offset = min(offset, len(r.text)); offset > r.counted {
		r.line += bytes.Count(r.text[r.counted:offset], []byte{'\n'})
		r.counted = offset
	}
	return r.line
}

func (r *jsonReader) value(token json.Token, err error, at, depth int) (any, *lineError) {
	if err != nil {
		return nil, r.failure(err)
	}
	if depth > maxDepth {
		return nil, failAt(r.here(), "nested more than %d levels deep", maxDepth)
	}
	if len(r.positions) > r.values {
		return nil, tooManyValues(r.here(), r.values)
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return r.object(depth)
		}
		return r.array(at, depth)
	case json.Number:
		return r.number(token.String())
	}
	return token, nil // string, bool or nil
}

// number writes a number as it would be had it come from YAML.
func (r *jsonReader) number(text string) (any, *lineError) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return json.Number(strconv.FormatInt(n, 10)), nil // -0 is 0
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return json.Number(text), nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, failAt(r.here(), "a number is out of range")
	}
	written, _ := json.Marshal(n) // it is finite
	return json.Number(written), nil
}

func (r *jsonReader) object(depth int) (any, *lineError) {
	object, seen := map[string]any{}, map[string]int{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return nil, r.failure(err)
		}
		key, line := token.(string), r.here() // the decoder lets no other token be a key
		if first := seen[key]; first != 0 {
			r.twice.add(key, first, line)
		}
		seen[key] = line
		child := r.begin(key, line)
		token, err = r.decoder.Token()
		value, failure := r.value(token, err, child, depth+1)
		if failure != nil {
			return nil, failure
		}
		r.end(child)
		object[key] = value
	}
	return object, r.close()
}

func (r *jsonReader) array(at, depth int) (any, *lineError) {
	r.positions[at].list = true
	list := []any{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		child := r.begin("", r.here())
		value, failure := r.value(token, err, child, depth+1)
		if failure != nil {
			return nil, failure
		}
		r.end(child)
		list = append(list, value)
	}
	return list, r.close()
}

// close takes the closing bracket.
func (r *jsonReader) close() *lineError {
	if _, err := r.decoder.Token(); err != nil {
		return r.failure(err)
	}
	return nil
}

func (r *jsonReader) failure(err error) *lineError {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return failAt(r.lineAt(int(syntax.Offset)), "broken JSON: %v", err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return failAt(r.lineAt(len(r.text)), "broken JSON: the text ends in the middle of a value")
	}
	return failAt(r.here(), "broken JSON: %v", err)
}
