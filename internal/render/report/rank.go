package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Tenth rounds to one decimal.
func Tenth(n float64) float64 { return math.Round(n*10) / 10 }

// Harm is what a workload suffers today, over all of its containers and replicas.
type Harm struct {
	Kills     int     // OOM kills
	Throttled float64 // cores that threads ask for and are kept from
	Left      float64 // the least share of a memory limit that is left; 1 where it is not known
}

// EnoughLeft is a share of the memory limit from which on more is not better.
const EnoughLeft = 0.2

// Harm sums up what the containers of a workload suffer.
func (g *Group) Harm() Harm {
	h := Harm{Left: 1}
	for i := range g.Containers {
		if d := g.Containers[i].Detail; d != nil {
			h.Kills += d.Harm.OOMKills
			h.Throttled += d.Harm.ThrottledCores * float64(max(g.Replicas, 1))
			h.Left = min(h.Left, d.Harm.HeadroomLeft)
		}
		if b := g.Budget(&g.Containers[i]); b != nil && b.Complete && b.LimitMiB > 0 {
			h.Left = min(h.Left, b.LeftMiB/b.LimitMiB)
		}
	}
	return h
}

// worse orders by what hurts: kills, throttled cores, headroom. Figures are rounded, so that
// a thousandth of a core does not stand before a heap that outgrows its limit.
func (h Harm) worse(other Harm) int {
	left := func(h Harm) float64 { return math.Floor(min(h.Left, EnoughLeft) * 100) }
	return cmp.Or(
		cmp.Compare(other.Kills, h.Kills),
		cmp.Compare(other.Cores(), h.Cores()),
		cmp.Compare(left(h), left(other)),
	)
}

// Cores are those that are throttled, to a tenth.
func (h Harm) Cores() float64 { return Tenth(h.Throttled) }

// Tally counts findings by severity, each container by itself.
func (g *Group) Tally() Counts {
	var t Counts
	for i := range g.Items {
		t.Add(g.Items[i].Severity, len(g.Items[i].Spots))
	}
	return t
}

// NewTally counts those that are new.
func (g *Group) NewTally() Counts {
	var t Counts
	for i := range g.Items {
		if g.Items[i].Mark.New {
			t.Add(g.Items[i].Severity, len(g.Items[i].Spots))
		}
	}
	return t
}

// Ranked are the groups of a report, worst first.
func Ranked(r *Report) []*Group {
	type entry struct {
		*Group
		Harm
		Counts
	}
	all := Groups(r)
	entries := make([]entry, len(all))
	for i, g := range all {
		entries[i] = entry{g, g.Harm(), g.Tally()}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(
			a.worse(b.Harm),
			cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings), cmp.Compare(b.Infos, a.Infos),
			cmp.Compare(a.Resource.Cluster, b.Resource.Cluster),
			cmp.Compare(a.Resource.Namespace, b.Resource.Namespace), cmp.Compare(a.Resource.Kind, b.Resource.Kind),
			cmp.Compare(a.Resource.Name, b.Resource.Name),
		)
	})
	for i := range entries {
		all[i] = entries[i].Group
	}
	return all
}

// Rank sorts the workloads of an audit by urgency. First come those that are killed, then those
// that are throttled most, then those with the least headroom, measured or by a JVM's budget. Among
// equals come those with the most errors, warnings and infos.
func Rank(r *Report) {
	place := map[engine.Resource]int{}
	for i, g := range Ranked(r) {
		place[g.Resource] = i
	}
	slices.SortStableFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Compare(place[a.Resource], place[b.Resource])
	})
}

// Listed are the groups in the order in which a reader wants them: the worst first, of files by the
// worst finding.
func Listed(r *Report) []*Group {
	if r.Cluster != nil {
		return Ranked(r)
	}
	all := Groups(r)
	slices.SortStableFunc(all, func(a, b *Group) int {
		of, than := a.Shown(r), b.Shown(r)
		if len(of) == 0 || len(than) == 0 {
			return min(len(than), 1) - min(len(of), 1)
		}
		return Worse(&of[0].Finding, &than[0].Finding)
	})
	return all
}

// Budget is the memory budget of a container: what the policies say of it, else the sum that
// a finding rests on; nil without either.
func (g *Group) Budget(c *Container) *engine.Budget {
	if c.Detail != nil && c.Detail.Budget != nil {
		return c.Detail.Budget
	}
	for i := range g.Items {
		for _, s := range g.Items[i].Spots {
			if s.Container != c.Name {
				continue
			}
			if b := budgetFrom(g.Items[i].Figures); b != nil {
				return b
			}
		}
	}
	return nil
}

func budgetFrom(figures map[string]any) *engine.Budget {
	sum, ok := SumOf(figures)
	limit, limited := Number(figures["limit_mib"])
	if !ok || sum.unit != "mib" || !limited || limit <= 0 {
		return nil
	}
	b := &engine.Budget{LimitMiB: limit, Complete: true}
	for _, t := range figures["terms"].([]any) {
		term := t.(map[string]any)
		mib, _ := Number(term["mib"])
		assumed, _ := term["assumed"].(bool)
		b.Terms = append(b.Terms, engine.Term{
			Name: text(term["name"]), MiB: mib, Source: source(term), Assumed: assumed || guessed(source(term)),
		})
		b.TotalMiB += mib
	}
	b.LeftMiB = b.LimitMiB - b.TotalMiB
	b.Headroom = b.LeftMiB / b.LimitMiB
	return b
}
