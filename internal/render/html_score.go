package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
)

// section is what the page scores: a namespace of a cluster, or a file.
type section struct {
	Name      string
	Workloads int
	Counts
	Kills      int
	Throttled  float64
	Containers int
	clean      float64 // containers without error; one with a warning is a half
	failing    int     // containers with an error
	hurt       hurt
	Previewed  bool
	// Refused, Changed and Warned count each workload once, by the first of them that holds.
	Refused, Changed, Warned int
	// RefusedChanged are those of Refused that would be changed first, ChangedWarned those of
	// Changed of which something would be told.
	RefusedChanged, ChangedWarned int
	Namespace                     *Namespace // nil where nothing is known of it
}

// Score is how many of a hundred containers are without error, rounded down; -1 where there
// are none.
func (s *section) Score() int {
	if s.Containers == 0 {
		return -1
	}
	return int(math.Floor(100*s.clean/float64(s.Containers) + 1e-9))
}

// sections are scored worst first. The first value is the whole.
func sections(r *Report, all []*group) (section, []*section) {
	total := section{Previewed: r.Preview != nil}
	index := map[string]*section{}
	var list []*section
	at := func(name string) *section {
		if index[name] == nil {
			index[name] = &section{Name: name, Previewed: r.Preview != nil}
			list = append(list, index[name])
		}
		return index[name]
	}
	if r.Cluster != nil {
		for i := range r.Cluster.Namespaces {
			at(r.Cluster.Namespaces[i].Name).Namespace = &r.Cluster.Namespaces[i]
		}
	}
	for _, g := range all {
		at(sectionName(r, g.File, g.Resource)).add(g)
		total.add(g)
	}
	if r.Preview != nil {
		for i := range r.Preview.Items {
			item := &r.Preview.Items[i]
			at(sectionName(r, item.File, item.Resource)).preview(item)
			total.preview(item)
		}
	}
	slices.SortStableFunc(list, func(a, b *section) int {
		rank := func(s *section) int { // nothing to score comes last
			if s.Containers == 0 {
				return 101
			}
			return s.Score()
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Containers, a.Containers), cmp.Compare(a.Name, b.Name))
	})
	return total, list
}

func sectionName(r *Report, file string, resource engine.Resource) string {
	switch {
	case r.Cluster == nil:
		return file
	case resource.Kind == "Namespace" && resource.Namespace == "":
		return resource.Name
	}
	return resource.Namespace
}

func (s *section) add(g *group) {
	t := g.tally()
	s.Errors, s.Warnings, s.Infos = s.Errors+t.Errors, s.Warnings+t.Warnings, s.Infos+t.Infos
	if len(g.Containers) == 0 {
		return
	}
	h := g.harm()
	s.Workloads++
	s.Kills += h.kills
	s.Throttled += h.throttled
	s.hurt.add(h)
	for i := range g.Containers {
		s.Containers++
		switch g.worst(g.Containers[i].Name) {
		case engine.SeverityError:
			s.failing++
		case engine.SeverityWarning:
			s.clean += 0.5
		default:
			s.clean++
		}
	}
}

func (s *section) preview(item *PreviewItem) {
	changed := len(item.Changed) > 0
	switch {
	case len(item.Refused) > 0:
		s.Refused++
		if changed {
			s.RefusedChanged++
		}
	case changed:
		s.Changed++
		if len(item.Warned) > 0 {
			s.ChangedWarned++
		}
	case len(item.Warned) > 0:
		s.Warned++
	}
}

// worst is the severity of the worst finding on a container; what is wrong with the workload
// is wrong with each of its containers.
func (g *group) worst(container string) string {
	rank := len(severities)
	for i := range g.items {
		for _, s := range g.items[i].spots {
			if s.container == container || s.container == "" {
				rank = min(rank, severityRank(g.items[i].Severity))
			}
		}
	}
	if rank == len(severities) {
		return ""
	}
	return severities[rank]
}

// hurt counts workloads by what they suffer.
type hurt struct{ killed, throttled, tight, none int }

func (n *hurt) add(h harm) {
	if h.kills > 0 {
		n.killed++
	}
	if h.cores() > 0 {
		n.throttled++
	}
	switch {
	case h.left <= 0:
		n.none++
	case h.left < enoughLeft:
		n.tight++
	}
}
