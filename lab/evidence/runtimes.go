package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const others = "tests/system/kernel/runtimes"

// startedProgram is what was read of one program, on a machine with so many processors.
type startedProgram struct {
	record.Runtime
	processors int
}

// readRuntimes reads what lab/runtimes has measured, in the order of its files.
func readRuntimes() ([]startedProgram, error) {
	files, err := filepath.Glob(filepath.Join(others, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []startedProgram
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var one record.Runtimes
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, seen := range one.Seen {
			all = append(all, startedProgram{seen, one.Machine.Processors})
		}
	}
	return all, nil
}

// runtimes puts what other runtimes took beside what the policies say of a container with the same command.
func (d *document) runtimes(ctx context.Context, e *engine.Engine, seen []startedProgram) error {
	if len(seen) == 0 {
		return nil
	}
	d.text("### Other runtimes, caches and servers ([R1 to R68](facts/runtimes.md), [T19](facts/throttling.md#T19))")
	d.text("Started in cgroups by `lab/runtimes` with the limits of each row; beside it what the policies say of such a container.")
	rows := make([][]any, 0, len(seen))
	for _, one := range seen {
		says, err := said(ctx, e, one.Runtime)
		if err != nil {
			return err
		}
		limits := []string{}
		if one.MemoryMiB > 0 {
			limits = append(limits, fmt.Sprintf("%d MiB", one.MemoryMiB))
		}
		if one.MilliCPU > 0 {
			limits = append(limits, fmt.Sprintf("%g of %d CPUs", float64(one.MilliCPU)/1000, one.processors))
		}
		rows = append(rows, []any{one.Fact, one.Program + " " + one.Version, strings.Join(limits, ", "), one.What, strconv.FormatFloat(one.Value, 'f', -1, 64) + " " + one.Unit, says})
	}
	d.table([]string{"fact", "program", "limits", "what", "measured", "the policies say"}, rows...)
	return nil
}

// runtimeRules judge what a record measured.
var runtimeRules = []string{"HR501", "HR502", "HR504", "HR505", "HR506"}

// said is what the policies say of a container, "" where the record has none.
func said(ctx context.Context, e *engine.Engine, one record.Runtime) (string, error) {
	if one.Container == nil {
		return "", nil
	}
	limits := map[string]any{}
	if one.MemoryMiB > 0 {
		limits["memory"] = fmt.Sprintf("%dMi", one.MemoryMiB)
	}
	if one.MilliCPU > 0 {
		limits["cpu"] = fmt.Sprintf("%dm", one.MilliCPU)
	}
	container := map[string]any{"name": "app", "resources": map[string]any{"limits": limits}}
	for key, value := range one.Container {
		container[key] = value
	}
	review := engine.Review{Around: &engine.Context{}, Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "app"},
		"spec": map[string]any{"containers": []any{container}},
	}}
	result, err := e.Evaluate(ctx, review)
	if err != nil {
		return "", err
	}
	for _, f := range result.Findings {
		if slices.Contains(runtimeRules, f.Rule) {
			return f.Rule, nil
		}
	}
	explained, err := e.Explain(ctx, review, engine.ExplainOptions{})
	if err != nil {
		return "", err
	}
	for _, x := range explained {
		for _, s := range x.Sizes {
			return fmt.Sprintf("%d MiB, which fits", s.MiB), nil
		}
		for _, c := range x.Counts {
			return fmt.Sprintf("%d, which fits", c.Count), nil
		}
	}
	return "nothing", nil
}
