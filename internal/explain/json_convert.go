package explain

import "github.com/headroom-dev/headroom/policies/engine"

func explanationJSON(e *engine.Explanation) jsonExplanation {
	out := jsonExplanation{
		Name: e.Container, Role: e.Role, Path: e.Path, Skipped: e.Skipped,
		Class: e.Class, ClassEvidence: e.ClassEvidence, Weaker: some(e.Weaker),
		Runtime: e.Runtime, RuntimeEvidence: e.RuntimeEvidence,
		CPU: jsonCPU{
			Request: e.CPU.Request, Limit: e.CPU.Limit, Average: e.CPU.Average, Peak: e.CPU.Peak,
			Cores: e.CPU.Cores,
		},
		Memory: e.Memory, Resources: some(e.Resources), Flags: some(e.Flags), Hidden: e.PropertiesHidden + e.OptionsHidden,
		JVM: e.JVM, Budget: e.Budget, Burst: e.Burst, Pool: e.Pool, PoolBurst: e.Workers,
		Sizes: some(e.Sizes), Counts: some(e.Counts), Passing: e.Passing, Unknown: some(e.Unknown),
	}
	if q := e.Quota; q != nil {
		out.CPU.Quota, out.CPU.Period = q.MS, q.PeriodMS
	}
	return out
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
	return &jsonWhatIf{
		Done: some(w.Done), Then: explanationJSON(w.Then), Gained: some(w.Gained), Lost: some(w.Lost), Kept: some(w.Kept),
		Timeline: timelineJSON(w.Timeline),
	}
}
