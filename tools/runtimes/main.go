// Command runtimes starts runtimes, servers and databases in memory and CPU cgroups and writes down what they take:
// threads, heaps, buffers. The records stand in tests/system/kernel/runtimes, one file a group; docs/why.md shows them
// beside the models (tools/evidence), docs/facts/runtimes.md as facts.
//
// Run it from the repository root, as root, with the groups that are to be measured: each file says what it needs
// installed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const folder = "tests/system/kernel/runtimes"

// groups are what can be measured, by the name of the record.
var groups = map[string]func(context.Context) ([]record.Runtime, error){
	"databases": databases, "frameworks": frameworks, "go": golang, "node": node, "pools": pools, "queues": queues, "quota": quota,
	"servers": servers, "sql": sql, "wheels": wheels, "workers": workers,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "runtimes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(groups))
	}
	for _, name := range names {
		if groups[name] == nil {
			return fmt.Errorf("there is no group %q; there are %q", name, slices.Sorted(maps.Keys(groups)))
		}
		if err := measure(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func measure(ctx context.Context, name string) error {
	seen, err := groups[name](ctx)
	if err != nil {
		return err
	}
	machine, err := thisMachine()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(record.Runtimes{Machine: machine, Seen: seen}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filepath.Base(name)+".json"), append(text, '\n'), 0o644)
}

func thisMachine() (record.Machine, error) {
	g, err := cgroup.New(cgroup.Limits{})
	if err != nil {
		return record.Machine{}, err
	}
	defer g.Close()
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	release, _, _ := strings.Cut(strings.TrimSpace(string(kernel)), "-")
	return record.Machine{Processors: runtime.NumCPU(), Kernel: release, Cgroup: g.Version()}, err
}
