// Package memorylimit finds how much memory a process that runs for long may use.
package memorylimit

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// OfContainer is a share of the bytes that the control group below root allows; without a bound
// it is math.MaxInt64.
func OfContainer(root string, share float64) int64 {
	for _, name := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(content)), 10, 64)
		// Version 1 says "no bound" with a number near the largest one.
		if err != nil || n <= 0 || n > math.MaxInt64/2 {
			continue
		}
		return int64(float64(n) * share)
	}
	return math.MaxInt64
}

// OfVariable reads bytes as the Go runtime does in GOMEMLIMIT; false for what it does not accept.
func OfVariable(value string) (int64, bool) {
	if value == "off" {
		return math.MaxInt64, true
	}
	number, unit := strings.TrimSuffix(value, "B"), int64(1)
	for shift, suffix := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if cut, ok := strings.CutSuffix(value, suffix); ok {
			number, unit = cut, 1<<(10*(shift+1))
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}
