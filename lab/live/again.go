package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

const mib = 1 << 20

// advised are the JVMs of the table of docs/size.md, with the limits there, in MiB. Three fifths of the heap are live: a
// week that is busier than the one that was measured.
var advised = []struct {
	name    string
	heapMiB int
	limits  map[string]int
}{
	{"warm-up", 512, map[string]int{"VPA": 729, "KRR's formula": 713, "headroom": 1088}},
	{"collector", 1024, map[string]int{"VPA": 1484, "KRR's formula": 1438, "headroom": 2048}},
	{"large-heap", 3072, map[string]int{"VPA": 1569, "KRR's formula": 1495, "headroom": 4480}},
}

// runAgain runs each under each of its limits.
func runAgain(ctx context.Context, bin, dir string) error {
	tools := []string{"VPA", "KRR's formula", "headroom"}
	fmt.Println("| Workload | " + strings.Join(tools, " | ") + " |\n|---|---|---|---|")
	for _, a := range advised {
		fmt.Printf("| **%s**, -Xmx%dm |", a.name, a.heapMiB)
		for _, tool := range tools {
			verdict, err := under(ctx, bin, dir, a.heapMiB, a.limits[tool])
			if err != nil {
				return err
			}
			fmt.Printf(" %d MiB: %s |", a.limits[tool], verdict)
		}
		fmt.Println()
	}
	return nil
}

// under says what becomes of a service with that heap under a limit.
func under(ctx context.Context, bin, dir string, heapMiB, limitMiB int) (string, error) {
	g, err := cgroup.New(cgroup.Limits{Memory: int64(limitMiB) * mib})
	if err != nil {
		return "", err
	}
	defer g.Close()
	command := g.Command(ctx, filepath.Join(bin, "java"), fmt.Sprintf("-Xmx%dm", heapMiB), "-XX:+UseG1GC", "-XX:ActiveProcessorCount=2",
		"-cp", dir, "Service", fmt.Sprint(heapMiB*3/5), fmt.Sprint(2*heapMiB))
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	failed := command.Run()
	kills, err := g.Kills()
	if err != nil {
		return "", err
	}
	charged, err := g.Charged()
	switch {
	case err != nil:
		return "", err
	case kills > 0:
		return "**OOMKilled**", nil
	case failed != nil:
		return "", fmt.Errorf("%w: %s", failed, said.String())
	}
	var process, own float64
	if _, err := fmt.Sscan(out.String(), &process, &own); err != nil {
		return "", err
	}
	return fmt.Sprintf("took %d, %.1f %% of its CPU time in collections", charged/mib, 100*max(0, process-own)/process), nil
}
