package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A table has every flag, one row each, and the builds that were asked.
type table struct {
	builds [][]string // aligned with releases
	rows   []row
	words  []wordRow
}

// A row is one line of the table: texts as they stand in the file.
type row struct {
	name     string
	letter   string
	states   string // aligned with releases
	unit     string
	ranges   string
	standard string
}

func (r row) fields() []string {
	return []string{r.letter, r.states, r.unit, r.ranges, r.standard}
}

// merge puts the columns side by side. A flag that no release has, ignores or can unlock is left out.
func merge(columns []*column) *table {
	t := &table{}
	names := map[string]bool{}
	for _, c := range columns {
		t.builds = append(t.builds, c.builds)
		for name, cell := range c.flags {
			if cell.state != refused {
				names[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t.rows = append(t.rows, rowOf(name, columns))
	}
	t.words = wordRows(columns)
	return t
}

func rowOf(name string, columns []*column) row {
	r := row{name: name}
	var kinds, letters, ranges, standards []string
	collector := false
	for _, c := range columns {
		cell := c.flags[name]
		if cell == nil {
			cell = &absent
		}
		r.states += string(cell.state)
		collector = collector || cell.collector
		ranges = append(ranges, cell.bounds(name, c.release))
		standards = append(standards, cell.text())
		if cell.kind != "" {
			kinds = append(kinds, cell.kind)
			letters = append(letters, letterOf(cell.kind))
		}
	}
	r.letter = "u"
	switch letters = slices.Compact(slices.Sorted(slices.Values(letters))); {
	case len(letters) == 1:
		r.letter = letters[0]
	case slices.Equal(letters, []string{"i", "n"}): // which has a sign is the same to a reader
		r.letter = "i"
	}
	r.unit = unitOf(name, r.letter, kinds)
	if collector {
		r.unit = "collector"
	}
	r.ranges, r.standard = runs(ranges), runs(standards)
	return r
}

var absent = cell{state: refused}

// bounds is the range, "" where the release does not have the flag and - where any number of 64
// bits will do.
func (c *cell) bounds(name string, release int) string {
	letter := letterOf(c.kind)
	switch {
	case c.kind == "":
		return ""
	case release == 8:
		return cmp.Or(ranges8[name], "-")
	case !c.ranged || letter == "b" || letter == "s":
		return "-"
	}
	least, most := number(c.least), number(c.most)
	anyLeast := least == strconv.Itoa(math.MinInt64) || letter == "n" && least == "0"
	// Some bounds are one or two below the greatest number of 64 bits, with a sign or without.
	anyMost := most == strconv.Itoa(math.MaxInt64) || strings.HasPrefix(most, "184467440737095516") ||
		strings.HasPrefix(most, greatestFraction)
	switch {
	case anyLeast && anyMost:
		return "-"
	case least == strconv.Itoa(math.MinInt64):
		least = ""
	case anyMost:
		most = ""
	}
	return least + ".." + most
}

const greatestFraction = "1797693134862315"

// text is the default, without blanks and what separates one from the next.
func (c *cell) text() string {
	letter := letterOf(c.kind)
	switch {
	case c.kind == "":
		return ""
	case c.standard == "":
		return "-"
	case c.standard == ergonomic:
		return ergonomic
	case letter == "b":
		return map[string]string{"true": "+", "false": "-"}[c.standard]
	case letter == "d":
		return number(c.standard)
	}
	return separators.Replace(url.PathEscape(c.standard))
}

var separators = strings.NewReplacer(",", "%2C", ":", "%3A")

// number writes a fraction as short as it can be, and leaves whole numbers.
func number(text string) string {
	if whole, fraction, ok := strings.Cut(text, "."); ok {
		if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
			return whole
		}
		return whole + "." + fraction
	}
	return text
}

// runs writes one text for each release ("" if a release has none): as 50 if all are equal,
// else as 8:25,11:50, each with the release that it begins with.
func runs(texts []string) string {
	var parts []string
	last := ""
	for i, text := range texts {
		if text != "" && text != last {
			parts = append(parts, fmt.Sprintf("%d:%s", releases[i], text))
			last = text
		}
	}
	switch len(parts) {
	case 0:
		return "-"
	case 1:
		_, only, _ := strings.Cut(parts[0], ":")
		return only
	}
	return strings.Join(parts, ",")
}
