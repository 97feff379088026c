//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// what a user asks for.
var asked = []struct {
	name      string
	arguments []string
}{
	{"audit -A -o table", []string{"-o", "table"}},
	{"audit -A -o json", []string{"-o", "json"}},
	{"audit -A -o html", []string{"-o", "html"}},
	{"audit -A --preview enforce", []string{"--preview", "enforce"}},
}

// audits measures runs of the program, in turn.
func audits(ctx context.Context, o options, c *standing) error {
	runs := make([][]once, len(asked))
	var before, after map[request]int
	for range o.rounds {
		for i, a := range asked {
			var err error
			if i == 0 {
				if before, err = c.requests(ctx); err != nil {
					return err
				}
			}
			run, err := measured(ctx, o.headroom, append([]string{
				"audit", "-A", "--kubeconfig", c.Kubeconfig, "--no-config", "--no-progress",
			}, a.arguments...)...)
			if err != nil {
				return err
			}
			runs[i] = append(runs[i], run)
			if i == 0 {
				if after, err = c.requests(ctx); err != nil {
					return err
				}
			}
		}
	}
	t := report.Table{
		Title: fmt.Sprintf("headroom audit of %d workloads and %d Pods, %d runs of each in turn, the API server beside it",
			o.workloads, o.pods, o.rounds),
		Head: []string{"", "wall best", "wall median", "CPU best", "peak RSS", "printed", "at most", "best is"},
	}
	for i, a := range asked {
		t.Rows = append(t.Rows, cells(a.name, runs[i], i == 0 && o.workloads == promisedWorkloads))
	}
	t.Print()
	printRequests(before, after)
	return nil
}

func cells(name string, runs []once, promised bool) []string {
	walls := make([]time.Duration, len(runs))
	cpu, peak := runs[0].cpu, int64(0)
	for i, r := range runs {
		walls[i], cpu, peak = r.wall, min(cpu, r.cpu), max(peak, r.peak)
	}
	slices.Sort(walls)
	row := []string{
		name, report.Milliseconds(walls[0]), report.Milliseconds(walls[len(walls)/2]), report.Milliseconds(cpu),
		report.Megabytes(peak), report.Megabytes(int64(runs[0].printed)), "", "",
	}
	if promised {
		row[6] = report.Milliseconds(promisedWall) + ", " + report.Megabytes(promisedMemory)
		row[7] = report.Times(float64(walls[0])/float64(promisedWall)) + ", " + report.Times(float64(peak)/promisedMemory)
	}
	return row
}

// printRequests shows that nothing is read in one piece.
func printRequests(before, after map[request]int) {
	var all []request
	for r := range after {
		if after[r] > before[r] && r.resource != "" && (r.verb == "LIST" || r.verb == "GET") {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b request) int {
		return cmp.Or(cmp.Compare(a.resource, b.resource), cmp.Compare(a.verb, b.verb))
	})
	t := report.Table{
		Title: "What the first kind of run asks the API server, which counts it (its own requests are among them)",
		Head:  []string{"", "verb", "requests"},
	}
	for _, r := range all {
		t.Rows = append(t.Rows, []string{r.resource, r.verb, strconv.Itoa(after[r] - before[r])})
	}
	t.Print()
}
