package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// small says that a scenario is run in no time.
func small(s *Scenario) bool {
	work := time.Duration(0)
	for _, l := range s.Loads {
		for n := range l.variants() {
			threads, each := l.variant(n)
			work += time.Duration(threads*l.Times) * each
		}
		if l.Times > 20 {
			return false
		}
	}
	for _, limit := range s.Limits {
		if limit > 0 && limit < 100 {
			return false
		}
	}
	return work < 10*time.Second && len(s.Loads) < 10
}

// show writes a scenario in each form, each twice alike.
func show(t *testing.T, s *Scenario) (table, drawings string) {
	t.Helper()
	form := func() (string, string) {
		r, err := s.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var table, drawings, text bytes.Buffer
		if err := r.Table(&table); err != nil {
			t.Fatal(err)
		}
		if s.Layer == Period {
			if err := r.Drawings(&drawings, 100); err != nil {
				t.Fatal(err)
			}
		}
		if err := SVG(&text, []*Result{r}); err != nil && len(r.Outcomes) <= maxPictures {
			t.Fatal(err)
		}
		if err := JSON(&text, []*Result{r}); err != nil {
			t.Fatal(err)
		}
		return table.String(), drawings.String() + text.String()
	}
	table, drawings = form()
	if again, all := form(); again != table || all != drawings {
		t.Error("the same scenario gives another result")
	}
	return table, drawings
}

func sample(t *testing.T, name string) *Scenario {
	t.Helper()
	s, err := Read("../../../samples/scenarios/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSamples: the tables of the samples, as docs/simulate.md shows them.
func TestSamples(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"gc-burst.yaml", "raise-limit.yaml", "workers.yaml", "period.yaml", "burst.yaml", "busy-threads.yaml", "quota-rewrites.yaml",
		"paper-table-2.yaml", "paper-figure-4.yaml",
	} {
		table, _ := show(t, sample(t, name))
		if !strings.Contains(string(docs), "$ headroom simulate samples/scenarios/"+name+"\n"+table) {
			t.Errorf("docs/simulate.md does not show\n$ headroom simulate samples/scenarios/%s\n%s", name, table)
		}
	}
}

// T3 and T2: fewer threads are frozen for less, and without a limit nothing is.
func TestGCBurst(t *testing.T) {
	r, err := sample(t, "gc-burst.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	frozen := map[string]time.Duration{}
	for _, o := range r.Outcomes {
		key := o.Varied[0].Value + ": " + o.Varied[1].Value
		frozen[key] = o.Timeline.Result.Frozen
	}
	const ms = time.Millisecond
	for key, want := range map[string]time.Duration{
		"2: 25 × 20 ms": 263760 * time.Microsecond, "2: 4 × 125 ms": 168 * ms, "2: 2 × 250 ms": 54 * ms,
		"none: 25 × 20 ms": 0, "none: 2 × 250 ms": 0,
	} {
		if got, there := frozen[key]; !there || got != want {
			t.Errorf("%s is frozen for %s, want %s", key, got, want)
		}
	}
}

// T8.
func TestRaiseLimit(t *testing.T) {
	r, err := sample(t, "raise-limit.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range r.Outcomes {
		const ms = time.Millisecond
		if o.Varied[1].Value != "4 × 28 ms" {
			continue
		}
		ran := o.Timeline.Result
		want := map[string]time.Duration{"2": 8 * ms, "4": 208 * ms}[o.Varied[0].Value]
		if ran.Used != 192*ms || ran.Spare != want || ran.Throttled > 0 {
			t.Errorf("%v: %s used, %s to spare", o.Varied, ran.Used, ran.Spare)
		}
	}
}

// T10 and T11, by a file.
func TestBusyThreads(t *testing.T) {
	r, err := sample(t, "busy-threads.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range r.Outcomes {
		least, most := 40.0, 52.0
		switch {
		case o.machine.Remedy == cfs.SlushFund && o.Period == 10*time.Millisecond:
			least, most = 0, 1
		case o.machine.Remedy == cfs.SlushFund, o.machine.Remedy == cfs.ChargeAtEnd:
			least, most = 0, 5
		case o.Period == 100*time.Millisecond:
			least, most = 0, 15
		}
		if got := 100 * o.Spread.Mean; got < least || got > most {
			t.Errorf("%v: %.2f %%", o.Varied, got)
		}
	}
}

// T10, by a file: the bands of what the paper measured hold for ticks of 4 ms, and not for others.
func TestPaperTableII(t *testing.T) {
	r, err := sample(t, "paper-table-2.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	bands := map[string][2]float64{
		"100 ms, 4 ms": {0, 15}, "50 ms, 4 ms": {40, 52}, "10 ms, 4 ms": {40, 52},
		"100 ms, 1 ms": {20, 50}, "50 ms, 1 ms": {20, 50}, "10 ms, 1 ms": {10, 30},
		"100 ms, 10 ms": {0, 15}, "50 ms, 10 ms": {0, 15}, "10 ms, 10 ms": {0, 15},
	}
	if len(r.Outcomes) != len(bands) {
		t.Fatalf("%d cases, and bands for %d", len(r.Outcomes), len(bands))
	}
	for _, o := range r.Outcomes {
		band, known := bands[o.Varied[0].Value+", "+o.Varied[1].Value]
		if got := 100 * o.Spread.Mean; !known || got < band[0] || got > band[1] {
			t.Errorf("%v: %.2f %% is not within %v", o.Varied, got, band)
		}
	}
}

// T11, by a file: of three periods the third is throttled, for 2 ms.
func TestPaperFigure4(t *testing.T) {
	r, err := sample(t, "paper-figure-4.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o := r.Outcomes[0]
	if o.Count != 3 || o.Spread.Mean != 1.0/3 || o.Spread.ThrottledTime != 2*time.Millisecond {
		t.Errorf("%+v", o)
	}
}

// T17, by a file: what a burst of a quota can take is not throttled, and what is more is throttled less.
func TestBurst(t *testing.T) {
	r, err := sample(t, "burst.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	throttled := map[string]int{}
	for _, o := range r.Outcomes {
		throttled[o.Varied[0].Value+": "+o.Varied[1].Value] = o.Timeline.Result.Throttled
	}
	for key, want := range map[string]int{"0: 25 × 18 ms": 4, "200 ms: 25 × 18 ms": 2, "0: 8 × 36 ms": 2, "200 ms: 8 × 36 ms": 0} {
		if got, there := throttled[key]; !there || got != want {
			t.Errorf("%s is throttled in %d periods, want %d", key, got, want)
		}
	}
	var text bytes.Buffer
	if err := JSON(&text, []*Result{r}); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{`"burst_ms": 200`, `"burst_periods": 2`, `"burst_used_ms": 240`} {
		if !strings.Contains(text.String(), says) {
			t.Errorf("the JSON does not have %s", says)
		}
	}
	// Without a limit there is nothing to go beyond.
	s, err := Parse("file", []byte(head+"limit: [none, 1]\nburst: 60ms\nprocessors: 8\nloads: [{name: a, threads: 8, work: 20ms}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	table, _ := show(t, s)
	if !strings.Contains(table, "60 ms in 1 period") || !strings.Contains(table, "period 100 ms, burst 60 ms, 8 processors") {
		t.Error(table)
	}
}

// T11, by a file: a write of the quota that is there already gives more than the limit, and throttles what is
// within it.
func TestQuotaRewrites(t *testing.T) {
	r, err := sample(t, "quota-rewrites.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(r.Outcomes); n += 2 {
		written, noOp := r.Outcomes[n], r.Outcomes[n+1]
		if written.machine.Rewrite != time.Second || noOp.machine.Remedy != cfs.NoOpUpdate {
			t.Fatalf("%+v, %+v", written.Varied, noOp.Varied)
		}
		if over := written.Limit == 2000; over && (written.Spread.Cores < 2.05 || noOp.Spread.Cores > 2.01) ||
			!over && written.Spread.Mean < 2*noOp.Spread.Mean {
			t.Errorf("%+v: %+v, %+v", written.Varied, written.Spread, noOp.Spread)
		}
	}
	var svg bytes.Buffer
	if err := SVG(&svg, []*Result{r}); err != nil || !strings.Contains(svg.String(), "quota written every 1000 ms") {
		t.Errorf("%v: %s", err, svg.String())
	}
	s, err := Parse("file", []byte(head+"limit: 1\nbusy: {threads: 1, duration: 1s, seeds: 1, rewrite: [never, 500ms]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	table, drawings := show(t, s)
	if !strings.Contains(table, "every 500 ms") || !strings.Contains(table, Never) || !strings.Contains(drawings, "written every 500 ms") {
		t.Error(table, drawings)
	}
}

func TestJSON(t *testing.T) {
	r, err := sample(t, "workers.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := JSON(&text, []*Result{r}); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Schema    string
		Scenarios []struct {
			Cases []struct {
				Limit     int64   `json:"limit_milli"`
				Throttled int     `json:"throttled_periods"`
				Frozen    float64 `json:"frozen_ms"`
				Loads     []struct {
					P99 float64 `json:"p99_ms"`
				}
			}
		}
	}
	if err := json.Unmarshal(text.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	c := out.Scenarios[0].Cases
	if out.Schema != SchemaV1 || len(c) != 2 || c[0].Limit != 6400 || c[0].Throttled != 10 || c[0].Frozen != 200 ||
		c[0].Loads[0].P99 != 120 || c[1].Throttled != 0 {
		t.Errorf("%s", text.String())
	}
}

// TestRefuses: a scenario above the bounds is an error that names the case.
func TestRefuses(t *testing.T) {
	run := func(text string) error {
		s, err := Parse("file", []byte(head+text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Run(context.Background())
		return err
	}
	for text, says := range map[string]string{
		"limit: [1, 1m]\nperiod: 1s\nprocessors: 1\nloads: [{name: a, work: 10h}]\n": "file:1: limit 1m: the loads are not done",
		"limit: 1\nprocessors: 1\nloads: [{name: a, work: [" + strings.Repeat("1ms, ", 20) + "]}, {name: b, work: [" +
			strings.Repeat("1ms, ", 20) + "]}]\n": "file:1: has more than 256 combinations",
		"limit: [2, 500m]\nburst: 100ms\nprocessors: 1\nloads: [{name: a, work: 1ms}]\n":  "file:1: limit 500m: a burst of 100ms is not between 0 and the quota of 50ms",
		"limit: 1\nbusy: {threads: 1, tick: 1us, jitter: 0s, duration: 1h, seeds: 1}\n":   "file:1: the cases are more together",
		"limit: 1\nbusy: {threads: 1, tick: 1us, jitter: 0s, duration: 150s, seeds: 1}\n": "file:1: 1500 periods of 100ms with 1 thread",
		"limit: [" + strings.Repeat("1, ", 9) + "]\nprocessors: 1\n" +
			"loads: [{name: a, work: 10us, every: 1ms, times: 1380}]\n": "file:1: the cases are more together",
		"limit: [1, 2]\nbusy: {threads: 1, tick: 1ms, duration: 1h, seeds: 1000}": "file:1: the cases are more together",
	} {
		if err := run(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, name := range []string{"gc-burst.yaml", "busy-threads.yaml"} {
		if _, err := sample(t, name).Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := sample(t, "busy-threads.yaml").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if r.Drawings(&out, 100) == nil {
		t.Error("the pool layer has a timeline")
	}
	if SVG(&out, slices.Repeat([]*Result{r}, maxPictures+1)) == nil {
		t.Errorf("%d pictures", maxPictures+1)
	}
}
