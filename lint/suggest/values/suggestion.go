package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// Suggestion is values to paste.
type Suggestion struct {
	Text   string // YAML
	Covers int    // how many objects it fixes
	Note   string // in words: what else has to be done; "" for nothing
}

// Suggestion writes the values that were found; nil where none were.
func (s *Search) Suggestion() (*Suggestion, error) {
	if len(s.accepted) == 0 {
		return nil, nil
	}
	var text strings.Builder
	notes := []string{}
	for _, path := range s.found.drop {
		for _, in := range s.inputs(path) {
			fmt.Fprintf(&text, "# take %s out of %s\n", dotted(path), in)
			notes = append(notes, fmt.Sprintf("%s has to go from %s: Helm removes a key for a null only where "+
				"the chart's own values have it.", dotted(path), in))
		}
	}
	if len(s.found.over) > 0 {
		written, err := tree.YAML(s.found.over)
		if err != nil {
			return nil, err
		}
		text.Write(written)
	}
	for _, in := range s.chart.Inputs {
		if !in.Set {
			continue
		}
		for _, path := range overlaps(s.found.over, in.Values, nil) {
			notes = append(notes, fmt.Sprintf("%s is given with --set too, which wins over values files: "+
				"leave it out there.", dotted(path)))
		}
	}
	covers := 0
	for _, t := range s.targets {
		if len(t.done) > 0 {
			covers++
		}
	}
	return &Suggestion{text.String(), covers, strings.Join(slices.Compact(notes), " ")}, nil
}

// inputs are the user's files and settings that have a key.
func (s *Search) inputs(path []any) []string {
	var names []string
	for _, in := range s.chart.Inputs {
		if given(in.Values, path) {
			names = append(names, in.Name)
		}
	}
	return names
}

// overlaps are the places of which two sets of values say something.
func overlaps(a, b map[string]any, path []any) [][]any {
	var found [][]any
	for _, key := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[key]
		if !ok {
			continue
		}
		below := append(slices.Clip(path), key)
		mine, isMap := a[key].(map[string]any)
		theirs, isMapToo := other.(map[string]any)
		if isMap && isMapToo {
			found = append(found, overlaps(mine, theirs, below)...)
		} else {
			found = append(found, below)
		}
	}
	return found
}
