package main

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rowLine is a flag as rego writes it.
var rowLine = regexp.MustCompile(`^\t"([^"]+)": \["([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)"\],$`)

// readTable reads what rego and regoOfWords wrote, one after the other; an empty text is an empty table.
func readTable(text string) (*table, error) {
	t := &table{builds: make([][]string, len(releases))}
	for line := range strings.SplitSeq(text, "\n") {
		if rest, ok := strings.CutPrefix(line, buildMark); ok {
			release, builds, _ := strings.Cut(rest, " ")
			if i := slices.Index(releases, atoi(release)); i >= 0 {
				t.builds[i] = strings.Fields(builds)
			}
			continue
		}
		if f := wordLine.FindStringSubmatch(line); f != nil {
			t.words = append(t.words, wordRow{f[1], [2]string{f[2], f[3]}})
			continue
		}
		f := rowLine.FindStringSubmatch(line)
		if f == nil {
			continue
		}
		if len(f[3]) != len(releases) {
			return nil, fmt.Errorf("%s: %d states for %d releases", f[1], len(f[3]), len(releases))
		}
		t.rows = append(t.rows, row{f[1], f[2], f[3], f[4], f[5], f[6]})
	}
	return t, nil
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text) // 0 is no release
	return n
}

func (t *table) names() map[string]bool {
	names := map[string]bool{}
	for _, r := range t.rows {
		names[r.name] = true
	}
	return names
}

// column is what the table has of one release.
func (t *table) column(release int) *column {
	i := slices.Index(releases, release)
	c := &column{release: release, builds: t.builds[i], flags: map[string]*cell{}, words: map[string]answer{}}
	for _, r := range t.rows {
		c.flags[r.name] = r.cell(i)
	}
	for _, w := range t.words {
		c.words[w.name] = answer{w.states[0][i], w.states[1][i]}
	}
	return c
}

// kinds stand for the JDK's types, of which the table has only a letter.
var kinds = map[string]string{"b": "bool", "d": "double", "i": "intx", "n": "uintx", "s": "ccstr", "u": "?"}

func (r row) cell(i int) *cell {
	c := &cell{state: r.states[i]}
	if c.state == refused || c.state == ignored {
		return c
	}
	standard := at(r.standard, i)
	if standard == "" { // taken, and not listed
		return c
	}
	c.kind = kinds[r.letter]
	if r.unit == "B" {
		c.kind = strings.Replace(c.kind, "uintx", "size_t", 1)
	}
	c.collector = r.unit == "collector"
	if bounds := at(r.ranges, i); bounds != "-" && bounds != "" {
		c.ranged = true
		c.least, c.most, _ = strings.Cut(bounds, "..")
	}
	switch {
	case standard == "-" && r.letter != "b":
	case r.letter == "b" && standard != ergonomic:
		c.standard = map[string]string{"+": "true", "-": "false"}[standard]
	default:
		c.standard, _ = url.PathUnescape(standard)
	}
	return c
}

// at is the text of a release, of what runs wrote.
func at(text string, i int) string {
	if !strings.Contains(text, ":") {
		return text
	}
	found := ""
	for part := range strings.SplitSeq(text, ",") {
		release, value, _ := strings.Cut(part, ":")
		if atoi(release) <= releases[i] {
			found = value
		}
	}
	return found
}
