package size

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// replicas are those that a manifest asks for; one where it says nothing, and of kinds that have none.
func replicas(object map[string]any) int {
	spec, _ := object["spec"].(map[string]any)
	for _, key := range []string{"replicas", "parallelism"} {
		switch n := spec[key].(type) {
		case json.Number:
			if whole, err := strconv.Atoi(string(n)); err == nil {
				return max(0, whole)
			}
		case float64:
			return max(0, int(n))
		case int64:
			return max(0, int(n))
		}
	}
	return 1
}

// cores writes millicores as cores, and gibibytes bytes as GiB, with two decimals.
func cores(milli int64) string { return decimals(float64(milli) / 1000) }

func gibibytes(bytes int64) string { return decimals(float64(bytes) / (1 << 30)) }

func decimals(n float64) string { return strconv.FormatFloat(n, 'f', 2, 64) }

// signed is a difference with its sign.
func signed(n float64) string {
	if text := fmt.Sprintf("%+.2f", n); text != "-0.00" {
		return text
	}
	return "+0.00"
}
