package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// decision is one benchmark of package engine and what it is held to.
type decision struct {
	name, what string
	atMost     float64 // ns; 0 where nothing is promised
}

var decisionRows = []decision{
	{"BenchmarkDecision/simple", "1 container, 5 variables, as it should be", 0},
	{"BenchmarkDecision/pod", "3 containers, 30 variables, no JVM", 0.8e6},
	{"BenchmarkDecision/jvms", "the same with two JVMs, 10 and 12 flags", 2e6},
	{"BenchmarkDecision/service", "a Service, which no rule looks at", 0},
	{"BenchmarkRule/simple", "one more rule, 1 container", 0.02e6},
	{"BenchmarkRule/pod", "one more rule, 3 containers", 0.02e6},
	{"BenchmarkRule/jvms", "one more rule, two JVMs", 0.02e6},
	{"BenchmarkStart/image", "make the policies ready, from their image", 0},
	{"BenchmarkStart/sources", "the same from their sources", 0},
	{"BenchmarkYardstick", "yardstick: encoding/json reads that Pod", 0},
}

// decisions runs the benchmarks of package engine.
func decisions() error {
	// Each benchmark looks for the best of its own batches, and so runs once.
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "1s", "./policies/engine")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run the benchmarks: %w", err)
	}
	found := map[string]map[string]float64{}
	var said []string
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		said = append(said, lines.Text())
		if name, values, ok := parseBenchmark(lines.Text()); ok {
			found[name] = values
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("run the benchmarks: %w\n%s", err, strings.Join(said, "\n"))
	}
	t := table{
		title: "One decision, uncached: CPU time of the process, garbage collection included",
		head:  []string{"", "best", "median", "allocations", "findings", "at most", "best is"},
	}
	for _, row := range decisionRows {
		values, ok := found[row.name]
		if !ok {
			return fmt.Errorf("%s did not run", row.name)
		}
		best := values["best-cpu-ns"]
		cells := []string{
			row.what, duration(best), duration(values["median-cpu-ns"]),
			optional(values, "allocs/op"), optional(values, "findings"), "", "",
		}
		if row.atMost > 0 {
			cells[5], cells[6] = duration(row.atMost), times(best/row.atMost)
		}
		t.rows = append(t.rows, cells)
	}
	t.print()
	return nil
}

// parseBenchmark reads a line as `go test -bench` prints it: a name with the number of
// processors behind it, the number of calls, and pairs of value and unit.
func parseBenchmark(line string) (name string, values map[string]float64, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return "", nil, false
	}
	name = fields[0]
	if dash := strings.LastIndexByte(name, '-'); dash > 0 {
		name = name[:dash]
	}
	values = map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return "", nil, false
		}
		values[fields[i+1]] = value
	}
	return name, values, true
}

func optional(values map[string]float64, unit string) string {
	value, ok := values[unit]
	if !ok {
		return ""
	}
	return strconv.FormatFloat(value, 'f', 0, 64)
}
