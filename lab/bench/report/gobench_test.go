package report

import "testing"

func TestParseBenchmark(t *testing.T) {
	name, values, ok := parseBenchmark(
		"BenchmarkDecision/pod-2   210  5952572 ns/op  1861750 best-cpu-ns  0 findings  7307 allocs/op")
	if !ok || name != "BenchmarkDecision/pod" || values["best-cpu-ns"] != 1861750 || values["allocs/op"] != 7307 {
		t.Error(name, values, ok)
	}
	for _, line := range []string{"", "PASS", "ok  	github.com/a/b	1.2s", "BenchmarkA", "BenchmarkA-2 1 x ns/op"} {
		if name, values, ok := parseBenchmark(line); ok {
			t.Errorf("%q is read as %s %v", line, name, values)
		}
	}
}
