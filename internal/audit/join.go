package audit

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Join makes one report of those of several clusters, each called by its context: what belongs to one says so.
func Join(contexts []string, reports []*report.Report) *report.Report {
	joined := &report.Report{Cluster: &report.Cluster{Name: strings.Join(contexts, ", ")}}
	for i, r := range reports {
		name := contexts[i]
		within := func(resource *engine.Resource) { resource.Cluster = name }
		for _, list := range [][]engine.Finding{r.Findings, r.Exempted} {
			for j := range list {
				within(&list[j].Resource)
			}
		}
		for j := range r.Workloads {
			within(&r.Workloads[j].Resource)
		}
		for j := range r.Skipped {
			skip := &r.Skipped[j]
			if skip.Resource == (engine.Resource{}) {
				skip.What += " in " + name
				continue
			}
			within(&skip.Resource)
		}
		for j := range r.Problems {
			r.Problems[j].Message = name + ": " + r.Problems[j].Message
		}
		if r.Preview != nil {
			for j := range r.Preview.Items {
				within(&r.Preview.Items[j].Resource)
			}
			if joined.Preview == nil {
				joined.Preview = &report.Preview{Mode: r.Preview.Mode}
			}
			joined.Preview.Items = append(joined.Preview.Items, r.Preview.Items...)
		}
		joined.Findings = append(joined.Findings, r.Findings...)
		joined.Exempted = append(joined.Exempted, r.Exempted...)
		joined.Skipped = append(joined.Skipped, r.Skipped...)
		joined.Problems = append(joined.Problems, r.Problems...)
		joined.Workloads = append(joined.Workloads, r.Workloads...)
		joined.Summary.Documents += r.Summary.Documents
		joined.Summary.Workloads += r.Summary.Workloads
		joined.Summary.Containers += r.Summary.Containers
		joinCluster(joined.Cluster, name, r.Cluster)
	}
	report.Rank(joined)
	joined.Count()
	return joined
}

func joinCluster(all *report.Cluster, name string, one *report.Cluster) {
	if one == nil {
		return
	}
	for _, n := range one.Namespaces {
		n.Name = report.InCluster(name, n.Name)
		all.Namespaces = append(all.Namespaces, n)
	}
	if all.Taken.Before(one.Taken) {
		all.Taken = one.Taken
	}
	if one.Measured != "" && !slices.Contains(strings.Split(all.Measured, "; "), one.Measured) {
		all.Measured = strings.TrimPrefix(all.Measured+"; "+one.Measured, "; ")
	}
}
