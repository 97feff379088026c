package edit

import (
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// opcodes tell how a becomes b. Edits leave most of a file as it is and add a few lines here and
// there, so that both are in step again soon. That takes time in proportion to the file. difflib's
// takes the square of the number of lines that are alike, of which manifests are full, and is left
// what does not come into step.
func opcodes(a, b []string) []difflib.OpCode {
	var codes []difflib.OpCode
	for i, j := 0, 0; ; {
		if n := alike(a[i:], b[j:]); n > 0 {
			codes = append(codes, difflib.OpCode{Tag: 'e', I1: i, I2: i + n, J1: j, J2: j + n})
			i, j = i+n, j+n
			continue
		}
		di, dj, ok := inStep(a[i:], b[j:])
		if !ok { // so it is at the end of both, where nothing is left
			return append(codes, shifted(difflib.NewMatcher(a[i:], b[j:]).GetOpCodes(), i, j)...)
		}
		// Some of these lines can be alike still: fewer than bring both into step.
		codes = append(codes, shifted(difflib.NewMatcher(a[i:i+di], b[j:j+dj]).GetOpCodes(), i, j)...)
		i, j = i+di, j+dj
	}
}

const (
	// maxApart is how many lines two files may be out of step.
	maxApart = 128
	// stepLines that are alike bring them into step; one may be so by chance.
	stepLines = 3
)

// inStep finds the fewest lines after which both go on alike.
func inStep(a, b []string) (di, dj int, ok bool) {
	for apart := 1; apart <= maxApart; apart++ {
		for di = max(0, apart-len(b)); di <= min(apart, len(a)); di++ {
			dj = apart - di
			n := alike(a[di:], b[dj:])
			if n >= stepLines || di+n == len(a) && dj+n == len(b) {
				return di, dj, true
			}
		}
	}
	return di, dj, false
}

// alike counts the lines with which both begin.
func alike(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func shifted(codes []difflib.OpCode, i, j int) []difflib.OpCode {
	for n := range codes {
		c := &codes[n]
		c.I1, c.I2, c.J1, c.J2 = c.I1+i, c.I2+i, c.J1+j, c.J2+j
	}
	return codes
}

// grouped puts changes together that lie near each other, each group with its context.
func grouped(codes []difflib.OpCode) [][]difflib.OpCode {
	var groups [][]difflib.OpCode
	var group []difflib.OpCode
	changed := false
	for n, c := range codes {
		if c.Tag != 'e' {
			group, changed = append(group, c), true
			continue
		}
		last := n == len(codes)-1
		if lines := c.I2 - c.I1; changed && !last && lines <= 2*context {
			group = append(group, c)
			continue
		}
		if changed {
			end := min(c.I2-c.I1, context)
			groups = append(groups, append(group, difflib.OpCode{Tag: 'e', I1: c.I1, I2: c.I1 + end, J1: c.J1, J2: c.J1 + end}))
		}
		begin := min(c.I2, context) // what is alike in between is longer
		group = []difflib.OpCode{{Tag: 'e', I1: c.I2 - begin, I2: c.I2, J1: c.J2 - begin, J2: c.J2}}
		changed = false
	}
	if changed {
		groups = append(groups, group)
	}
	return groups
}

// changes are the codes that change something; those that follow each other are one.
func changes(codes []difflib.OpCode) [][]difflib.OpCode {
	var joined [][]difflib.OpCode
	for _, c := range codes {
		if c.Tag == 'e' {
			continue
		}
		if last := len(joined) - 1; last >= 0 && joined[last][0].I2 == c.I1 && joined[last][0].J2 == c.J1 {
			joined[last][0].I2, joined[last][0].J2 = c.I2, c.J2
			continue
		}
		joined = append(joined, []difflib.OpCode{c})
	}
	return joined
}

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
