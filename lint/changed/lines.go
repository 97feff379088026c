package changed

import (
	"bytes"
	"os"
)

// lines says which lines of a file are not as they were. That a file is whole new, or cannot
// be compared line by line, is one Range of all its lines.
func (t *Tree) lines(f *file) ([]Range, error) {
	now, err := os.ReadFile(t.change.disk(f.now))
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
	var list []Range
	for _, h := range Hunks(then, now) {
		list = append(list, h.After)
	}
	return list, nil
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
