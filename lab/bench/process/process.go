// Package process reads what the kernel counts of other programs, and what they count themselves.
package process

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// Memory reads bytes of /proc/PID/status: VmRSS is now, VmHWM the most there ever was.
func Memory(pid int, field string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			n, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no %s", pid, field)
}

// Counter counts the bytes that a program prints and forgets them.
type Counter int

func (c *Counter) Write(text []byte) (int, error) {
	*c += Counter(len(text))
	return len(text), nil
}

// Metrics are values by name, with labels as they are written.
type Metrics map[string]float64

// Sum adds up the values of a name, whatever its labels.
func (m Metrics) Sum(name string) float64 {
	total := 0.0
	for key, value := range m {
		if before, _, _ := strings.Cut(key, "{"); before == name {
			total += value
		}
	}
	return total
}

// longestLine bounds a line of metrics, in bytes.
const longestLine = 1 << 20

// ReadMetrics asks a program for its metrics, in Prometheus' text format without times.
func ReadMetrics(ctx context.Context, client *http.Client, url string) (Metrics, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	m := Metrics{}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := lines.Text()
		end := strings.LastIndexByte(line, ' ')
		if end < 0 || line[0] == '#' {
			continue
		}
		if value, err := strconv.ParseFloat(line[end+1:], 64); err == nil {
			m[line[:end]] = value
		}
	}
	return m, lines.Err()
}
