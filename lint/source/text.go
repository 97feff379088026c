package source

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

var bom = []byte("\ufeff")

// decodeText gives the text of a file as UTF-8 with newlines. Byte order marks
// go, UTF-16 is decoded, and carriage returns become newlines: YAML does the
// same to every line end, so no value changes.
func decodeText(data []byte) ([]byte, *lineError) {
	switch {
	case !isUTF16(data):
		return newlines(bytes.TrimPrefix(data, bom)), nil
	case data[0] == 0xff:
		return decodeUTF16(data[2:], binary.LittleEndian)
	}
	return decodeUTF16(data[2:], binary.BigEndian)
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
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

// newlines replaces carriage returns. It copies only when there are any.
func newlines(text []byte) []byte {
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
}

// checkText refuses what is not UTF-8 and the control characters that YAML
// does not allow, naming the line, which the YAML library cannot.
func checkText(s segment) *lineError {
	if failure := checkUTF8(s); failure != nil {
		return failure
	}
	for at, c := range s.text {
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			continue
		}
		switch {
		case c == 0:
			return failAt(s.lineAt(at), "a NUL byte in the text; is this a binary file?")
		case c == 0xc2 && s.text[at+1] < 0xa0 && s.text[at+1] != 0x85: // U+0085 ends a line
			return failAt(s.lineAt(at), controlCharacter, s.text[at+1])
		case c == 0xef && s.text[at+1] == 0xbf && s.text[at+2] >= 0xbe:
			return failAt(s.lineAt(at), "U+FFFE or U+FFFF in the text, which YAML does not allow")
		case c < 0x80:
			return failAt(s.lineAt(at), controlCharacter, c)
		}
	}
	return nil
}

const controlCharacter = "control character 0x%02x in the text, which YAML does not allow"

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
