package main

import (
	"context"
	"fmt"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// paperRow is a row of the paper's Table II: three busy threads on three processors under a quota
// of three, which they can never exceed (T10).
type paperRow struct {
	Period             time.Duration
	Periods, Throttled int
	ThrottledTime      time.Duration
}

// Ratio is the share of the periods that were throttled, 0 to 1.
func (m paperRow) Ratio() float64 { return float64(m.Throttled) / float64(m.Periods) }

// tableII is what the paper measured on a real kernel (T10).
func tableII() []paperRow {
	return []paperRow{
		{Period: 100 * time.Millisecond, Periods: 735, Throttled: 50, ThrottledTime: 94 * time.Millisecond},
		{Period: 50 * time.Millisecond, Periods: 1486, Throttled: 661, ThrottledTime: 2457 * time.Millisecond},
		{Period: 10 * time.Millisecond, Periods: 7840, Throttled: 3835, ThrottledTime: 14608 * time.Millisecond},
	}
}

// figure4 is the walk of the paper's Figure 4: one thread under a quota of 10 ms in 10 ms, whose
// ticks come every 4 ms exactly (T11). It is throttled in the third period, which it never overuses.
func figure4() (cfs.Stat, error) {
	m := cfs.PaperMachine(10 * time.Millisecond)
	m.Bandwidth, m.Processors = cfs.ForLimit(1000, 10*time.Millisecond), 1
	m.Jitter, m.Aligned = 0, true
	return m.Busy(1, 3)
}

// row is Table II under one assumption.
type row struct {
	Name string       // what differs from the first row: "jitter 30 µs"
	At   []cfs.Spread // in the order of tableII
}

// sensitivity is Table II by the model, under the assumptions that the paper leaves open (tick,
// jitter, how ticks stand to each other) and with each remedy. It is the mean of PaperSeeds runs of
// as many periods as the paper's. The first row has the defaults.
func sensitivity(ctx context.Context) ([]row, error) {
	var rows []row
	for _, assumed := range assumptions() {
		row := row{Name: assumed.name}
		for _, measured := range tableII() {
			m := cfs.PaperMachine(measured.Period)
			assumed.change(&m)
			spread, err := cfs.SpreadOf(ctx, m, m.Processors, measured.Periods, cfs.PaperSeeds)
			if err != nil {
				return nil, fmt.Errorf("%s at %s: %w", assumed.name, measured.Period, err)
			}
			row.At = append(row.At, spread)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

type assumption struct {
	name   string
	change func(*cfs.Machine)
}

func assumptions() []assumption {
	const us, ms = time.Microsecond, time.Millisecond
	jitter := func(d time.Duration) func(*cfs.Machine) { return func(m *cfs.Machine) { m.Jitter = d } }
	tick := func(d time.Duration) func(*cfs.Machine) { return func(m *cfs.Machine) { m.Tick = d } }
	remedy := func(r cfs.Remedy) func(*cfs.Machine) { return func(m *cfs.Machine) { m.Remedy = r } }
	burst := func(d time.Duration) func(*cfs.Machine) { return func(m *cfs.Machine) { m.Burst = d } }
	return []assumption{
		{"tick 4 ms, jitter 3 µs, ticks apart", func(*cfs.Machine) {}},
		{"no jitter", jitter(0)},
		{"jitter 30 µs", jitter(30 * us)},
		{"jitter 300 µs", jitter(300 * us)},
		{"tick 1 ms (1000 Hz)", tick(ms)},
		{"tick 10 ms (100 Hz)", tick(10 * ms)},
		{"ticks together", func(m *cfs.Machine) { m.Aligned = true }},
		{"kernel before 5.4 (expiry)", remedy(cfs.Expiry)},
		{"slush fund (the paper's)", remedy(cfs.SlushFund)},
		{"quota written again every second", func(m *cfs.Machine) { m.Rewrite = time.Second }},
		{"the same, no-op update (the paper's)", func(m *cfs.Machine) { m.Rewrite, m.Remedy = time.Second, cfs.NoOpUpdate }},
		{"charged when the period ends", remedy(cfs.ChargeAtEnd)},
		{"burst of 4 ms", burst(4 * ms)},
		{"burst of 6 ms", burst(6 * ms)},
		{"burst of a quota", func(m *cfs.Machine) { m.Burst = m.Quota }},
	}
}
