//go:build linux

// Command measure measures what it costs a Prometheus, and headroom, to ask for the measured use of a large namespace.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// What a namespace of 5 000 Pods may cost Prometheus, over seven days that were scraped every two minutes.
const (
	promisedPods   = 5000
	promisedCPU    = 15 * time.Second
	promisedMemory = 350_000_000
)

const week = 7 * 24 * time.Hour

type options struct {
	program, data, query string
	pods                 int
	every                time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.program, "prometheus", ".tools/bin/prometheus", "the `program` that is asked")
	flag.StringVar(&o.data, "data", "", "`FOLDER` of its data: filled once, then asked again; a temporary one without it")
	flag.IntVar(&o.pods, "pods", promisedPods, "how many Pods of one container there are")
	flag.DurationVar(&o.every, "every", 2*time.Minute, "time between two samples")
	flag.StringVar(&o.query, "query", "", "ask this `QUERY` alone, to see what it costs")
	flag.Parse()
	lab.Main("bench", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) error {
	if o.data == "" {
		folder, err := os.MkdirTemp("", "headroom-bench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		o.data = folder
	}
	end, err := filled(ctx, o)
	if err != nil {
		return fmt.Errorf("fill Prometheus: %w", err)
	}
	s, err := start(ctx, o.program, o.data)
	if err != nil {
		return err
	}
	defer s.stop()
	if o.query != "" {
		return one(ctx, s, o.query, end)
	}
	return all(ctx, o, s, end)
}

// filled gives the time of the last sample.
func filled(ctx context.Context, o options) (time.Time, error) {
	note := filepath.Join(o.data, "filled")
	if info, err := os.Stat(note); err == nil {
		return info.ModTime(), nil
	}
	s, err := start(ctx, o.program, o.data)
	if err != nil {
		return time.Time{}, err
	}
	defer s.stop()
	end, began := time.Now().Truncate(time.Minute), time.Now()
	if err := fill(ctx, s.url, o, end); err != nil {
		return end, err
	}
	fmt.Printf("%d Pods over seven days (%s)\n", o.pods, time.Since(began).Round(time.Second))
	if err := os.WriteFile(note, nil, 0o600); err != nil {
		return end, err
	}
	return end, os.Chtimes(note, end, end)
}

// fleet are the owners of the Pods: Deployments of ten each.
type fleet struct{}

func (fleet) Of(pod string) (cluster.Key, bool) {
	var n int
	if _, err := fmt.Sscanf(pod, "service-%d", &n); err != nil {
		return cluster.Key{}, false
	}
	return cluster.Key{Kind: "Deployment", Namespace: namespace, Name: fmt.Sprintf("service-%04d", n)}, true
}

// all asks as an audit does.
func all(ctx context.Context, o options, s *server, end time.Time) error {
	source, err := measure.Prometheus(measure.PrometheusOptions{URL: s.url, Now: func() time.Time { return end }})
	if err != nil {
		return err
	}
	ours, theirs, err := watch(s, func() error {
		use, err := source.Namespace(ctx, namespace, fleet{})
		if err == nil && len(use) != (o.pods+perWorkload-1)/perWorkload {
			err = fmt.Errorf("%d workloads were measured", len(use))
		}
		return err
	})
	if err != nil {
		return err
	}
	t := report.Table{
		Title: fmt.Sprintf("Measured use of a namespace of %d Pods over seven days, a sample every %s; %s",
			o.pods, o.every, report.Machine()),
		Head: []string{"", "wall", "CPU", "RSS before", "peak RSS", "without files", "at most", "best is"},
		Rows: [][]string{theirs.cells("Prometheus"), ours.cells("headroom")},
	}
	if o.pods == promisedPods {
		t.Rows[0][6] = report.Milliseconds(promisedCPU) + " CPU, " + report.Megabytes(promisedMemory)
		t.Rows[0][7] = report.Times(float64(theirs.cpu)/float64(promisedCPU)) + ", " +
			report.Times(float64(theirs.own)/promisedMemory)
	}
	t.Print()
	return nil
}
