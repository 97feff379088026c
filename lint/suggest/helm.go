package suggest

import (
	"context"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest/patches"
	"github.com/headroom-dev/headroom/lint/suggest/values"
)

// Helm gives the values that fix what a chart renders, and a kustomize patch for what no value
// can do. The chart has been rendered with both.
func Helm(ctx context.Context, from source.HelmChart, list []Fixed) ([]Snippet, error) {
	if len(list) == 0 {
		return nil, nil
	}
	found, err := values.Find(ctx, from, list)
	if err != nil {
		return nil, err
	}
	var snippets []Snippet
	byValues, err := found.Suggestion()
	if err != nil {
		return nil, err
	}
	where := ""
	if byValues != nil {
		snippets = append(snippets, Snippet{
			Origin: from.Path, Kind: KindValues, Text: byValues.Text, Where: valuesFile(from),
			Covers: byValues.Covers, Note: byValues.Note,
		})
		where = "; beside the values"
	}
	rest, notes, err := found.Rest(ctx)
	if err != nil || len(rest) == 0 {
		return snippets, err
	}
	byPatch, err := patches.OnTop(ctx, rest)
	if err != nil {
		return nil, err
	}
	return append(snippets, Snippet{
		Origin: from.Path, Kind: KindPatch, Text: byPatch.Text, Covers: byPatch.Covers,
		Where: "into a kustomization.yaml over what the chart renders, with helmCharts or with " +
			"resources: [all.yaml] for what helm template prints; or below postRenderers[].kustomize of a Flux HelmRelease" +
			where,
		Note: strings.TrimSpace(strings.Join(append(notes, byPatch.Note), " ")),
	}), nil
}

func valuesFile(from source.HelmChart) string {
	if len(from.Values) > 0 {
		return fmt.Sprintf("into %s, or into a file given after it with --values", from.Values[len(from.Values)-1])
	}
	return "into your values file (helm --values), or into values.yaml of the chart where the chart is yours"
}
