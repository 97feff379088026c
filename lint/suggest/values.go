package suggest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
)

// values writes what was found as YAML to paste; nothing where nothing was.
func (s *search) values(from source.HelmChart) ([]Snippet, error) {
	if len(s.accepted) == 0 {
		return nil, nil
	}
	snippet := Snippet{Origin: from.Path, Kind: KindValues, Where: s.where(from)}
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
		written, err := written(s.found.over)
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
	snippet.Text, snippet.Note = text.String(), strings.Join(slices.Compact(notes), " ")
	for _, t := range s.targets {
		if len(t.done) > 0 {
			snippet.Covers++
		}
	}
	return []Snippet{snippet}, nil
}

func (s *search) where(from source.HelmChart) string {
	if len(from.Values) > 0 {
		return fmt.Sprintf("into %s, or into a file given after it with --values", from.Values[len(from.Values)-1])
	}
	return "into your values file (helm --values), or into values.yaml of the chart where the chart is yours"
}

// inputs are the user's files and settings that have a key.
func (s *search) inputs(path []any) []string {
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
