package edit_test

import (
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// splitLines splits a text at every line end that YAML and editors share.
func splitLines(text []byte) []string {
	folded := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\x00", "\n", "\n\x00").Replace(string(text))
	return strings.Split(strings.ReplaceAll(folded, "\r\n", "\r\n\x00"), "\x00")
}

// goneLines are the lines, from 1, that the second text has not or has changed.
func goneLines(a, b []string) []int {
	// A last line without an end gets one when another follows.
	a, b = slices.Clone(a), slices.Clone(b)
	for _, list := range [][]string{a, b} {
		for i := range list {
			list[i] = strings.TrimSuffix(list[i], "\n")
		}
	}
	a[len(a)-1] += carriage(a)
	b[len(b)-1] += carriage(b)
	var gone []int
	for _, op := range difflib.NewMatcherWithJunk(a, b, false, nil).GetOpCodes() {
		if op.Tag == 'd' || op.Tag == 'r' {
			for line := op.I1; line < op.I2; line++ {
				gone = append(gone, line+1)
			}
		}
	}
	return gone
}

// carriage is the carriage return with which the lines above the last one end.
func carriage(lines []string) string {
	if len(lines) > 1 && strings.HasSuffix(lines[len(lines)-2], "\r") {
		return "\r"
	}
	return ""
}
