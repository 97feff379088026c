package growth

import (
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

func TestTell(t *testing.T) {
	size := func(n float64) *engine.Size { return &engine.Size{Value: n, Unit: "% of the limit"} }
	number := func(n float64) *float64 { return &n }
	for _, c := range []struct {
		severity string
		size     *engine.Size
		was      string
		before   *float64
		want     string
	}{
		{"error", size(90), "error", number(75), "Got worse: 75 → 90 % of the limit. It is."},
		{"error", size(90.25), "warning", number(75), "Got worse: warning → error, 75 → 90.3 % of the limit. It is."},
		{"error", nil, "info", number(75), "Got worse: info → error. It is."},
		{"error", size(78.75), "error", number(75), "It is."},
		{"error", size(78.76), "error", number(75), "Got worse: 75 → 78.8 % of the limit. It is."},
		{"warning", size(60), "error", number(75), "It is."},
		{"error", size(1), "error", number(0), "Got worse: 0 → 1 % of the limit. It is."},
		{"error", size(0), "error", number(0), "It is."},
		{"error", size(90), "error", nil, "It is."},
		{"error", nil, "error", nil, "It is."},
	} {
		f := engine.Finding{Severity: c.severity, Size: c.size, Message: "It is."}
		if Tell(&f, c.was, c.before); f.Message != c.want {
			t.Errorf("%+v: %s", c, f.Message)
		}
	}
}
