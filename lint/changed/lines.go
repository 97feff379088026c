package changed

import (
	"bytes"
	"os"
)

// lines says which lines of a file are not as they were. That a file is whole new, or cannot
// be compared line by line, is one Range of all its lines.
func (t *Tree) lines(f *file) ([]Range, error) {
	now, err := os.ReadFile(t.view.disk(f.now))
	if err != nil {
		return nil, err
	}
	if f.then == "" || f.mode == modeLink || isBinary(now) {
		return []Range{whole}, nil
	}
	then, err := t.content(f.then)
	if err != nil {
		return nil, err
	}
	if isBinary(then) {
		return []Range{whole}, nil
	}
	return between(split(then), split(now)), nil
}

const lastLine = 1 << 30

var whole = Range{1, lastLine}

// isBinary is what git goes by: UTF-16 is binary to it, too.
func isBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }

// split gives lines without their ends: a file that only got other line ends did not change.
func split(text []byte) []string {
	var lines []string
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		lines = append(lines, string(line))
	}
	return lines
}

// maxEdits bounds the work: two files that differ by more lines changed from the first to the
// last of these.
const maxEdits = 1500

// between gives the ranges of b that are not in a, by the fewest lines taken out and put in
// (Myers, An O(ND) Difference Algorithm and Its Variations, 1986).
func between(a, b []string) []Range {
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	a, b = a[first:len(a)-last], b[first:len(b)-last]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	steps, ok := edits(a, b)
	if !ok {
		return []Range{{first + 1, first + len(b)}}
	}
	return ranges(steps, first)
}

// step is a line: kept, put in, or taken out.
type step byte

const (
	keep step = iota
	insert
	remove
)

// edits gives the steps from a to b.
func edits(a, b []string) ([]step, bool) {
	reach := map[int]int{1: 0} // by diagonal, how far in a
	var trace []map[int]int
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		now := make(map[int]int, d+1)
		for k := -d; k <= d; k += 2 {
			x := reach[k-1] + 1
			if k == -d || k != d && reach[k-1] < reach[k+1] {
				x = reach[k+1]
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			now[k] = x
			if x >= len(a) && x-k >= len(b) {
				return backwards(append(trace, reach), len(a), len(b)), true
			}
		}
		trace = append(trace, reach)
		reach = now
	}
	return nil, false
}

// backwards follows the way that edits took from its end.
func backwards(trace []map[int]int, x, y int) []step {
	var steps []step
	for d := len(trace) - 1; x > 0 || y > 0; d-- {
		k, reach := x-y, trace[d]
		from := k - 1
		if k == -d || k != d && reach[k-1] < reach[k+1] {
			from = k + 1
		}
		x0 := reach[from]
		y0 := x0 - from
		for x > x0 && y > y0 {
			steps = append(steps, keep)
			x, y = x-1, y-1
		}
		if d == 0 {
			break
		}
		if from == k+1 {
			steps = append(steps, insert)
		} else {
			steps = append(steps, remove)
		}
		x, y = x0, y0
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}

// ranges gathers the lines put in; where lines were only taken out, a Range without lines.
func ranges(steps []step, before int) []Range {
	var list []Range
	line := before // the last line of the new side that is behind
	for i := 0; i < len(steps); {
		if steps[i] == keep {
			line++
			i++
			continue
		}
		r := Range{First: line + 1}
		for ; i < len(steps) && steps[i] != keep; i++ {
			if steps[i] == insert {
				line++
			}
		}
		r.Last = line
		list = append(list, r)
	}
	return list
}
