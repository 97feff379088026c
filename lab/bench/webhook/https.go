//go:build linux

package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/report"
	"github.com/headroom-dev/headroom/webhook"
)

// What design promises of a webhook on one processor, beside the bare server.
const (
	cachedTimes = 3    // times the bare server's CPU time
	cachedRate  = 1000 // requests a second
	tailTimes   = 4    // p99 by p50
	peakMemory  = 64 * report.Mebi
)

// row is one load, and what came of it.
type row struct {
	name string
	load
	patches bool
	times   float64 // of the bare server's CPU time, where it was never seen
	samples []sample
}

// https measures servers as the API server calls them, over TLS, in turn.
func https(bare, headroom *server, config *tls.Config, rounds int, each time.Duration) error {
	rows, err := loads(bare, headroom, config)
	if err != nil {
		return err
	}
	for range rounds {
		for _, r := range rows {
			s, err := r.measure(each)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			r.samples = append(r.samples, s)
		}
	}
	t := report.Table{
		Title: fmt.Sprintf("HTTPS on one processor, %d clients, a review of %d bytes, %d runs of each in turn",
			clients, len(rows[0].review.text), rounds),
		Head: []string{"", "CPU best", "median", "× bare", "requests/s", "p50", "p99", "p99/p50", "at most", "best is"},
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.cells(rows[0].best().cpu))
	}
	t.Print()
	return nil
}

func loads(bare, headroom *server, config *tls.Config) ([]*row, error) {
	right, err := newReview(false)
	if err != nil {
		return nil, err
	}
	wrong, err := newReview(true)
	if err != nil {
		return nil, err
	}
	rightJVMs, err := newJVMs(false)
	if err != nil {
		return nil, err
	}
	wrongJVMs, err := newJVMs(true)
	if err != nil {
		return nil, err
	}
	rows := []*row{{name: "bare: decodes the envelope", load: load{server: bare, path: "/", review: right, tls: config}}}
	for _, what := range []struct {
		name, path string
		review     review
		patches    bool
		times      float64
	}{
		{"validate", webhook.PathValidate, right, false, 4},
		{"mutate, nothing to do", webhook.PathMutate, right, false, 4},
		{"mutate, one field to fix", webhook.PathMutate, wrong, true, 9},
		{"two JVMs, nothing to do", webhook.PathMutate, rightJVMs, false, 8},
		{"two JVMs, fields and flags to fix", webhook.PathMutate, wrongJVMs, true, 16},
	} {
		l := load{server: headroom, path: what.path, review: what.review, tls: config}
		known, unknown := l, l
		unknown.fresh = true
		rows = append(rows,
			&row{name: what.name + ", seen before", load: known, patches: what.patches, times: what.times},
			&row{name: what.name + ", never seen", load: unknown, patches: what.patches, times: what.times})
	}
	return rows, nil
}

// measure runs the load once and holds the webhook to having done what the row says.
func (r *row) measure(each time.Duration) (sample, error) {
	c, err := r.connect()
	if err != nil {
		return sample{}, err
	}
	defer func() { _ = c.Close() }()
	answer, err := c.ask(serial.Add(1))
	if err != nil {
		return sample{}, err
	}
	if bytes.Contains(answer, []byte(`"patch":`)) != r.patches {
		return sample{}, fmt.Errorf("the answer is %s", answer)
	}
	before, err := r.cached()
	if err != nil {
		return sample{}, err
	}
	s, err := r.run(each)
	if err != nil {
		return sample{}, err
	}
	after, err := r.cached()
	if err != nil {
		return sample{}, err
	}
	hits, misses := after[0]-before[0], after[1]-before[1]
	if (r.fresh && hits > 0) || (!r.fresh && misses > 0) {
		return sample{}, fmt.Errorf("%.0f answers from the cache and %.0f not", hits, misses)
	}
	return s, nil
}

func (r *row) cached() ([]float64, error) {
	if r.metrics == "" {
		return make([]float64, 2), nil
	}
	return r.counted(`headroom_cache_requests_total{result="hit"}`, `headroom_cache_requests_total{result="miss"}`)
}

// best takes the best of each figure: they do not come from one round.
func (r *row) best() sample {
	b := r.samples[0]
	for _, s := range r.samples[1:] {
		b.cpu, b.rate = min(b.cpu, s.cpu), max(b.rate, s.rate)
		if s.tail() < b.tail() {
			b.p50, b.p99 = s.p50, s.p99
		}
	}
	return b
}

func (r *row) cells(bare time.Duration) []string {
	b := r.best()
	used := make([]time.Duration, 0, len(r.samples))
	for _, s := range r.samples {
		used = append(used, s.cpu)
	}
	slices.Sort(used)
	cells := []string{
		r.name, report.Duration(float64(b.cpu)), report.Duration(float64(used[len(used)/2])),
		fmt.Sprintf("%.1f", float64(b.cpu)/float64(bare)), fmt.Sprintf("%.0f", b.rate),
		report.Duration(float64(b.p50)), report.Duration(float64(b.p99)), fmt.Sprintf("%.1f", b.tail()), "", "",
	}
	if r.metrics == "" {
		return cells
	}
	allowed, rate := float64(cachedTimes), float64(cachedRate)
	promise := fmt.Sprintf("%d × bare, %d/s, p99/p50 %d", cachedTimes, cachedRate, tailTimes)
	if r.fresh {
		allowed, rate = r.times, 0
		promise = fmt.Sprintf("%v × bare, p99/p50 %d", r.times, tailTimes)
	}
	is := "CPU " + report.Times(float64(b.cpu)/float64(bare)/allowed)
	if rate > 0 {
		is += ", 1/rate " + report.Times(rate/b.rate)
	}
	cells[8], cells[9] = promise, is+", tail "+report.Times(b.tail()/tailTimes)
	return cells
}
