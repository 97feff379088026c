package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Entry is one cause, and every container of the run that it holds for. It is what a person reads;
// programs get every finding.
type Entry struct {
	engine.Finding          // of the first container
	With           []string // rules whose findings have the same cause
	Places         []*engine.Finding
	Mark           Mark
	twins          twins
}

// ClassMissing is the rule of containers without a class. What it says of one it says of all, so that
// it is one entry of a run.
const ClassMissing = "HR101"

// Shows tells whether findings of a severity are for a person to see; infos are not unless
// somebody asks for them.
func (r *Report) Shows(severity string) bool {
	least := SeverityRank(cmp.Or(r.Show, engine.SeverityWarning))
	return min(SeverityRank(severity), len(Severities)-1) <= least
}

// Hidden counts the entries that are not shown.
func (r *Report) Hidden() (n Counts) {
	all := *r
	all.Show = engine.SeverityInfo
	for _, e := range Entries(&all) {
		if !r.Shows(e.Severity) {
			n.Add(e.Severity, 1)
		}
	}
	return n
}

// spotKey is one container of one object; containers "" is the object itself.
type spotKey struct {
	GroupKey
	container string
}

func spotOf(f *engine.Finding) spotKey {
	return spotKey{GroupKey{f.File, f.Resource}, f.Container}
}

// causes finds the finding that speaks for another one.
type causes map[spotKey]map[string]*engine.Finding

// causesOf looks at the findings that are shown: one that a baseline knows speaks for none.
func causesOf(r *Report) causes {
	c := causes{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !r.Shows(f.Severity) {
			continue
		}
		at := spotOf(f)
		if c[at] == nil {
			c[at] = map[string]*engine.Finding{}
		}
		if c[at][f.Rule] == nil {
			c[at][f.Rule] = f
		}
	}
	return c
}

// lead is the finding itself where none speaks for it.
func (c causes) lead(f *engine.Finding) *engine.Finding {
	at, lead := c[spotOf(f)], f
	for range len(at) {
		next := at[lead.Group]
		if next == nil || lead.Group == lead.Rule {
			break
		}
		lead = next
	}
	return lead
}

// Leads tells of the findings which of them are shown where one has to stand for its cause.
func Leads(r *Report) func(*engine.Finding) bool {
	c := causesOf(r)
	return func(f *engine.Finding) bool { return r.Shows(f.Severity) && c.lead(f) == f }
}

// Led is the report with no findings but its leads.
func (r *Report) Led() *Report {
	led, leads := *r, Leads(r)
	led.Findings = nil
	for i := range r.Findings {
		if leads(&r.Findings[i]) {
			led.Findings = append(led.Findings, r.Findings[i])
		}
	}
	return &led
}

// Entries are what a person sees of the findings, the worst first: what is new of a change, then by
// severity, then by harm.
func Entries(r *Report) []*Entry {
	c := causesOf(r)
	with := map[*engine.Finding][]string{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if lead := c.lead(f); lead != f && r.Shows(f.Severity) {
			with[lead] = append(with[lead], f.Rule)
		}
	}
	var all []*Entry
	index, shared := map[entryKey]*Entry{}, twinsOf(r)
	for i := range r.Findings {
		f := &r.Findings[i]
		if !r.Shows(f.Severity) || c.lead(f) != f {
			continue
		}
		rules := with[f]
		slices.Sort(rules)
		rules = slices.Compact(rules)
		mark := r.Changed.Mark(f)
		key := keyOfEntry(f, rules, mark)
		e := index[key]
		if e == nil {
			e = &Entry{With: rules, Mark: mark, twins: shared}
			index[key], all = e, append(all, e)
		}
		e.Places = append(e.Places, f)
	}
	for _, e := range all {
		slices.SortStableFunc(e.Places, Worse)
		e.Finding = *e.Places[0]
	}
	slices.SortStableFunc(all, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.Mark.first(), b.Mark.first()), Worse(&a.Finding, &b.Finding))
	})
	return all
}

// Worse orders findings, the worst first: by severity, harm and whether it is certain; those of one
// rule by how much is wrong.
func Worse(a, b *engine.Finding) int {
	return cmp.Or(
		cmp.Compare(SeverityRank(a.Severity), SeverityRank(b.Severity)),
		cmp.Compare(HarmRank(a.Harm), HarmRank(b.Harm)),
		-compareBool(a.Certain, b.Certain),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(amount(b), amount(a)),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// amount is how much is wrong; 0 where the rule does not measure it.
func amount(f *engine.Finding) float64 {
	if f.Size == nil {
		return 0
	}
	return f.Size.Value
}

// twins are names that objects of several kinds have.
type twins map[name]bool

type name struct{ cluster, namespace, name string }

func twinsOf(r *Report) twins {
	kinds, shared := map[name]string{}, twins{}
	see := func(o *engine.Resource) {
		n := name{o.Cluster, o.Namespace, o.Name}
		if kind, seen := kinds[n]; seen && kind != o.Kind {
			shared[n] = true
		}
		kinds[n] = o.Kind
	}
	for i := range r.Workloads {
		see(&r.Workloads[i].Resource)
	}
	for i := range r.Findings {
		see(&r.Findings[i].Resource)
	}
	return shared
}

// NeedsKind tells that the name of a place's object does not say which one it is.
func (e *Entry) NeedsKind(f *engine.Finding) bool {
	return e.twins[name{f.Resource.Cluster, f.Resource.Namespace, f.Resource.Name}]
}

// HarmRank is the place of a harm in engine.Harms; what is not known comes last.
func HarmRank(harm string) int {
	if i := slices.Index(engine.Harms, harm); i >= 0 {
		return i
	}
	return len(engine.Harms)
}

// entryKey is what the containers of an entry have in common.
type entryKey struct {
	rule, severity, with, text string
	fixable, unclassed         bool
	mark                       Mark
}

func keyOfEntry(f *engine.Finding, with []string, mark Mark) entryKey {
	key := entryKey{f.Rule, f.Severity, strings.Join(with, " "), f.Why, f.Fixable, f.Unclassed, mark}
	switch {
	case f.Rule == ClassMissing:
		key.text = ""
	case f.Why == "":
		key.text = f.Message + "\x00" + f.Expected
	}
	return key
}

// Workloads counts the objects of an entry.
func (e *Entry) Workloads() int {
	seen := map[GroupKey]bool{}
	for _, f := range e.Places {
		seen[GroupKey{f.File, f.Resource}] = true
	}
	return len(seen)
}
