package render

import (
	"math"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// What an audit adds to the JSON. Keys carry their unit; null is what nobody knows or counted.
type (
	jsonCluster struct {
		Name       string          `json:"name"`
		Taken      string          `json:"taken,omitempty"` // RFC 3339
		Measured   string          `json:"measured"`        // by what, "" where nothing was measured
		Namespaces []jsonNamespace `json:"namespaces"`
	}
	jsonNamespace struct {
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
	jsonWorkload struct {
		Resource   engine.Resource `json:"resource"`
		Replicas   int             `json:"replicas"`
		Containers []jsonContainer `json:"containers"`
	}
	jsonContainer struct {
		Name     string        `json:"name"`
		Class    string        `json:"class"`
		Evidence string        `json:"evidence"`
		Runtime  string        `json:"runtime"`
		Detail   *jsonDetail   `json:"detail"`
		Measured *jsonMeasured `json:"measured"`
	}
	jsonDetail struct {
		Evidence string      `json:"evidence"` // how well its use was measured, "" where nobody did
		CPU      jsonCPU     `json:"cpu"`
		Memory   JSONMemory  `json:"memory"`
		Budget   *JSONBudget `json:"budget"`
		Harm     jsonHarm    `json:"harm"`
	}
	jsonCPU struct {
		Request        int64  `json:"requestMillicores"`
		Limit          int64  `json:"limitMillicores"`
		Average        int64  `json:"averageMillicores"`
		Peak           int64  `json:"peakMillicores"`
		AverageAssumed bool   `json:"averageAssumed"`
		Cores          int64  `json:"cores"`
		WantedRequest  *int64 `json:"wantedRequestMillicores"`
		WantedLimit    *int64 `json:"wantedLimitMillicores"`
	}
	jsonHarm struct {
		OOMKills       int     `json:"oomKills"`
		ThrottledCores float64 `json:"throttledCores"`
		HeadroomLeft   float64 `json:"headroomLeft"`
	}
	jsonMeasured struct {
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
	jsonPreview struct {
		Mode  string            `json:"mode"`
		Items []jsonPreviewItem `json:"items"`
	}
	jsonPreviewItem struct {
		Resource engine.Resource  `json:"resource"`
		File     string           `json:"file"`
		Line     int              `json:"line"`
		Replicas int              `json:"replicas"`
		Refused  []jsonFinding    `json:"refused"`
		Warned   []jsonFinding    `json:"warned"`
		Changed  []engine.Applied `json:"changed"`
	}
)

func clusterJSON(r *Report) *jsonCluster {
	c := r.Cluster
	if c == nil {
		return nil
	}
	out := &jsonCluster{Name: c.Name, Measured: c.Measured, Namespaces: []jsonNamespace{}}
	if !c.Taken.IsZero() {
		out.Taken = c.Taken.UTC().Format(time.RFC3339)
	}
	_, list := sections(r, groups(r))
	for _, s := range list {
		n := jsonNamespace{
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

func workloadsJSON(r *Report) []jsonWorkload {
	if r.Cluster == nil {
		return nil
	}
	list := make([]jsonWorkload, 0, len(r.Workloads))
	for i := range r.Workloads {
		w := jsonWorkload{r.Workloads[i].Resource, r.Workloads[i].Replicas, []jsonContainer{}}
		for j := range r.Workloads[i].Containers {
			c := &r.Workloads[i].Containers[j]
			w.Containers = append(w.Containers, jsonContainer{
				c.Name, c.Class, c.Evidence, c.Runtime, detailJSON(c.Detail), measuredJSON(c.Measured),
			})
		}
		list = append(list, w)
	}
	return list
}

func detailJSON(d *engine.Detail) *jsonDetail {
	if d == nil {
		return nil
	}
	return &jsonDetail{
		Evidence: d.Evidence,
		CPU: jsonCPU{
			d.CPU.Request, d.CPU.Limit, d.CPU.Average, d.CPU.Peak, d.CPU.AverageAssumed, d.CPU.Cores,
			known(d.CPU.WantedRequest), known(d.CPU.WantedLimit),
		},
		Memory: JSONMemory(d.Memory), Budget: BudgetJSON(d.Budget),
		Harm: jsonHarm{d.Harm.OOMKills, d.Harm.ThrottledCores, d.Harm.HeadroomLeft},
	}
}

func measuredJSON(m *engine.Measured) *jsonMeasured {
	if m == nil {
		return nil
	}
	return &jsonMeasured{
		m.Source, m.Window.Seconds(), known(m.Samples), known(m.Age.Seconds()), m.CPUAverage, m.CPUPeak, m.MemoryPeak,
		known(m.Periods), known(m.Throttled), known(m.ThrottledSeconds), known(m.OOMKills), known(m.Restarts),
	}
}

// known is nil for the -1 of what nobody asks for or counted, and for what is no number.
func known[T int | int64 | float64](n T) *T {
	if n < 0 || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return nil
	}
	return &n
}

func previewJSON(r *Report) *jsonPreview {
	if r.Preview == nil {
		return nil
	}
	out := &jsonPreview{r.Preview.Mode, []jsonPreviewItem{}}
	for i := range r.Preview.Items {
		item := &r.Preview.Items[i]
		shapes := jsonShapes{prints: fingerprints{}}
		out.Items = append(out.Items, jsonPreviewItem{
			item.Resource, item.File, item.Line, item.Replicas, shapes.findings(item.Refused), shapes.findings(item.Warned),
			append([]engine.Applied{}, item.Changed...),
		})
	}
	return out
}
