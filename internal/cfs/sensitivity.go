package cfs

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// PaperSeeds is over how many seeds Sensitivity looks: single runs differ by far too much.
const PaperSeeds = 20

// Spread is the share of throttled periods over several seeds, 0 to 1.
type Spread struct {
	Mean, Median, Min, Max float64
	ThrottledTime          time.Duration // mean, sum over the processors
	Cores                  float64       // mean of what was used
}

// SpreadOf runs busy threads with the seeds 1 to n.
func SpreadOf(ctx context.Context, m Machine, threads, periods, n int) (Spread, error) {
	ratios := make([]float64, 0, n)
	sum, cores, throttled := 0.0, 0.0, time.Duration(0)
	for seed := range n {
		m.Seed = uint64(seed) + 1
		if err := ctx.Err(); err != nil {
			return Spread{}, err
		}
		stat, err := m.Busy(threads, periods)
		if err != nil {
			return Spread{}, err
		}
		ratios = append(ratios, stat.Ratio())
		sum += stat.Ratio()
		cores += float64(stat.Used) / float64(time.Duration(periods)*m.Period)
		throttled += stat.ThrottledTime / time.Duration(n)
	}
	if n == 0 {
		return Spread{}, nil
	}
	slices.Sort(ratios)
	return Spread{
		Mean: sum / float64(n), Median: (ratios[(n-1)/2] + ratios[n/2]) / 2,
		Min: ratios[0], Max: ratios[n-1], ThrottledTime: throttled, Cores: cores / float64(n),
	}, nil
}

// Row is Table II under one assumption.
type Row struct {
	Name string   // what differs from the first row: "jitter 30 µs"
	At   []Spread // in the order of TableII
}

// Sensitivity is Table II by the model, under the assumptions that the paper leaves open (tick,
// jitter, how ticks stand to each other) and with each remedy: the mean of PaperSeeds runs of as
// many periods as the paper's. The first row has the defaults.
func Sensitivity(ctx context.Context) ([]Row, error) {
	var rows []Row
	for _, assumed := range assumptions() {
		row := Row{Name: assumed.name}
		for _, measured := range TableII() {
			m := PaperMachine(measured.Period)
			assumed.change(&m)
			spread, err := SpreadOf(ctx, m, paperThreads, measured.Periods, PaperSeeds)
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
	change func(*Machine)
}

func assumptions() []assumption {
	const us, ms = time.Microsecond, time.Millisecond
	jitter := func(d time.Duration) func(*Machine) { return func(m *Machine) { m.Jitter = d } }
	tick := func(d time.Duration) func(*Machine) { return func(m *Machine) { m.Tick = d } }
	remedy := func(r Remedy) func(*Machine) { return func(m *Machine) { m.Remedy = r } }
	burst := func(d time.Duration) func(*Machine) { return func(m *Machine) { m.Burst = d } }
	return []assumption{
		{"tick 4 ms, jitter 3 µs, ticks apart", func(*Machine) {}},
		{"no jitter", jitter(0)},
		{"jitter 30 µs", jitter(30 * us)},
		{"jitter 300 µs", jitter(300 * us)},
		{"tick 1 ms (1000 Hz)", tick(ms)},
		{"tick 10 ms (100 Hz)", tick(10 * ms)},
		{"ticks together", func(m *Machine) { m.Aligned = true }},
		{"kernel before 5.4 (expiry)", remedy(Expiry)},
		{"slush fund (the paper's)", remedy(SlushFund)},
		{"quota written again every second", func(m *Machine) { m.Rewrite = time.Second }},
		{"the same, no-op update (the paper's)", func(m *Machine) { m.Rewrite, m.Remedy = time.Second, NoOpUpdate }},
		{"charged when the period ends", remedy(ChargeAtEnd)},
		{"burst of 4 ms", burst(4 * ms)},
		{"burst of 6 ms", burst(6 * ms)},
		{"burst of a quota", func(m *Machine) { m.Burst = m.Quota }},
	}
}
