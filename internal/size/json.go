package size

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

type jsonReport struct {
	Schema    string           `json:"schema"`
	Measured  string           `json:"measured"`
	Cost      jsonCost         `json:"cost"`
	Workloads []jsonWorkload   `json:"workloads"`
	Problems  []report.Problem `json:"problems"`
	NotRead   []report.Unread  `json:"notRead,omitempty"`
}

// jsonCost is what all replicas reserve, in millicores and bytes.
type jsonCost struct {
	CPUBefore    int64 `json:"cpuMillicoresBefore"`
	CPUAfter     int64 `json:"cpuMillicoresAfter"`
	MemoryBefore int64 `json:"memoryBytesBefore"`
	MemoryAfter  int64 `json:"memoryBytesAfter"`
}

type jsonWorkload struct {
	Resource    engine.Resource         `json:"resource"`
	File        string                  `json:"file,omitempty"`
	Line        int                     `json:"line,omitempty"`
	Replicas    int                     `json:"replicas"`
	Changed     bool                    `json:"changed"`
	Cost        jsonCost                `json:"cost"`
	Containers  []jsonContainer         `json:"containers"`
	Autoscalers []engine.AutoscalerSize `json:"autoscalers"`
	Remains     []jsonRemains           `json:"remains"`
}

type jsonContainer struct {
	Name       string         `json:"name"`
	Class      string         `json:"class"`
	Runtime    string         `json:"runtime"`
	Confidence jsonConfidence `json:"confidence"`
	Values     []jsonValue    `json:"values"`
	Unsized    []string       `json:"unsized"`
	Notes      []string       `json:"notes"`
}

type jsonConfidence struct {
	Known   bool     `json:"known"`
	Days    *float64 `json:"days"`
	Samples *int64   `json:"samples"`
	LeftOut string   `json:"leftOut"`
	Text    string   `json:"text"`
}

type jsonValue struct {
	Name    string `json:"name"`
	Now     string `json:"now"`
	Wanted  string `json:"wanted"`
	Changed bool   `json:"changed"`
	Why     string `json:"why"`
}

type jsonRemains struct {
	Rule      string `json:"rule"`
	Container string `json:"container"`
	Expected  string `json:"expected"`
}

func document(r *Report) jsonReport {
	out := jsonReport{
		Schema: SchemaURI, Measured: r.Measured, Cost: costOf(r.Cost()),
		Workloads: []jsonWorkload{}, Problems: append([]report.Problem{}, r.Problems...), NotRead: r.NotRead,
	}
	for i := range r.Workloads {
		out.Workloads = append(out.Workloads, workloadOf(&r.Workloads[i]))
	}
	return out
}

func costOf(c Cost) jsonCost {
	return jsonCost{c.Before.CPU, c.After.CPU, c.Before.Memory, c.After.Memory}
}

func workloadOf(w *Workload) jsonWorkload {
	out := jsonWorkload{
		Resource: w.Resource, File: w.File, Line: w.Line, Replicas: w.Replicas, Changed: w.Changed(), Cost: costOf(w.Cost()),
		Containers: []jsonContainer{}, Autoscalers: append([]engine.AutoscalerSize{}, w.Autoscalers...), Remains: []jsonRemains{},
	}
	for i := range w.Containers {
		c := &w.Containers[i]
		container := jsonContainer{
			Name: c.Container, Class: c.Class, Runtime: c.Runtime, Unsized: c.Unsized, Notes: c.Notes,
			Confidence: jsonConfidence{Known: c.Confidence.Known, LeftOut: c.Confidence.LeftOut, Text: c.Confidence.Text},
			Values:     []jsonValue{},
		}
		if c.Confidence.Days >= 0 {
			container.Confidence.Days = &c.Confidence.Days
		}
		if c.Confidence.Samples >= 0 {
			container.Confidence.Samples = &c.Confidence.Samples
		}
		for _, v := range c.Values {
			container.Values = append(container.Values, jsonValue{v.Name, v.Now, v.Wanted, v.Changed(), v.Why})
		}
		out.Containers = append(out.Containers, container)
	}
	for i := range w.Remains {
		f := &w.Remains[i]
		out.Remains = append(out.Remains, jsonRemains{f.Rule, f.Container, f.Expected})
	}
	return out
}
