package plan

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
)

// patterns has the needles of the regular expressions among the strings of an image, in the order of their texts. To
// find them anew takes a twelfth of a short run.
type patterns struct{ entries, texts table }

// listedPattern is one as an image has it.
type listedPattern struct {
	place   int // among the strings
	needles []needle
}

func (p *listedPattern) fields(c *codec) {
	c.int(&p.place)
	list(c, &p.needles, func(n *needle) {
		fold := number(n.fold)
		c.int(&fold)
		n.fold = fold == 1
		c.text(&n.text)
	})
}

// listPatterns finds what may be a regular expression among the strings of an image.
func listPatterns(texts []string) []string {
	var found []listedPattern
	for place, text := range texts {
		if !strings.HasPrefix(text, "^") && !strings.HasSuffix(text, "$") && !strings.ContainsAny(text, `[|\`) &&
			!strings.Contains(text, "(?") {
			continue
		}
		if parsed, err := syntax.Parse(text, syntax.Perl); err == nil {
			found = append(found, listedPattern{place, needlesOf(parsed)})
		}
	}
	slices.SortFunc(found, func(a, b listedPattern) int { return cmp.Compare(texts[a.place], texts[b.place]) })
	entries := make([]string, len(found))
	for i := range found {
		c := codec{}
		found[i].fields(&c)
		entries[i] = string(c.written)
	}
	return entries
}

// needlesOf gives the needles of a pattern; false where it is not listed.
func (p patterns) needlesOf(text string) ([]needle, bool) {
	i, ok := sort.Find(p.entries.len(), func(i int) int {
		place, c := 0, codec{reading: true, rest: p.entries.at(i)}
		c.int(&place)
		return cmp.Compare(text, p.texts.at(place))
	})
	if !ok {
		return nil, false
	}
	var found listedPattern
	c := codec{reading: true, rest: p.entries.at(i)}
	found.fields(&c)
	return found.needles, c.err == nil
}
