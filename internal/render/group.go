package render

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// group is what a person reads together: one object and what was found about it.
type group struct {
	Workload
	items    []item
	exempted int
	known    int // to the baseline
}

// item is a finding, and every container of the object that it holds for word by word.
type item struct {
	engine.Finding
	spots []spot
	mark  Mark
}

type spot struct {
	container string
	line      int
}

type groupKey struct {
	file     string
	resource engine.Resource
}

// groups sorts findings under their objects, in the order of the files. Objects
// without findings are among them, with no items.
func groups(r *Report) []*group {
	var all []*group
	index := map[groupKey][]*group{}
	add := func(w Workload) *group {
		g := &group{Workload: w}
		key := groupKey{w.File, w.Resource}
		all, index[key] = append(all, g), append(index[key], g)
		return g
	}
	for _, w := range r.Workloads {
		add(w)
	}
	for _, f := range r.Findings {
		g := owner(index[groupKey{f.File, f.Resource}], f.Line)
		if g == nil { // not a workload, e.g. a LimitRange or a KubeletConfiguration
			g = add(Workload{Resource: f.Resource, File: f.File, Line: f.Line})
		}
		g.add(f, r.Changed.Mark(&f))
	}
	for _, f := range r.Exempted {
		if g := owner(index[groupKey{f.File, f.Resource}], f.Line); g != nil {
			g.exempted++
		}
	}
	for _, f := range r.Known {
		if g := owner(index[groupKey{f.File, f.Resource}], f.Line); g != nil {
			g.known++
		}
	}
	slices.SortStableFunc(all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for _, g := range all {
		slices.SortStableFunc(g.items, func(a, b item) int {
			return cmp.Or(cmp.Compare(a.mark.first(), b.mark.first()),
				cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)))
		})
	}
	return all
}

// owner picks the object a line belongs to, when one file holds the same name twice.
func owner(candidates []*group, line int) *group {
	var found *group
	for _, g := range candidates {
		if found == nil || (g.Line <= line && g.Line >= found.Line) {
			found = g
		}
	}
	return found
}

// add folds a finding into one that says the same of another container.
func (g *group) add(f engine.Finding, m Mark) {
	for i := range g.items {
		if g.items[i].mark == m && same(&g.items[i].Finding, &f) {
			g.items[i].spots = append(g.items[i].spots, spot{f.Container, f.Line})
			return
		}
	}
	g.items = append(g.items, item{Finding: f, spots: []spot{{f.Container, f.Line}}, mark: m})
}

func same(a, b *engine.Finding) bool {
	return a.Rule == b.Rule && a.Severity == b.Severity && a.Message == b.Message && a.Expected == b.Expected &&
		a.Fixable == b.Fixable && reflect.DeepEqual(a.Figures, b.Figures)
}

// where is "api, line 31", or "api (line 31), worker (line 58)" when there are several.
func (i *item) where() string {
	var parts []string
	for _, s := range i.spots {
		container, line := terminal.Printable(s.container), ""
		if s.line > 0 {
			line = fmt.Sprintf("line %d", s.line)
		}
		switch {
		case container == "" || line == "":
			parts = append(parts, container+line)
		case len(i.spots) == 1:
			parts = append(parts, container+", "+line)
		default:
			parts = append(parts, container+" ("+line+")")
		}
	}
	return strings.Join(parts, ", ")
}

// runtimes words the values of the runtime annotation, "?" marking a guess; anything else
// is words already.
var runtimes = map[string]string{
	"jvm": "runs a JVM", "jvm?": "probably runs a JVM", "go": "runs Go", "ruby": "runs Ruby", "python": "runs Python", "node": "runs Node.js",
	"native": "runs native code",
}

// shown is the container's name; one that the API server will refuse may have none.
func (c *Container) shown() string {
	if c.Name == "" {
		return "(no name)"
	}
	return terminal.Printable(c.Name)
}

// why is the evidence for what a container was taken for.
func (c *Container) why() string {
	var parts []string
	for _, s := range []string{c.Evidence, cmp.Or(runtimes[c.Runtime], c.Runtime)} {
		if s != "" {
			parts = append(parts, terminal.Printable(s))
		}
	}
	return strings.Join(parts, "; ")
}

func (c *Container) class() string {
	if c.Class == "" {
		return "unclassified"
	}
	return terminal.Printable(c.Class)
}
