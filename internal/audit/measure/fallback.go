package measure

import (
	"context"
	"errors"
	"maps"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Both asks two sources. Value by value the first wins; the second fills what it left open.
func Both(first, second Source) Source { return both{first, second} }

type both struct{ first, second Source }

func (b both) Describe() string {
	return b.first.Describe() + "; where that knows nothing, " + b.second.Describe()
}

func (b both) Namespace(ctx context.Context, namespace string, owners cluster.Owners) (Use, error) {
	use, failed := b.first.Namespace(ctx, namespace, owners)
	if use == nil {
		use = Use{}
	}
	more, alsoFailed := b.second.Namespace(ctx, namespace, owners)
	for key, containers := range more {
		if use[key] == nil {
			use[key] = maps.Clone(containers)
			continue
		}
		for name, measured := range containers {
			if known, ok := use[key][name]; ok {
				measured = Fill(known, measured)
			}
			use[key][name] = measured
		}
	}
	return use, errors.Join(failed, alsoFailed)
}

// Fill takes values from more that m lacks. The samples of the result are then the worse of
// both: the smaller number, and the greater age.
func Fill(m, more engine.Measured) engine.Measured {
	had := m.CPUAverage != "" || m.CPUPeak != "" || m.MemoryPeak != ""
	took := false
	for _, v := range []struct{ to, from *string }{
		{&m.CPUAverage, &more.CPUAverage}, {&m.CPUPeak, &more.CPUPeak}, {&m.MemoryPeak, &more.MemoryPeak},
	} {
		if *v.to == "" && *v.from != "" {
			*v.to, took = *v.from, true
		}
	}
	switch {
	case took && had:
		m.Source += " and " + more.Source
		m.Samples, m.Age = fewer(m.Samples, more.Samples), max(m.Age, more.Age)
		m.Window = max(m.Window, more.Window)
	case took:
		m.Source, m.Samples, m.Age = more.Source, more.Samples, more.Age
		m.Window, m.Seen = more.Window, more.Seen
	}
	others := more.Amounts()
	for i, amount := range m.Amounts() {
		if *amount < 0 {
			*amount = *others[i]
		}
	}
	for _, v := range []struct{ to, from *int }{
		{&m.OOMKills, &more.OOMKills}, {&m.Restarts, &more.Restarts}, {&m.ProbeKills, &more.ProbeKills},
	} {
		if *v.to < 0 {
			*v.to = *v.from
		}
	}
	if !m.Runtime.Known() {
		m.Runtime = more.Runtime
	}
	return m
}

// fewer is the smaller of two counts of samples; a negative count is not known.
func fewer(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}
