package report

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Group is what a person reads together: one object and what was found about it.
type Group struct {
	Workload
	Items    []Item
	Exempted int
	Known    int // to the baseline
}

// Item is a finding, and every container of the object that it holds for word by word.
type Item struct {
	engine.Finding
	Spots []Spot
	Mark  Mark
}

// Spot is a container, and the line of the field in question; 0 where it is not known.
type Spot struct {
	Container string
	Line      int
}

// GroupKey is what findings of one object have in common; a file may hold the same name twice.
type GroupKey struct {
	File     string
	Resource engine.Resource
}

// Groups sorts findings under their objects, in the order of the files. Objects
// without findings are among them, with no items.
func Groups(r *Report) []*Group {
	var all []*Group
	index := map[GroupKey][]*Group{}
	add := func(w Workload) *Group {
		g := &Group{Workload: w}
		key := GroupKey{w.File, w.Resource}
		all, index[key] = append(all, g), append(index[key], g)
		return g
	}
	for _, w := range r.Workloads {
		add(w)
	}
	for _, f := range r.Findings {
		g := owner(index[GroupKey{f.File, f.Resource}], f.Line)
		if g == nil { // not a workload, e.g. a LimitRange or a KubeletConfiguration
			g = add(Workload{Resource: f.Resource, File: f.File, Line: f.Line})
		}
		g.add(f, r.Changed.Mark(&f))
	}
	for _, f := range r.Exempted {
		if g := owner(index[GroupKey{f.File, f.Resource}], f.Line); g != nil {
			g.Exempted++
		}
	}
	for _, f := range r.Known {
		if g := owner(index[GroupKey{f.File, f.Resource}], f.Line); g != nil {
			g.Known++
		}
	}
	slices.SortStableFunc(all, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for _, g := range all {
		slices.SortStableFunc(g.Items, func(a, b Item) int {
			return cmp.Or(cmp.Compare(a.Mark.first(), b.Mark.first()), Worse(&a.Finding, &b.Finding))
		})
	}
	return all
}

// Shown are the items that a person sees.
func (g *Group) Shown(r *Report) []*Item {
	var list []*Item
	for i := range g.Items {
		if r.Shows(g.Items[i].Severity) {
			list = append(list, &g.Items[i])
		}
	}
	return list
}

// owner picks the object a line belongs to, when one file holds the same name twice.
func owner(candidates []*Group, line int) *Group {
	var found *Group
	for _, g := range candidates {
		if found == nil || (g.Line <= line && g.Line >= found.Line) {
			found = g
		}
	}
	return found
}

// add folds a finding into one that says the same of another container.
func (g *Group) add(f engine.Finding, m Mark) {
	for i := range g.Items {
		if g.Items[i].Mark == m && same(&g.Items[i].Finding, &f) {
			g.Items[i].Spots = append(g.Items[i].Spots, Spot{f.Container, f.Line})
			return
		}
	}
	g.Items = append(g.Items, Item{Finding: f, Spots: []Spot{{f.Container, f.Line}}, Mark: m})
}

func same(a, b *engine.Finding) bool {
	return a.Rule == b.Rule && a.Severity == b.Severity && a.Message == b.Message && a.Expected == b.Expected &&
		a.Fixable == b.Fixable && reflect.DeepEqual(a.Figures, b.Figures)
}

// Where is "api, line 31", or "api (line 31), worker (line 58)" when there are several.
func (i *Item) Where() string {
	var parts []string
	for _, s := range i.Spots {
		container, line := terminal.Printable(s.Container), ""
		if s.Line > 0 {
			line = fmt.Sprintf("line %d", s.Line)
		}
		switch {
		case container == "" || line == "":
			parts = append(parts, container+line)
		case len(i.Spots) == 1:
			parts = append(parts, container+", "+line)
		default:
			parts = append(parts, container+" ("+line+")")
		}
	}
	return strings.Join(parts, ", ")
}

// Shown is the container's name; one that the API server will refuse may have none.
func (c *Container) Shown() string {
	if c.Name == "" {
		return "(no name)"
	}
	return terminal.Printable(c.Name)
}

// Why is the evidence for what a container was taken for.
func (c *Container) Why() string {
	var parts []string
	for _, s := range []string{c.Evidence, c.Runs} {
		if s != "" {
			parts = append(parts, terminal.Printable(s))
		}
	}
	return strings.Join(parts, "; ")
}

// ClassName is the class, or a word for none.
func (c *Container) ClassName() string {
	if c.Class == "" {
		return "unclassified"
	}
	return terminal.Printable(c.Class)
}
