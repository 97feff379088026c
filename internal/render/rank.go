package render

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// harm is what a workload suffers today, over all of its containers and replicas.
type harm struct {
	kills     int     // OOM kills
	throttled float64 // cores that threads ask for and are kept from
	left      float64 // the least share of a memory limit that is left; 1 where it is not known
}

// enoughLeft is a share of the memory limit from which on more is not better.
const enoughLeft = 0.2

func (g *group) harm() harm {
	h := harm{left: 1}
	for i := range g.Containers {
		if d := g.Containers[i].Detail; d != nil {
			h.kills += d.Harm.OOMKills
			h.throttled += d.Harm.ThrottledCores * float64(max(g.Replicas, 1))
			h.left = min(h.left, d.Harm.HeadroomLeft)
		}
		if b := g.budget(&g.Containers[i]); b != nil && b.Complete && b.LimitMiB > 0 {
			h.left = min(h.left, b.LeftMiB/b.LimitMiB)
		}
	}
	return h
}

// worse orders by what hurts: kills, throttled cores, headroom. Figures are rounded, so that
// a thousandth of a core does not stand before a heap that outgrows its limit.
func (h harm) worse(other harm) int {
	left := func(h harm) float64 { return math.Floor(min(h.left, enoughLeft) * 100) }
	return cmp.Or(
		cmp.Compare(other.kills, h.kills),
		cmp.Compare(other.cores(), h.cores()),
		cmp.Compare(left(h), left(other)),
	)
}

// cores are those that are throttled, to a tenth.
func (h harm) cores() float64 { return tenth(h.throttled) }

// tally counts findings by severity, each container by itself.
func (g *group) tally() Counts {
	var t Counts
	for i := range g.items {
		t.Add(g.items[i].Severity, len(g.items[i].spots))
	}
	return t
}

// freshTally counts those that are new.
func (g *group) freshTally() Counts {
	var t Counts
	for i := range g.items {
		if g.items[i].mark.New {
			t.Add(g.items[i].Severity, len(g.items[i].spots))
		}
	}
	return t
}

// ranked are the groups of a report, worst first.
func ranked(r *Report) []*group {
	type entry struct {
		*group
		harm
		Counts
	}
	all := groups(r)
	entries := make([]entry, len(all))
	for i, g := range all {
		entries[i] = entry{g, g.harm(), g.tally()}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(
			a.worse(b.harm),
			cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings), cmp.Compare(b.Infos, a.Infos),
			cmp.Compare(a.Resource.Namespace, b.Resource.Namespace), cmp.Compare(a.Resource.Kind, b.Resource.Kind),
			cmp.Compare(a.Resource.Name, b.Resource.Name),
		)
	})
	for i := range entries {
		all[i] = entries[i].group
	}
	return all
}

// Rank puts the workloads of an audit first that need someone first: those that are killed, then
// those that are throttled most, then those with the least headroom, measured or by a JVM's budget;
// among equals those with the most errors, warnings and notes.
func Rank(r *Report) {
	place := map[engine.Resource]int{}
	for i, g := range ranked(r) {
		place[g.Resource] = i
	}
	slices.SortStableFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Compare(place[a.Resource], place[b.Resource])
	})
}

// listed are the groups in the order in which a reader wants them: of a cluster the worst first,
// of files as they stand there.
func listed(r *Report) []*group {
	if r.Cluster != nil {
		return ranked(r)
	}
	return groups(r)
}

// state is what a cluster tells of a workload: "3 replicas, 2 OOM kills, 1.4 cores throttled".
func state(g *group) string {
	var parts []string
	if g.Replicas > 0 {
		parts = append(parts, words.Count(g.Replicas, "replica"))
	}
	for i := range g.Containers {
		if g.Containers[i].Detail != nil { // without, the findings say it themselves
			parts = append(parts, pains(g.harm())...)
			break
		}
	}
	return strings.Join(parts, ", ")
}

// budget is the memory budget of a container: what the policies say of it, else the sum that
// a finding rests on; nil where there is none.
func (g *group) budget(c *Container) *engine.Budget {
	if c.Detail != nil && c.Detail.Budget != nil {
		return c.Detail.Budget
	}
	for i := range g.items {
		for _, s := range g.items[i].spots {
			if s.container != c.Name {
				continue
			}
			if b := budgetFrom(g.items[i].Figures); b != nil {
				return b
			}
		}
	}
	return nil
}

func budgetFrom(figures map[string]any) *engine.Budget {
	sum, ok := budgetOf(figures)
	limit, limited := number(figures["limit_mib"])
	if !ok || sum.unit != "mib" || !limited || limit <= 0 {
		return nil
	}
	b := &engine.Budget{LimitMiB: limit, Complete: true}
	for _, t := range figures["terms"].([]any) {
		term := t.(map[string]any)
		mib, _ := number(term["mib"])
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
