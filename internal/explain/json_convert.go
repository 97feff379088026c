package explain

import (
	findings "github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/policies/engine"
)

func explanationJSON(e *engine.Explanation) jsonExplanation {
	out := jsonExplanation{
		Name: e.Container, Role: e.Role, Path: e.Path, Skipped: e.Skipped,
		Class: e.Class, ClassEvidence: e.ClassEvidence, Weaker: some(e.Weaker),
		Runtime: e.Runtime, RuntimeEvidence: e.RuntimeEvidence, Resources: []jsonResource{}, Flags: []jsonFlag{},
		Sizes: []jsonSize{}, Counts: []jsonCount{},
		CPU: jsonCPU{
			Request: e.CPU.Request, Limit: e.CPU.Limit, Average: e.CPU.Average, Peak: e.CPU.Peak,
			Cores: e.CPU.Cores,
		},
		Memory: findings.Memory(e.Memory), Hidden: e.PropertiesHidden + e.OptionsHidden, Budget: findings.BudgetOf(e.Budget),
		Burst: burstJSON(e.Burst), PoolBurst: burstJSON(e.Workers), Passing: passingJSON(&e.Passing),
		Unknown: some(e.Unknown),
	}
	if q := e.Quota; q != nil {
		out.CPU.Quota, out.CPU.Period = q.MS, q.PeriodMS
	}
	for _, l := range e.Resources {
		out.Resources = append(out.Resources, jsonResource(l))
	}
	for _, f := range e.Flags {
		out.Flags = append(out.Flags, jsonFlag(f))
	}
	for _, s := range e.Sizes {
		out.Sizes = append(out.Sizes, jsonSize(s))
	}
	for _, c := range e.Counts {
		out.Counts = append(out.Counts, jsonCount(c))
	}
	if p := e.Pool; p != nil {
		out.Pool = &jsonPool{Workers: p.Workers, CoresEach: p.CoresEach, Source: p.Source}
	}
	if j := e.JVM; j != nil {
		out.JVM = &jsonJVM{
			Version: jsonValue(j.Version), Collector: jsonValue(j.Collector), Processors: jsonValue(j.Processors),
			ParallelGCThreads: jsonValue(j.ParallelGCThreads), ConcGCThreads: jsonValue(j.ConcGCThreads),
			CompilerThreads: jsonValue(j.CompilerThreads), MaxHeap: jsonValue(j.MaxHeapMiB), Pause: jsonValue(j.Pause),
			WillNotStart: some(j.WillNotStart),
		}
	}
	return out
}

func burstJSON(b *engine.BurstLine) *jsonBurst {
	if b == nil {
		return nil
	}
	return &jsonBurst{
		Threads: b.Threads, ThreadsSource: b.ThreadsSource, Pause: b.PauseMS, PauseSource: b.PauseSource,
		Used: b.UsedMS, Quota: b.QuotaMS, Period: b.PeriodMS, Throttle: b.ThrottleMS, Stall: b.StallMS, Text: b.Text,
	}
}

func passingJSON(p *engine.Passing) jsonPassing {
	number := func(v engine.ValueOrWhy) jsonNumber {
		if v.Value <= 0 {
			return jsonNumber{Why: v.Why}
		}
		return jsonNumber{Value: &v.Value, Why: v.Why}
	}
	known := func(millicores int64) *int64 {
		if millicores < 0 {
			return nil
		}
		return &millicores
	}
	return jsonPassing{
		SmallestLimit: number(p.SmallestLimitMiB), LargestHeap: number(p.LargestHeapMiB),
		LargestPercentage: number(p.LargestPercentage), LargestThreads: number(p.LargestThreads),
		CPURequest: known(p.CPURequest), CPURequestWhy: p.CPURequestWhy,
		CPULimit: known(p.CPULimit), CPULimitWhy: p.CPULimitWhy,
		Resources: p.Block, ResourcesNote: p.BlockNote, ToolOptions: p.ToolOptions, ToolOptionsNote: p.ToolOptionsNote,
	}
}

// maxSegments is as much of a timeline as a program gets.
const maxSegments = 1000

func timelineJSON(t *Timeline) *jsonTimeline {
	switch {
	case t == nil:
		return nil
	case t.Missing != "":
		return &jsonTimeline{
			Missing: t.Missing, Loads: []jsonLoad{}, Segments: []jsonSegment{}, Says: []string{}, Assumed: []string{},
		}
	}
	ms := milliseconds
	out := &jsonTimeline{
		Quota: ms(t.Quota), Period: ms(t.Period), Processors: t.Processors, Loads: []jsonLoad{},
		Periods: t.Result.Periods, Throttled: t.Result.Throttled, Frozen: ms(t.Result.Frozen), Used: ms(t.Result.Used),
		Segments: []jsonSegment{}, Says: some(t.Says), Assumed: some(t.Assumed),
	}
	for i, l := range t.Loads {
		out.Loads = append(out.Loads, jsonLoad{
			Name: l.Name, Threads: l.Threads, Start: ms(l.Start), Work: ms(l.Work), Finished: ms(t.Result.Finished[i]),
		})
	}
	shown := t.Result.Segments[:min(len(t.Result.Segments), maxSegments)]
	out.Omitted = len(t.Result.Segments) - len(shown)
	for _, s := range shown {
		out.Segments = append(out.Segments, jsonSegment{
			From: ms(s.From), To: ms(s.To), Running: some(s.Running), Frozen: s.Frozen, Quota: ms(s.Quota),
		})
	}
	return out
}

func whatIfJSON(w *WhatIf) *jsonWhatIf {
	if w == nil {
		return nil
	}
	done := []jsonStep{}
	for _, step := range w.Done {
		done = append(done, jsonStep(step))
	}
	return &jsonWhatIf{
		Done: done, Then: explanationJSON(w.Then), Gained: some(w.Gained), Lost: some(w.Lost), Kept: some(w.Kept),
		Timeline: timelineJSON(w.Timeline),
	}
}
