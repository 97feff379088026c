package baseline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Source is what a known finding's suppression names as its origin.
const Source = "baseline"

// unexplained stands for the reason where nobody wrote one.
const unexplained = "it was there already"

// Apply takes the known findings out of a report and adds what is stale. The scope is what
// the run has read.
func (b *Baseline) Apply(r *report.Report, scope Scope) {
	left := b.left()
	order := make([]int, len(r.Findings))
	for i := range order {
		order[i] = i
	}
	// The most severe first: an entry must not go to a warning while an error of the same
	// key needs it.
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(severe(r.Findings[j].Severity), severe(r.Findings[i].Severity))
	})
	known := make(map[int]string, len(order))
	for _, i := range order {
		if reason, ok := take(left[KeyOf(r.Findings[i])], r.Findings[i].Severity); ok {
			known[i] = cmp.Or(reason, unexplained)
		}
	}
	seen := seen(r)
	var fresh []engine.Finding
	for i, f := range r.Findings {
		reason, ok := known[i]
		if !ok {
			fresh = append(fresh, f)
			continue
		}
		f.Suppressed = &engine.Suppression{Reason: reason, Source: Source}
		r.Known = append(r.Known, f)
	}
	r.Findings = fresh
	whole := whole(r, scope, b.Covers)
	for _, e := range b.Entries {
		n := left[e.Key][e.Severity].count // each entry is in it
		if n > 0 && (whole || seen[e.Workload]) {
			r.Stale = append(r.Stale, b.stale(e, n))
		}
	}
	r.Count()
}

// whole says that a run has read everything that a baseline is about.
func whole(r *report.Report, scope, covers Scope) bool {
	return len(r.Problems) == 0 && scope.Includes(covers)
}

// rest is how many findings an entry still stands for.
type rest struct {
	count  int
	reason string
}

func (b *Baseline) left() map[Key]map[string]*rest {
	left := make(map[Key]map[string]*rest, len(b.Entries))
	for _, e := range b.Entries {
		if left[e.Key] == nil {
			left[e.Key] = map[string]*rest{}
		}
		left[e.Key][e.Severity] = &rest{e.Count, e.Reason}
	}
	return left
}

// take uses up one finding of an entry that is as severe, or more: what became less severe is
// known, and what became more severe is new.
func take(left map[string]*rest, severity string) (reason string, ok bool) {
	at := severe(severity)
	if at < 0 {
		return "", false
	}
	for _, s := range severities[at:] {
		if entry := left[s]; entry != nil && entry.count > 0 {
			entry.count--
			return entry.reason, true
		}
	}
	return "", false
}

func (b *Baseline) stale(e Entry, count int) report.Stale {
	w := e.Workload
	return report.Stale{
		Rule: e.Rule, Severity: e.Severity, Group: w.Group, Kind: w.Kind, Namespace: w.Namespace, Name: w.Name,
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
	reasons := map[Key]map[string]*rest{}
	if len(before.Entries) > 0 {
		reasons = before.left()
	}
	entries := map[Key]map[string]*Entry{}
	add := func(e Entry) {
		if entries[e.Key] == nil {
			entries[e.Key] = map[string]*Entry{}
		}
		if known := entries[e.Key][e.Severity]; known != nil {
			known.Count += e.Count
			return
		}
		entries[e.Key][e.Severity] = &e
	}
	for i := range r.Findings {
		key, severity := KeyOf(r.Findings[i]), r.Findings[i].Severity
		add(Entry{Key: key, Severity: severity, Count: 1, Reason: reasonOf(reasons[key], severity)})
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
			b.Entries = append(b.Entries, *e)
		}
	}
	slices.SortFunc(b.Entries, compare)
	return b
}

// reasonOf is the reason of an entry; where its severity has changed, that of the others.
func reasonOf(of map[string]*rest, severity string) string {
	if entry := of[severity]; entry != nil && entry.reason != "" {
		return entry.reason
	}
	for _, s := range severities {
		if entry := of[s]; entry != nil && entry.reason != "" {
			return entry.reason
		}
	}
	return ""
}
