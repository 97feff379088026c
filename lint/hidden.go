package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// hidden says what the old config would find in the new files and the new config does not; "" for nothing. Each side
// of a change is judged by its own config. So a change could add a finding and turn its rule off without a word.
func (o ChangedOptions) hidden(ctx context.Context, e *engine.Engine, now *report.Report) (string, error) {
	if e == o.Current {
		return "", nil
	}
	options := o.Options
	options.Progress, options.Preview, options.Digests = nil, Preview{}, false
	then, err := Run(ctx, e, options)
	if err != nil {
		return "", err
	}
	left := map[string][]int{} // the severities of what is found, by what it is
	for _, list := range [][]engine.Finding{now.Findings, now.Known} {
		for i := range list {
			identity := report.Identity(&list[i])
			left[identity] = append(left[identity], report.SeverityRank(list[i].Severity))
		}
	}
	var count report.Counts
	var rules []string
	for i := range then.Findings {
		f := &then.Findings[i]
		identity, rank := report.Identity(f), report.SeverityRank(f.Severity)
		same := slices.IndexFunc(left[identity], func(now int) bool { return now <= rank })
		if same >= 0 {
			left[identity] = slices.Delete(left[identity], same, same+1)
			continue
		}
		if f.Severity == engine.SeverityInfo {
			continue
		}
		count.Add(f.Severity, 1)
		rules = append(rules, f.Rule)
	}
	if count.Total() == 0 {
		return "", nil
	}
	slices.Sort(rules)
	return fmt.Sprintf("the config is not as it was at %s, by which there would be %s more: %s", o.Change.Ref,
		counted(count), strings.Join(slices.Compact(rules), ", ")), nil
}

func counted(c report.Counts) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{c.Errors, "error"}, {c.Warnings, "warning"}} {
		if part.n > 0 {
			parts = append(parts, words.Count(part.n, part.what))
		}
	}
	return strings.Join(parts, " and ")
}
