package changed

import "slices"

// Hunk is a run of lines that was replaced: Before of the old text by After of the new one.
// Either may be a Range without lines.
type Hunk struct{ Before, After Range }

// Hunks are the places where two texts differ, in order. Their lines' ends do not count.
func Hunks(before, after []byte) []Hunk { return between(split(before), split(after)) }

// maxEdits bounds the work: two files that differ by more lines changed from the first to the
// last of these.
const maxEdits = 1500

// between gives the fewest lines to take out and to put in (Myers, An O(ND) Difference
// Algorithm and Its Variations, 1986).
func between(a, b []string) []Hunk {
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
	if len(a) == 0 || len(b) == 0 {
		return []Hunk{{Range{first + 1, first + len(a)}, Range{first + 1, first + len(b)}}}
	}
	steps, ok := edits(a, b)
	if !ok {
		return []Hunk{{Range{first + 1, first + len(a)}, Range{first + 1, first + len(b)}}}
	}
	return hunks(steps, first)
}

// step is a line: kept, put in, or taken out.
type step byte

const (
	keep step = iota
	insert
	remove
)

// frontier says for each diagonal how far in a some number of edits leads; it is centred.
type frontier []int32

func (f frontier) reach(diagonal int) int {
	if i := diagonal + len(f)/2; i >= 0 && i < len(f) {
		return int(f[i])
	}
	return 0
}

// from is the diagonal from which one more edit leads to this one the furthest.
func (f frontier) from(diagonal, edits int) int {
	if diagonal == -edits || diagonal != edits && f.reach(diagonal-1) < f.reach(diagonal+1) {
		return diagonal + 1
	}
	return diagonal - 1
}

// start is where on a diagonal that edit ends.
func (f frontier) start(diagonal, edits int) int {
	from := f.from(diagonal, edits)
	if from < diagonal {
		return f.reach(from) + 1
	}
	return f.reach(from)
}

// edits gives the steps from a to b.
func edits(a, b []string) ([]step, bool) {
	reach := make(frontier, 1)
	var trace []frontier
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		trace = append(trace, reach)
		next := make(frontier, 2*d+3)
		for k := -d; k <= d; k += 2 {
			x := reach.start(k, d)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			next[k+d+1] = int32(x) //nolint:gosec // lines of a file of 64 MiB
			if x >= len(a) && x-k >= len(b) {
				return backwards(trace, len(a), len(b)), true
			}
		}
		reach = next
	}
	return nil, false
}

// backwards follows the way that edits took from its end.
func backwards(trace []frontier, x, y int) []step {
	var steps []step
	for d := len(trace) - 1; d >= 0; d-- {
		k := x - y
		for start := trace[d].start(k, d); x > start && y > 0; {
			steps = append(steps, keep)
			x, y = x-1, y-1
		}
		if d == 0 {
			break
		}
		if trace[d].from(k, d) > k {
			steps = append(steps, insert)
			y--
		} else {
			steps = append(steps, remove)
			x--
		}
	}
	slices.Reverse(steps)
	return steps
}

// hunks gathers steps; so many lines stand before them on either side.
func hunks(steps []step, before int) []Hunk {
	var list []Hunk
	old, line := before, before // the last lines behind
	for i := 0; i < len(steps); {
		if steps[i] == keep {
			old++
			line++
			i++
			continue
		}
		h := Hunk{Range{First: old + 1}, Range{First: line + 1}}
		for ; i < len(steps) && steps[i] != keep; i++ {
			if steps[i] == insert {
				line++
			} else {
				old++
			}
		}
		h.Before.Last, h.After.Last = old, line
		list = append(list, h)
	}
	return list
}
