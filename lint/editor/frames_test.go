package editor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func readFrames(text string) (read []string, answers string, err error) {
	var out bytes.Buffer
	f := newFrames(strings.NewReader(text), &out, func() error { return nil }, func(string, ...any) {})
	for {
		var v map[string]any
		if err = f.ReadObject(&v); err != nil {
			return read, out.String(), err
		}
		again, _ := json.Marshal(v)
		read = append(read, string(again))
	}
}

func TestFrames(t *testing.T) {
	long := strings.Repeat("x", 2*maxHeaderLine)
	for name, test := range map[string]struct {
		text    string
		read    int
		answers int
		err     error
	}{
		"two":                     {framed(`{"a":1}`) + framed(`{"b":2}`), 2, 0, io.EOF},
		"another header":          {"content-type: x\r\ncontent-length: 2\n\n{}", 1, 0, io.EOF},
		"no JSON":                 {framed(`{"a"`) + framed(`{"b":2}`), 1, 1, io.EOF},
		"no object":               {framed(`[1]`) + framed(`{"b":2}`), 1, 1, io.EOF},
		"nothing":                 {framed("") + framed(`{"b":2}`), 1, 1, io.EOF},
		"the end in a body":       {"Content-Length: 9\r\n\r\n{}", 0, 0, io.ErrUnexpectedEOF},
		"the end in a header":     {"Content-Le", 0, 0, io.ErrUnexpectedEOF},
		"no length":               {"Content-Type: x\r\n\r\n{}", 0, 0, errHeader},
		"a length below nothing":  {"Content-Length: -1\r\n\r\n{}", 0, 0, errHeader},
		"a length beyond numbers": {"Content-Length: 99999999999999999999\r\n\r\n{}", 0, 0, errHeader},
		"HTTP":                    {"GET / HTTP/1.1\r\n\r\n", 0, 0, errHeader},
		"a long line":             {long + ": 1\r\n\r\n", 0, 0, errHeader},
		"a line without an end":   {strings.Repeat("x", 9*maxHeaderLine), 0, 0, errHeader},
		"many lines":              {strings.Repeat("a: b\r\n", maxHeaderLines+1), 0, 0, errHeader},
		"a body that is too long": {fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxFrame+1, strings.Repeat(" ", maxFrame+1)) + framed(`{}`), 1, 0, io.EOF},
		"a length without bytes":  {"Content-Length: 30000000\r\n\r\n{}", 0, 0, io.ErrUnexpectedEOF},
	} {
		read, answers, err := readFrames(test.text)
		if len(read) != test.read || strings.Count(answers, `"error"`) != test.answers || !errors.Is(err, test.err) {
			t.Errorf("%s: %d read, %q, %v", name, len(read), answers, err)
		}
	}
}

// Whatever comes is read, answered or refused, and what is written is read again.
func FuzzFrames(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}", `{"a":1}`)
	f.Add("\r\n\r\n", `[]`)
	f.Fuzz(func(t *testing.T, text, body string) {
		_, answers, err := readFrames(text)
		if err == nil {
			t.Fatal("no end")
		}
		if _, _, err := readFrames(answers); err != io.EOF {
			t.Fatalf("an answer cannot be read: %v", err)
		}
		var object map[string]any
		if json.Unmarshal([]byte(body), &object) != nil || object == nil {
			return
		}
		var out bytes.Buffer
		w := newFrames(strings.NewReader(""), &out, nil, nil)
		if err := w.WriteObject(object); err != nil {
			t.Fatal(err)
		}
		again, _ := json.Marshal(object)
		if read, _, err := readFrames(out.String()); err != io.EOF || len(read) != 1 || read[0] != string(again) {
			t.Fatalf("%q: %q, %v", again, read, err)
		}
	})
}
