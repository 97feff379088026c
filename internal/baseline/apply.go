package baseline

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/headroom-dev/headroom/internal/growth"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Source is what a known finding's suppression names as its origin.
const Source = "baseline"

// unexplained is the reason of an entry without one.
const unexplained = "it was there already"

// Apply takes the known findings out of a report and adds what is stale. A finding that is worse
// than it was stays, and says so. The scope is what the run has read.
func (b *Baseline) Apply(r *report.Report, scope Scope) {
	order := make([]*engine.Finding, len(r.Findings))
	for i := range r.Findings {
		order[i] = &r.Findings[i]
	}
	// The worst first: an entry must not go to a warning while an error of the same key needs it.
	slices.SortStableFunc(order, func(f, g *engine.Finding) int {
		return cmp.Or(cmp.Compare(severe(g.Severity), severe(f.Severity)), cmp.Compare(sized(g), sized(f)))
	})
	slots := b.slots(order)
	known := make(map[*engine.Finding]*slot, len(order))
	used := make([]int, len(b.Entries))
	take := func(fits func(*slot, *engine.Finding) bool, found func(*slot, *engine.Finding)) {
		for _, f := range order {
			if known[f] != nil {
				continue
			}
			for _, s := range slots[KeyOf(*f)] {
				if !s.taken && fits(s, f) {
					s.taken, known[f] = true, s
					used[s.entry]++
					found(s, f)
					break
				}
			}
		}
	}
	worse := map[*engine.Finding]bool{}
	take((*slot).covers, func(*slot, *engine.Finding) {})
	take(func(*slot, *engine.Finding) bool { return true }, func(s *slot, f *engine.Finding) {
		growth.Tell(f, s.severity, s.size)
		worse[f] = true
	})
	seen := seen(r)
	var fresh []engine.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if known[f] == nil || worse[f] {
			fresh = append(fresh, *f)
			continue
		}
		f.Suppressed = &engine.Suppression{Reason: cmp.Or(known[f].reason, unexplained), Source: Source}
		r.Known = append(r.Known, *f)
	}
	r.Findings = fresh
	whole := whole(r, scope, b.Covers)
	for i, e := range b.Entries {
		if n := e.Count - used[i]; n > 0 && (whole || seen[e.Workload]) {
			r.Stale = append(r.Stale, b.stale(e, n))
		}
	}
	r.Count()
}

// sized is the size of a finding, below any other where it has none.
func sized(f *engine.Finding) float64 {
	if f.Size == nil {
		return -1
	}
	return f.Size.Value
}

// slot is one finding that an entry stands for.
type slot struct {
	entry            int
	severity, reason string
	size             *float64 // nil if the baseline has no size
	taken            bool
}

// covers says whether a finding is no worse than what is known: what became less severe is known.
func (s *slot) covers(f *engine.Finding) bool {
	return !growth.Louder(f, s.severity) && !growth.Larger(f, s.size)
}

// slots are those of each key, the least first: a finding takes the least that covers it. An entry
// may count more than there are findings, and has no more slots than could be taken.
func (b *Baseline) slots(findings []*engine.Finding) map[Key][]*slot {
	wanted := map[Key]int{}
	for _, f := range findings {
		wanted[KeyOf(*f)]++
	}
	slots := map[Key][]*slot{}
	for i, e := range b.Entries {
		if wanted[e.Key] == 0 {
			continue
		}
		for n := range len(e.Sizes) + min(e.Count-len(e.Sizes), wanted[e.Key]) {
			s := &slot{entry: i, severity: e.Severity, reason: e.Reason}
			if n < len(e.Sizes) {
				s.size = &e.Sizes[n]
			}
			slots[e.Key] = append(slots[e.Key], s)
		}
	}
	for _, list := range slots {
		slices.SortStableFunc(list, func(a, b *slot) int {
			return cmp.Or(cmp.Compare(severe(a.severity), severe(b.severity)), cmp.Compare(noted(a), noted(b)))
		})
	}
	return slots
}

// noted is the size of a slot; a slot without a size counts as the largest.
func noted(s *slot) float64 {
	if s.size == nil {
		return math.Inf(1)
	}
	return *s.size
}

// whole says that a run has read everything that a baseline is about.
func whole(r *report.Report, scope, covers Scope) bool {
	return len(r.Problems) == 0 && scope.Includes(covers)
}

func (b *Baseline) stale(e Entry, count int) report.Stale {
	w := e.Workload
	return report.Stale{
		Rule: e.Rule, Severity: e.Severity, Cluster: w.Cluster, Group: w.Group, Kind: w.Kind, Namespace: w.Namespace, Name: w.Name,
		Container: e.Container, Count: count, Reason: e.Reason, File: b.File, Line: e.Line,
	}
}

// seen are the objects that the run has read. Those that no rule looks at are not among them.
func seen(r *report.Report) map[Workload]bool {
	found := make(map[Workload]bool, len(r.Workloads))
	for i := range r.Workloads {
		found[WorkloadOf(r.Workloads[i].Resource)] = true
	}
	for i := range r.Skipped {
		found[WorkloadOf(r.Skipped[i].Resource)] = true
	}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted} {
		for i := range list {
			found[WorkloadOf(list[i].Resource)] = true
		}
	}
	return found
}

// Renew makes a baseline of a report to which none has been applied. From the one that was
// there before, which may be nil, it keeps reasons, and the entries of what the run has not
// read.
func Renew(before *Baseline, r *report.Report, scope Scope) *Baseline {
	if before == nil {
		before = &Baseline{}
	}
	reasons := map[Key]map[string]string{}
	for _, e := range before.Entries {
		if reasons[e.Key] == nil {
			reasons[e.Key] = map[string]string{}
		}
		reasons[e.Key][e.Severity] = e.Reason
	}
	entries := map[Key]map[string]*Entry{}
	add := func(e Entry) {
		if entries[e.Key] == nil {
			entries[e.Key] = map[string]*Entry{}
		}
		if known := entries[e.Key][e.Severity]; known != nil {
			known.Count += e.Count
			known.Sizes = append(known.Sizes, e.Sizes...)
			return
		}
		entries[e.Key][e.Severity] = &e
	}
	for i := range r.Findings {
		key, severity := KeyOf(r.Findings[i]), r.Findings[i].Severity
		e := Entry{Key: key, Severity: severity, Count: 1, Reason: reasonOf(reasons[key], severity)}
		if size := growth.Size(&r.Findings[i]); size != nil {
			e.Sizes = []float64{*size}
		}
		add(e)
	}
	b := &Baseline{File: before.File, Covers: scope.union(nil)}
	if !whole(r, scope, before.Covers) {
		b.Covers = scope.union(before.Covers)
		seen := seen(r)
		for _, e := range before.Entries {
			if !seen[e.Workload] {
				add(e)
			}
		}
	}
	for _, bySeverity := range entries {
		for e := range maps.Values(bySeverity) {
			slices.Sort(e.Sizes)
			b.Entries = append(b.Entries, *e)
		}
	}
	slices.SortFunc(b.Entries, compare)
	return b
}

// reasonOf is the reason of an entry; where its severity has changed, that of the others.
func reasonOf(of map[string]string, severity string) string {
	reason := of[severity]
	for _, s := range severities {
		reason = cmp.Or(reason, of[s])
	}
	return reason
}
