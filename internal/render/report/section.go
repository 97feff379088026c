package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Section is what the page scores: a namespace of a cluster, or a file.
type Section struct {
	Name      string
	Workloads int
	Counts
	Kills      int
	Throttled  float64
	Containers int
	clean      float64 // containers without error; one with a warning is a half
	Failing    int     // containers with an error
	Cautioned  int     // containers with a warning and no error
	Hurt       hurt
	// Refused, Changed and Warned count each workload once, by the first of them that holds.
	Refused, Changed, Warned int
	// RefusedChanged are those of Refused that would be changed first, ChangedWarned those of
	// Changed of which something would be told.
	RefusedChanged, ChangedWarned int
	Namespace                     *Namespace // nil where nothing is known of it
}

// Score is how many of a hundred containers are without error, rounded down; -1 where there
// are none.
func (s *Section) Score() int {
	if s.Containers == 0 {
		return -1
	}
	return int(math.Floor(100*s.clean/float64(s.Containers) + 1e-9))
}

// Sections are scored worst first. The first value is the whole.
func Sections(r *Report, all []*Group) (Section, []*Section) {
	var total Section
	index := map[string]*Section{}
	var list []*Section
	at := func(name string) *Section {
		if index[name] == nil {
			index[name] = &Section{Name: name}
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
		at(SectionName(r, g.File, g.Resource)).add(g)
		total.add(g)
	}
	if r.Preview != nil {
		for i := range r.Preview.Items {
			item := &r.Preview.Items[i]
			at(SectionName(r, item.File, item.Resource)).Preview(item)
			total.Preview(item)
		}
	}
	slices.SortStableFunc(list, func(a, b *Section) int {
		rank := func(s *Section) int { // nothing to score comes last
			if s.Containers == 0 {
				return 101
			}
			return s.Score()
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Containers, a.Containers), cmp.Compare(a.Name, b.Name))
	})
	return total, list
}

// SectionName is the namespace of an object in a cluster, or else its file.
func SectionName(r *Report, file string, resource engine.Resource) string {
	switch {
	case r.Cluster == nil:
		return file
	case resource.Kind == "Namespace" && resource.Namespace == "":
		return InCluster(resource.Cluster, resource.Name)
	}
	return InCluster(resource.Cluster, resource.Namespace)
}

// InCluster is how a namespace is called: by its name, behind the cluster's where there are several.
func InCluster(cluster, namespace string) string {
	if cluster == "" {
		return namespace
	}
	return cluster + "/" + namespace
}

func (s *Section) add(g *Group) {
	t := g.Tally()
	s.Errors, s.Warnings, s.Infos = s.Errors+t.Errors, s.Warnings+t.Warnings, s.Infos+t.Infos
	if len(g.Containers) == 0 {
		return
	}
	h := g.Harm()
	s.Workloads++
	s.Kills += h.Kills
	s.Throttled += h.Throttled
	s.Hurt.add(h)
	for i := range g.Containers {
		s.Containers++
		switch g.worst(g.Containers[i].Name) {
		case engine.SeverityError:
			s.Failing++
		case engine.SeverityWarning:
			s.Cautioned++
			s.clean += 0.5
		default:
			s.clean++
		}
	}
}

// Preview counts a workload by what would happen to it.
func (s *Section) Preview(item *PreviewItem) {
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
func (g *Group) worst(container string) string {
	rank := len(Severities)
	for i := range g.Items {
		for _, s := range g.Items[i].Spots {
			if s.Container == container || s.Container == "" {
				rank = min(rank, SeverityRank(g.Items[i].Severity))
			}
		}
	}
	if rank == len(Severities) {
		return ""
	}
	return Severities[rank]
}

// hurt counts workloads by what they suffer.
type hurt struct{ Killed, Throttled, Tight, None int }

func (n *hurt) add(h Harm) {
	if h.Kills > 0 {
		n.Killed++
	}
	if h.Cores() > 0 {
		n.Throttled++
	}
	switch {
	case h.Left <= 0:
		n.None++
	case h.Left < EnoughLeft:
		n.Tight++
	}
}

// Labels is what the labels of a namespace say.
func (n *Namespace) Labels() string {
	mode := cmp.Or(terminal.Printable(n.Mode), "no label")
	if n.Mutate != "" {
		mode += ", mutate " + terminal.Printable(n.Mutate)
	}
	return mode
}

// Beside is what stands in a namespace and decides resources.
func (n *Namespace) Beside() string {
	var parts []string
	if n.LimitRanges > 0 {
		parts = append(parts, words.Count(n.LimitRanges, "LimitRange"))
	}
	if n.ResourceQuotas > 0 {
		parts = append(parts, words.Count(n.ResourceQuotas, "ResourceQuota"))
	}
	return strings.Join(parts, ", ")
}
