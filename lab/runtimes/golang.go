package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// golang is a service in Go under a limit of one CPU or less, with the two threads that Go takes and with one.
func golang(ctx context.Context) ([]record.Runtime, error) {
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "collects")
	if _, err := lab.Output(ctx, "go", "build", "-C", "lab", "-o", program, "./runtimes/collects"); err != nil {
		return nil, err
	}
	throttled := func(_ context.Context, r *running) (float64, error) {
		before, err := r.group.CPU()
		if err != nil {
			return 0, err
		}
		time.Sleep(12 * time.Second)
		after, err := r.group.CPU()
		now := after.Less(before)
		return float64(1000*now.Throttled/max(1, now.Periods)) / 10, err
	}
	var trials []trial
	for _, milli := range []int{500, 1000} {
		for _, procs := range []string{"", "1"} {
			t := trial{
				Runtime: record.Runtime{
					Fact: "T19", Program: "Go", Version: strings.TrimPrefix(runtime.Version(), "go"), MilliCPU: milli,
				},
				command: []string{program, fmt.Sprint(milli / 100)},
			}
			with := "by default"
			name, value := "GOGC", "100" // Go's own
			if procs != "" {
				with = "with GOMAXPROCS=" + procs
				name, value = "GOMAXPROCS", procs
			}
			t.environment = []string{name + "=" + value}
			t.Container = map[string]any{"env": []any{map[string]any{"name": name, "value": value}}}
			t.What, t.Unit = "99th percentile of a service, "+with, "ms"
			trials = append(trials, t)
			never := t
			never.command = []string{program, "0"}
			never.What, never.Unit = "served by one that is never idle, "+with, "requests a second"
			trials = append(trials, never)
			t.What, t.Unit, t.read = "periods throttled, "+with, "%", throttled
			trials = append(trials, t)
		}
	}
	return all(ctx, trials)
}
