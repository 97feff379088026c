package source

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

var bom = []byte("\ufeff")

// decodeText gives the text of a file as UTF-8 with newlines. Byte order marks
// go, UTF-16 is decoded, and a carriage return without a newline becomes one:
// YAML takes it for a line end too, so no value changes.
func decodeText(data []byte) ([]byte, *lineError) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian)
	}
	return newlines(bytes.TrimPrefix(data, bom)), nil
}

func decodeUTF16(data []byte, order binary.ByteOrder) ([]byte, *lineError) {
	if len(data)%2 != 0 {
		return nil, failAt(1, "UTF-16 text with an odd number of bytes")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return newlines([]byte(string(utf16.Decode(units)))), nil
}

// newlines replaces lone carriage returns. It copies only when there are any.
func newlines(text []byte) []byte {
	copied := false
	for at := 0; at < len(text); at++ {
		next := bytes.IndexByte(text[at:], '\r')
		if next < 0 {
			break
		}
		at += next
		if at+1 < len(text) && text[at+1] == '\n' {
			continue
		}
		if !copied {
			text, copied = bytes.Clone(text), true
		}
		text[at] = '\n'
	}
	return text
}

// checkText refuses what is not UTF-8 and the control characters that YAML
// does not allow, naming the line, which the YAML library cannot.
func checkText(s segment) *lineError {
	if failure := checkUTF8(s); failure != nil {
		return failure
	}
	for at := 0; at < len(s.text); at++ {
		switch c := s.text[at]; {
		case c >= 0x20 && c < 0x7f || c == '\t' || c == '\n' || c == '\r' || c >= 0x80 && c != 0xc2:
		case c == 0xc2 && (s.text[at+1] >= 0xa0 || s.text[at+1] == 0x85):
		case c == 0:
			return failAt(s.lineAt(at), "a NUL byte in the text; is this a binary file?")
		case c == 0xc2:
			return failAt(s.lineAt(at), "control character 0x%02x in the text, which YAML does not allow", s.text[at+1])
		default:
			return failAt(s.lineAt(at), "control character 0x%02x in the text, which YAML does not allow", c)
		}
	}
	return nil
}

func checkUTF8(s segment) *lineError {
	if !utf8.Valid(s.text) {
		at := 0
		for {
			r, size := utf8.DecodeRune(s.text[at:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			at += size
		}
		return failAt(s.lineAt(at), "not UTF-8: byte 0x%02x in the text", s.text[at])
	}
	return nil
}

// lineAt gives the file's line for an offset into the segment.
func (s segment) lineAt(offset int) int {
	return s.line + bytes.Count(s.text[:offset], []byte{'\n'})
}
