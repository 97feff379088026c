package json

import (
	"math"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// What an audit adds to the JSON. Keys carry their unit; null means not known or not counted.
type (
	cluster struct {
		Name       string      `json:"name"`
		Taken      string      `json:"taken,omitempty"` // RFC 3339
		Measured   string      `json:"measured"`        // by what, "" where nothing was measured
		Namespaces []namespace `json:"namespaces"`
	}
	namespace struct {
		Name           string `json:"name"`
		Mode           string `json:"mode"`
		Mutate         string `json:"mutate"`
		LimitRanges    int    `json:"limitRanges"`
		ResourceQuotas int    `json:"resourceQuotas"`
		Score          *int   `json:"score"` // of 100, null where there is no container
		Workloads      int    `json:"workloads"`
		Containers     int    `json:"containers"`
		Errors         int    `json:"errors"`
		Warnings       int    `json:"warnings"`
		Infos          int    `json:"infos"`
	}
	workload struct {
		Resource   engine.Resource `json:"resource"`
		Replicas   int             `json:"replicas"`
		Containers []container     `json:"containers"`
	}
	container struct {
		Name     string    `json:"name"`
		Class    string    `json:"class"`
		Evidence string    `json:"evidence"`
		Runtime  string    `json:"runtime"`
		Detail   *detail   `json:"detail"`
		Measured *measured `json:"measured"`
	}
	detail struct {
		Evidence string  `json:"evidence"` // how well its use was measured, "" if it was not
		CPU      cpu     `json:"cpu"`
		Memory   Memory  `json:"memory"`
		Budget   *Budget `json:"budget"`
		Harm     harmed  `json:"harm"`
	}
	cpu struct {
		Request        int64  `json:"requestMillicores"`
		Limit          int64  `json:"limitMillicores"`
		Average        int64  `json:"averageMillicores"`
		Peak           int64  `json:"peakMillicores"`
		AverageAssumed bool   `json:"averageAssumed"`
		Cores          int64  `json:"cores"`
		WantedRequest  *int64 `json:"wantedRequestMillicores"`
		WantedLimit    *int64 `json:"wantedLimitMillicores"`
	}
	harmed struct {
		OOMKills       int     `json:"oomKills"`
		ThrottledCores float64 `json:"throttledCores"`
		HeadroomLeft   float64 `json:"headroomLeft"`
	}
	measured struct {
		Source           string   `json:"source"`
		Window           float64  `json:"windowSeconds"`
		Samples          *int     `json:"samples"`
		Age              *float64 `json:"ageSeconds"`
		CPUAverage       string   `json:"cpuAverage"`
		CPUPeak          string   `json:"cpuPeak"`
		MemoryPeak       string   `json:"memoryPeak"`
		Periods          *float64 `json:"periods"`
		Throttled        *float64 `json:"throttledPeriods"`
		ThrottledSeconds *float64 `json:"throttledSeconds"`
		OOMKills         *int     `json:"oomKills"`
		Restarts         *int     `json:"restarts"`
	}
	preview struct {
		Mode  string        `json:"mode"`
		Items []previewItem `json:"items"`
	}
	previewItem struct {
		Resource engine.Resource  `json:"resource"`
		File     string           `json:"file"`
		Line     int              `json:"line"`
		Replicas int              `json:"replicas"`
		Refused  []finding        `json:"refused"`
		Warned   []finding        `json:"warned"`
		Changed  []engine.Applied `json:"changed"`
	}
)

func clusterOf(r *report.Report) *cluster {
	c := r.Cluster
	if c == nil {
		return nil
	}
	out := &cluster{Name: c.Name, Measured: c.Measured, Namespaces: []namespace{}}
	if !c.Taken.IsZero() {
		out.Taken = c.Taken.UTC().Format(time.RFC3339)
	}
	_, list := report.Sections(r, report.Groups(r))
	for _, s := range list {
		n := namespace{
			Name: s.Name, Workloads: s.Workloads, Containers: s.Containers,
			Errors: s.Errors, Warnings: s.Warnings, Infos: s.Infos,
		}
		if score := s.Score(); score >= 0 {
			n.Score = &score
		}
		if s.Namespace != nil {
			n.Mode, n.Mutate = s.Namespace.Mode, s.Namespace.Mutate
			n.LimitRanges, n.ResourceQuotas = s.Namespace.LimitRanges, s.Namespace.ResourceQuotas
		}
		out.Namespaces = append(out.Namespaces, n)
	}
	return out
}

func workloadsOf(r *report.Report) []workload {
	if r.Cluster == nil {
		return nil
	}
	list := make([]workload, 0, len(r.Workloads))
	for i := range r.Workloads {
		w := workload{r.Workloads[i].Resource, r.Workloads[i].Replicas, []container{}}
		for j := range r.Workloads[i].Containers {
			c := &r.Workloads[i].Containers[j]
			w.Containers = append(w.Containers, container{
				c.Name, c.Class, c.Evidence, c.Runtime, detailOf(c.Detail), measuredOf(c.Measured),
			})
		}
		list = append(list, w)
	}
	return list
}

func detailOf(d *engine.Detail) *detail {
	if d == nil {
		return nil
	}
	return &detail{
		Evidence: d.Evidence,
		CPU: cpu{
			d.CPU.Request, d.CPU.Limit, d.CPU.Average, d.CPU.Peak, d.CPU.AverageAssumed, d.CPU.Cores,
			known(d.CPU.WantedRequest), known(d.CPU.WantedLimit),
		},
		Memory: Memory(d.Memory), Budget: BudgetOf(d.Budget),
		Harm: harmed{d.Harm.OOMKills, d.Harm.ThrottledCores, d.Harm.HeadroomLeft},
	}
}

func measuredOf(m *engine.Measured) *measured {
	if m == nil {
		return nil
	}
	return &measured{
		m.Source, m.Window.Seconds(), known(m.Samples), known(m.Age.Seconds()), m.CPUAverage, m.CPUPeak, m.MemoryPeak,
		known(m.Periods), known(m.Throttled), known(m.ThrottledSeconds), known(m.OOMKills), known(m.Restarts),
	}
}

// known is nil for -1, which means not asked for or not counted, and for NaN.
func known[T int | int64 | float64](n T) *T {
	if n < 0 || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return nil
	}
	return &n
}

func previewOf(r *report.Report) *preview {
	if r.Preview == nil {
		return nil
	}
	out := &preview{r.Preview.Mode, []previewItem{}}
	for i := range r.Preview.Items {
		item := &r.Preview.Items[i]
		shapes := shaper{prints: report.Fingerprints{}}
		out.Items = append(out.Items, previewItem{
			item.Resource, item.File, item.Line, item.Replicas, shapes.findings(item.Refused), shapes.findings(item.Warned),
			append([]engine.Applied{}, item.Changed...),
		})
	}
	return out
}

// Memory, as programs get it from an audit and from an explanation.
type (
	// Memory is what a container asks for and uses.
	Memory struct {
		Request int64 `json:"requestBytes"`
		Limit   int64 `json:"limitBytes"`
		Peak    int64 `json:"peakBytes"`
	}
	// Budget is the memory budget of a JVM (M1).
	Budget struct {
		Limit    float64 `json:"limitMiB"`
		Least    float64 `json:"leastMiB"`
		Total    float64 `json:"totalMiB"`
		Bound    float64 `json:"boundMiB"`
		Left     float64 `json:"leftMiB"`
		Headroom float64 `json:"headroom"`
		Complete bool    `json:"complete"`
		Grade    string  `json:"grade"`
		Terms    []term  `json:"terms"`
	}
	term struct {
		Name     string  `json:"name"`
		MiB      float64 `json:"mib"`
		LeastMiB float64 `json:"leastMiB"`
		BoundMiB float64 `json:"boundMiB"`
		Source   string  `json:"source"`
		Grade    string  `json:"grade"`
		Assumed  bool    `json:"assumed"`
	}
)

// BudgetOf is nil where there is no budget.
func BudgetOf(b *engine.Budget) *Budget {
	if b == nil {
		return nil
	}
	out := &Budget{b.LimitMiB, b.LeastMiB, b.TotalMiB, b.BoundMiB, b.LeftMiB, b.Headroom, b.Complete, b.Grade, []term{}}
	for _, t := range b.Terms {
		out.Terms = append(out.Terms, term(t))
	}
	return out
}
