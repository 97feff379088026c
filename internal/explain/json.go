package explain

import (
	"bytes"
	"io"

	findings "github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Schema names the shape of the JSON.
const Schema = "headroom.dev/explain/v1"

// Keys carry their unit; null is what is not known or does not apply.
type (
	jsonReport struct {
		Schema    string           `json:"schema"`
		Version   string           `json:"version,omitempty"`
		Workloads []jsonWorkload   `json:"workloads"`
		Problems  []report.Problem `json:"problems"`
		Notes     []string         `json:"notes"`
	}
	jsonWorkload struct {
		Resource   engine.Resource  `json:"resource"`
		File       string           `json:"file"`
		Line       int              `json:"line"`
		Findings   []engine.Finding `json:"findings"` // on the whole workload
		Exempted   int              `json:"exempted"`
		Notes      []string         `json:"notes"`
		Containers []jsonContainer  `json:"containers"`
	}
	jsonContainer struct {
		jsonExplanation
		Findings []engine.Finding `json:"findings"`
		Timeline *jsonTimeline    `json:"timeline"`
		WhatIf   *jsonWhatIf      `json:"whatIf"`
	}
	jsonExplanation struct {
		Name            string                `json:"name"`
		Role            string                `json:"role"`
		Path            string                `json:"path"`
		Skipped         string                `json:"skipped,omitempty"`
		Class           string                `json:"class"`
		ClassEvidence   string                `json:"classEvidence"`
		Weaker          []string              `json:"weakerEvidence"`
		Runtime         string                `json:"runtime"`
		RuntimeEvidence string                `json:"runtimeEvidence"`
		Resources       []engine.ResourceLine `json:"resources"`
		CPU             jsonCPU               `json:"cpu"`
		Memory          engine.MemoryDetail   `json:"memory"`
		Flags           []engine.FlagLine     `json:"flags"`
		Hidden          int64                 `json:"hiddenOptions"`
		JVM             *engine.JVMLine       `json:"jvm"`
		Budget          *engine.Budget        `json:"budget"`
		Burst           *engine.BurstLine     `json:"burst"`
		Pool            *engine.PoolLine      `json:"pool"`
		PoolBurst       *engine.BurstLine     `json:"poolBurst"`
		Sizes           []engine.SizeLine     `json:"sizes"`
		Counts          []engine.CountLine    `json:"counts"`
		Passing         engine.Passing        `json:"passing"`
		Unknown         []string              `json:"unknown"`
	}
	jsonCPU struct {
		Request int64 `json:"requestMillicores"`
		Limit   int64 `json:"limitMillicores"`
		Average int64 `json:"averageMillicores"`
		Peak    int64 `json:"peakMillicores"`
		Cores   int64 `json:"cores"`
		// 0 without a limit.
		Quota  float64 `json:"quotaMilliseconds"`
		Period float64 `json:"periodMilliseconds"`
	}
	jsonTimeline struct {
		Missing    string        `json:"missing,omitempty"`
		Quota      float64       `json:"quotaMilliseconds"` // 0 without a limit
		Period     float64       `json:"periodMilliseconds"`
		Processors int           `json:"processors"`
		Loads      []jsonLoad    `json:"loads"`
		Periods    int           `json:"periods"`
		Throttled  int           `json:"throttledPeriods"`
		Frozen     float64       `json:"frozenMilliseconds"`
		Used       float64       `json:"usedMilliseconds"`
		Segments   []jsonSegment `json:"segments"`
		Omitted    int           `json:"omittedSegments"` // behind the first 1000
		Says       []string      `json:"says"`
		Assumed    []string      `json:"assumed"`
	}
	jsonLoad struct {
		Name     string  `json:"name"`
		Threads  int     `json:"threads"`
		Start    float64 `json:"startMilliseconds"`
		Work     float64 `json:"workMilliseconds"`
		Finished float64 `json:"finishedMilliseconds"`
	}
	jsonSegment struct {
		From    float64 `json:"fromMilliseconds"`
		To      float64 `json:"toMilliseconds"`
		Running []int   `json:"running"`
		Frozen  bool    `json:"frozen"`
		Quota   float64 `json:"quotaLeftMilliseconds"`
	}
	jsonWhatIf struct {
		Done     []Step           `json:"done"`
		Then     jsonExplanation  `json:"then"`
		Gained   []engine.Finding `json:"gained"`
		Lost     []engine.Finding `json:"lost"`
		Kept     []engine.Finding `json:"kept"`
		Timeline *jsonTimeline    `json:"timeline"`
	}
)

// writeJSON prints a report for programs.
func writeJSON(w io.Writer, r *Report) error {
	out := jsonReport{
		Schema: Schema, Version: r.Version, Workloads: []jsonWorkload{}, Problems: some(r.Problems), Notes: some(r.Notes),
	}
	for i := range r.Workloads {
		workload := &r.Workloads[i]
		one := jsonWorkload{
			Resource: workload.Resource, File: workload.File, Line: workload.Line,
			Findings: some(workload.Findings), Exempted: workload.Exempted,
			Notes: some(workload.Notes), Containers: []jsonContainer{},
		}
		for j := range workload.Containers {
			c := &workload.Containers[j]
			one.Containers = append(one.Containers, jsonContainer{
				jsonExplanation: explanationJSON(&c.Explanation), Findings: some(c.Findings),
				Timeline: timelineJSON(c.Timeline), WhatIf: whatIfJSON(c.WhatIf),
			})
		}
		out.Workloads = append(out.Workloads, one)
	}
	var text bytes.Buffer
	if err := findings.Encode(&text, out); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// some is a list that is no null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
