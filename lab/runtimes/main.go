// Command runtimes starts runtimes, servers and databases in memory and CPU cgroups and writes down what they take:
// threads, heaps, buffers. The records stand in tests/system/kernel/runtimes, one file a group; docs/why.md shows them
// beside the models (lab/evidence), docs/facts/runtimes.md as facts.
//
// Run it as root, with the groups that are to be measured. What they need of Debian has to be
// installed, and is named where it is not; what PyPI, npm and crates.io have they take themselves.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const folder = "tests/system/kernel/runtimes"

// group is what is measured together.
type group struct {
	measure func(context.Context) ([]record.Runtime, error)
	debian  []string // the packages that it starts
}

// groups are what can be measured, by the name of the record.
var groups = map[string]group{
	"airflow":    {airflow, []string{"redis-server"}},
	"databases":  {databases, []string{"redis-server", "memcached"}},
	"envoy":      {envoy, nil},
	"frameworks": {frameworks, []string{"python3-torch"}},
	"go":         {golang, nil},
	"node":       {node, nil},
	"pools":      {pools, nil},
	"queues":     {queues, []string{"ruby-sidekiq", "redis-server", "rabbitmq-server"}},
	"quota":      {quota, nil},
	"servers":    {servers, []string{"nginx-light", "haproxy", "erlang-base"}},
	"sql":        {sql, []string{"postgresql", "mariadb-server"}},
	"wheels":     {wheels, nil},
	"workers":    {workers, []string{"php8.2-fpm", "puma", "libjemalloc2"}},
}

func main() {
	lab.Main("runtimes", func(ctx context.Context) error { return run(ctx, os.Args[1:]) })
}

func run(ctx context.Context, names []string) error {
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(groups))
	}
	var wanted []string
	for _, name := range names {
		if groups[name].measure == nil {
			return fmt.Errorf("there is no group %q; there are %q", name, slices.Sorted(maps.Keys(groups)))
		}
		wanted = append(wanted, groups[name].debian...)
	}
	if lacking := lacking(ctx, wanted); len(lacking) > 0 {
		return fmt.Errorf("not installed: apt-get install %s", strings.Join(lacking, " "))
	}
	// A group that fails keeps its former record, and takes no other's.
	var failed error
	for _, name := range names {
		if err := measure(ctx, name); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return failed
}

// lacking are those packages of Debian that are not installed.
func lacking(ctx context.Context, wanted []string) (found []string) {
	slices.Sort(wanted)
	for _, name := range slices.Compact(wanted) {
		status, err := lab.Output(ctx, "dpkg-query", "-W", "-f", "${db:Status-Status}", name)
		if err != nil || status != "installed" {
			found = append(found, name)
		}
	}
	return found
}

func measure(ctx context.Context, name string) error {
	seen, err := groups[name].measure(ctx)
	if err != nil {
		return err
	}
	machine, err := cgroup.Machine()
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
