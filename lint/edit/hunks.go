package edit

import "strings"

// Hunk is a part of a text, in bytes, and what takes its place.
type Hunk struct {
	Start, End int // End exclusive
	Text       string
}

// Hunks are the lines that make one text of another.
func Hunks(before, after []byte) []Hunk {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	var all []Hunk
	at := 0
	for _, op := range opcodes(a, b) {
		gone := len(strings.Join(a[op.I1:op.I2], ""))
		if op.Tag != 'e' {
			all = append(all, Hunk{Start: at, End: at + gone, Text: strings.Join(b[op.J1:op.J2], "")})
		}
		at += gone
	}
	return all
}
