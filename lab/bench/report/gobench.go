package report

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// Values are what one benchmark reported, by unit.
type Values map[string]float64

// Benchmarks runs `go test -bench .` in the folder of a module with more arguments, a package among them, and gives
// what each benchmark reported: once for each of its runs.
func Benchmarks(folder string, args ...string) (map[string][]Values, error) {
	cmd := exec.Command("go", append([]string{"test", "-C", folder, "-run", "^$", "-bench", "."}, args...)...) //nolint:gosec // our own
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run the benchmarks: %w", err)
	}
	found := map[string][]Values{}
	var said []string
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		said = append(said, lines.Text())
		if name, values, ok := parseBenchmark(lines.Text()); ok {
			found[name] = append(found[name], values)
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("run the benchmarks: %w\n%s", err, strings.Join(said, "\n"))
	}
	return found, nil
}

// parseBenchmark reads a line as `go test -bench` prints it: a name with the number of
// processors behind it, the number of calls, and pairs of value and unit.
func parseBenchmark(line string) (name string, values Values, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return "", nil, false
	}
	name = fields[0]
	if dash := strings.LastIndexByte(name, '-'); dash > 0 {
		name = name[:dash]
	}
	values = Values{}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return "", nil, false
		}
		values[fields[i+1]] = value
	}
	return name, values, true
}

// Machine says what the figures were measured on, as far as the system tells.
func Machine() string {
	model := runtime.GOARCH
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%d processors (%s), %s, %s", runtime.NumCPU(), model, runtime.GOOS, runtime.Version())
}
