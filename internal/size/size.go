// Package size writes what containers should have, from their measured use: of a cluster that runs, or of
// manifests. The policies decide; here values are brought together, added up and written.
package size

import (
	"cmp"
	"slices"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Workload is one workload and what it should have.
type Workload struct {
	Resource engine.Resource
	File     string // "" of a cluster
	Line     int
	Replicas int
	// Made says that another object makes it, which is what has to be changed.
	Made bool
	// Manifest is the workload as it is, and Scalers are the objects that scale it, by name.
	Manifest map[string]any
	Scalers  map[string]map[string]any
	// Untold counts the containers with a JVM that Prometheus measured, and that tells nothing of itself.
	Untold int
	engine.Sizing
}

// Report is everything that one run found out.
type Report struct {
	Workloads []Workload
	Problems  []report.Problem
	NotRead   []report.Unread // what stands below the folders that were named and is not read
	// Measured says where measured use came from, in words; "" where the annotations of manifests say it.
	Measured string
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Resource.Namespace, b.Resource.Namespace), cmp.Compare(a.Resource.Kind, b.Resource.Kind),
			cmp.Compare(a.Resource.Name, b.Resource.Name))
	})
}

// Cost is what all replicas of some workloads reserve.
type Cost struct{ Before, After engine.Reserved }

func (c *Cost) add(other Cost, times int) {
	c.Before.CPU += other.Before.CPU * int64(times)
	c.Before.Memory += other.Before.Memory * int64(times)
	c.After.CPU += other.After.CPU * int64(times)
	c.After.Memory += other.After.Memory * int64(times)
}

// Cost is what all replicas of the workload reserve, before and after.
func (w *Workload) Cost() Cost {
	var each, all Cost
	for i := range w.Containers {
		each.add(Cost{w.Containers[i].Before, w.Containers[i].After}, 1)
	}
	all.add(each, w.Replicas)
	return all
}

// Cost is that of all workloads.
func (r *Report) Cost() Cost {
	var all Cost
	for i := range r.Workloads {
		all.add(r.Workloads[i].Cost(), 1)
	}
	return all
}

// Changed says whether anything of the workload is to be changed.
func (w *Workload) Changed() bool {
	return len(w.Patch) > 0 || slices.ContainsFunc(w.Autoscalers, func(a engine.AutoscalerSize) bool { return a.Wanted != a.Now })
}

// Changes counts the workloads that are to be changed.
func (r *Report) Changes() int {
	n := 0
	for i := range r.Workloads {
		if r.Workloads[i].Changed() {
			n++
		}
	}
	return n
}
