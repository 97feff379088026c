package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/render"
)

// harm is what hurts today in a workload: its worst container, kills of all of them.
func harm(w *render.Workload) engine.Harm {
	worst := engine.Harm{HeadroomLeft: 1}
	for i := range w.Containers {
		d := w.Containers[i].Detail
		if d == nil {
			continue
		}
		worst.OOMKills += d.Harm.OOMKills
		worst.ThrottledCores += d.Harm.ThrottledCores
		worst.HeadroomLeft = min(worst.HeadroomLeft, d.Harm.HeadroomLeft)
	}
	return worst
}

// weight counts the findings of a workload by severity.
type weight struct{ errors, warnings, infos int }

// Rank puts the workloads first that need someone first. With measurements these are the ones
// that are killed, then those that are throttled most, then those with the least headroom;
// without, and among equals, those with the most errors, warnings and notes.
func Rank(r *render.Report, measured bool) {
	weights := map[engine.Resource]weight{}
	for i := range r.Findings {
		f := &r.Findings[i]
		w := weights[f.Resource]
		switch f.Severity {
		case engine.SeverityError:
			w.errors++
		case engine.SeverityWarning:
			w.warnings++
		default:
			w.infos++
		}
		weights[f.Resource] = w
	}
	type ranked struct {
		render.Workload
		harm   engine.Harm
		weight weight
	}
	all := make([]ranked, len(r.Workloads))
	for i := range r.Workloads {
		all[i] = ranked{r.Workloads[i], engine.Harm{}, weights[r.Workloads[i].Resource]}
		if measured {
			all[i].harm = harm(&r.Workloads[i])
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(b.harm.OOMKills, a.harm.OOMKills),
			cmp.Compare(b.harm.ThrottledCores, a.harm.ThrottledCores),
			cmp.Compare(a.harm.HeadroomLeft, b.harm.HeadroomLeft),
			cmp.Compare(b.weight.errors, a.weight.errors),
			cmp.Compare(b.weight.warnings, a.weight.warnings),
			cmp.Compare(b.weight.infos, a.weight.infos),
			byResource(a.Resource, b.Resource),
		)
	})
	for i := range all {
		r.Workloads[i] = all[i].Workload
	}
}

func byResource(a, b engine.Resource) int {
	return cmp.Or(
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.APIVersion, b.APIVersion),
	)
}
