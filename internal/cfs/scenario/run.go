package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/drawing"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// Outcome is what became of a case.
type Outcome struct {
	Case
	Timeline drawing.Timeline // of the period layer
	Loads    []LoadResult     // of the period layer, in the order of the file
	Spread   cfs.Spread       // of the pool layer
	Count    int              // periods of each run of the pool layer
}

// LoadResult is what became of a load, over all the times that it came. Times are wall times unless
// they say otherwise.
type LoadResult struct {
	Name    string               `json:"name"`
	Threads int                  `json:"threads"`
	Work    drawing.Milliseconds `json:"work_ms"` // CPU time of each thread
	Times   int                  `json:"times"`
	Done    drawing.Milliseconds `json:"done_ms"` // when the last of it was done
	// From a start to its end, over the times that it came.
	Median  drawing.Milliseconds `json:"median_ms"`
	P99     drawing.Milliseconds `json:"p99_ms"`
	Slowest drawing.Milliseconds `json:"slowest_ms"`
	Frozen  drawing.Milliseconds `json:"frozen_ms"` // the most that one of its times was frozen
	Used    drawing.Milliseconds `json:"used_ms"`   // CPU time, of all its times
}

// Result is what became of a scenario.
type Result struct {
	Scenario *Scenario
	Outcomes []Outcome
}

// Bounds of all cases together. Those of the period layer keep their segments, and a segment costs as
// many cells of 8 bytes as there are loads, and some more. Those of the pool layer keep next to
// nothing, and a step costs some nanoseconds.
const (
	maxCells     = 16_000_000
	segmentCells = 10
	maxSteps     = 2_000_000_000
)

// Run runs all cases of a scenario.
func (s *Scenario) Run(ctx context.Context) (*Result, error) {
	cases, err := s.Cases()
	if err != nil {
		return nil, err
	}
	result := &Result{Scenario: s}
	if s.Layer == Pool && s.steps(cases) > maxSteps {
		return nil, s.tooMuch()
	}
	cells := 0
	for _, c := range cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcome, err := s.run(ctx, c)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		if err != nil {
			where := ""
			for _, v := range c.Varied {
				where += fmt.Sprintf("%s %s: ", v.Name, v.Value)
			}
			return nil, yamlfile.Problem{File: s.File, Line: 1, Message: where + err.Error()}
		}
		if cells += len(outcome.Timeline.Result.Segments) * (len(outcome.Timeline.Loads) + segmentCells); cells > maxCells {
			return nil, s.tooMuch()
		}
		result.Outcomes = append(result.Outcomes, outcome)
	}
	return result, nil
}

// steps of the pool layer, over all cases and seeds.
func (s *Scenario) steps(cases []Case) float64 {
	sum := 0.0
	for _, c := range cases {
		sum += c.machineOf().Steps(c.threads, c.count(s)) * float64(s.Busy.Seeds)
	}
	return sum
}

func (s *Scenario) tooMuch() error {
	message := "the cases are more together than is computed: sweep less, or let it last shorter"
	return yamlfile.Problem{File: s.File, Line: 1, Message: message}
}

func (s *Scenario) run(ctx context.Context, c Case) (Outcome, error) {
	if s.Layer == Pool {
		count := c.count(s)
		spread, err := cfs.SpreadOf(ctx, c.machineOf(), c.threads, count, s.Busy.Seeds)
		return Outcome{Case: c, Spread: spread, Count: count}, err
	}
	loads, of := s.loads(c)
	ran, err := cfs.Run(c.Bandwidth(), c.Processors, loads)
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Case: c, Timeline: drawing.Timeline{
		Title: s.title(c), Bandwidth: c.Bandwidth(), Processors: c.Processors, Loads: loads, Result: ran,
	}}
	for i, l := range s.Loads {
		threads, work := l.variant(c.variant[i])
		r := LoadResult{Name: l.Name, Times: l.Times, Threads: threads, Work: drawing.Milliseconds(work)}
		r.Used = drawing.Milliseconds(threads*l.Times) * r.Work
		var latencies []drawing.Milliseconds
		for n, which := range of {
			if which == i {
				r.Done = max(r.Done, drawing.Milliseconds(ran.Finished[n]))
				r.Frozen = max(r.Frozen, drawing.Milliseconds(ran.Stalled[n]))
				latencies = append(latencies, drawing.Milliseconds(ran.Finished[n]-loads[n].Start))
			}
		}
		slices.Sort(latencies)
		r.Median, r.P99, r.Slowest = rank(latencies, 50), rank(latencies, 99), latencies[len(latencies)-1]
		outcome.Loads = append(outcome.Loads, r)
	}
	return outcome, nil
}

// rank is the smallest value that so many per cent of all do not exceed.
func rank[D any](sorted []D, percent int) D {
	return sorted[max((len(sorted)*percent+99)/100, 1)-1]
}

func (c Case) machineOf() cfs.Machine {
	m := c.machine
	m.Bandwidth, m.Processors = c.Bandwidth(), c.Processors
	return m
}

// count is how many periods a run of the pool layer has.
func (c Case) count(s *Scenario) int {
	return max(int((s.Busy.Duration+c.Period-1)/c.Period), 1)
}

// title of a case's drawing.
func (s *Scenario) title(c Case) string {
	title := s.Title
	if title == "" {
		title = s.File
	}
	for i, v := range c.Varied {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		title += separator + v.Name + " " + v.Value
	}
	return title
}
