package report_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func TestBudget(t *testing.T) {
	terms := []any{sample.Term("heap", 3072, "-Xmx3g", false), sample.Term("stacks", 125, "250 threads", true)}
	for name, c := range map[string]struct {
		figures map[string]any
		want    []report.SumRow
	}{
		"only terms": {map[string]any{"terms": terms}, []report.SumRow{{"total", "3197 MiB", ""}}},
		"computed": {map[string]any{"terms": terms, "limit_mib": 4000}, []report.SumRow{
			{"total", "3197 MiB", ""}, {"limit", "4000 MiB", ""}, {"left", "803 MiB", "20 %"},
		}},
		"the rule's own": {
			map[string]any{
				"terms": terms, "limit_mib": json.Number("4000"), "total_mib": json.Number("3200.25"),
				"left_mib": 799.75, "wanted_left_mib": 800.0,
			},
			[]report.SumRow{
				{"total", "3200.3 MiB", ""}, {"limit", "4000 MiB", ""}, {"left", "799.8 MiB", "19.9 %, wanted 800 MiB (20 %)"},
			},
		},
		"over": {map[string]any{"terms": terms, "limit_mib": int64(3000)}, []report.SumRow{
			{"total", "3197 MiB", ""}, {"limit", "3000 MiB", ""}, {"over by", "197 MiB", ""},
		}},
	} {
		b, ok := report.SumOf(c.figures)
		if !ok || !reflect.DeepEqual(b.Totals, c.want) {
			t.Errorf("%s: got %v, want %v", name, b.Totals, c.want)
		}
		if len(b.Rows) != 2 || b.Rows[1].Source != "250 threads, assumed" {
			t.Errorf("%s: rows %v", name, b.Rows)
		}
		if rest := report.OtherFigures(c.figures); rest != nil {
			t.Errorf("%s: shown twice: %v", name, rest)
		}
	}
}

// A sum that cannot be read is shown as the figures it is made of.
func TestBudgetUnreadable(t *testing.T) {
	for _, terms := range []any{
		nil, "x",
		[]any{},
		[]any{1},
		[]any{map[string]any{"name": "heap"}},
		[]any{map[string]any{"name": "heap", "mib": "much"}},
	} {
		figures := map[string]any{"terms": terms}
		if b, ok := report.SumOf(figures); ok {
			t.Errorf("%v became %v", terms, b)
		}
		if rest := report.OtherFigures(figures); len(rest) != 1 {
			t.Errorf("%v is not shown", terms)
		}
	}
}

func TestOtherFigures(t *testing.T) {
	got := report.OtherFigures(map[string]any{
		"limit_millicores": json.Number("2000"), "share": 0.25, "on": true, "who": "api", "list": []any{1, "b"}, "none": nil,
		"bytes": json.Number("4294967296"), "wanted_bytes": 1610612736.0, "least_mib": 2036, "left_percent": -22.7, "pause_ms": 20, "cores": 1.5,
		"request_millicores": "a few", "passing_max_ram_percentage": 45, "most_permille": 250, "limit_bytes": 0, "average_millicores": 0,
		"wanted_request_millicores": 0, "passing_heap_mib": 0, "throttle_ms": 0, "beside_cores": 1, "kubelet_seconds": 3, "least_bytes": 1,
	})
	want := [][2]string{
		{"average", "not known"},
		{"beside", "1 core"},
		{"amount", "4 GiB"},
		{"cores", "1.5 cores"},
		{"kubelet", "3 s"},
		{"plausible from", "1 byte"},
		{"low end", "2036 MiB"},
		{"left", "-22.7 %"},
		{"limit", "not set"},
		{"limit", "2 cores"},
		{"list", `[1,"b"]`},
		{"at most", "25 %"},
		{"none", ""},
		{"on", "true"},
		{"heap that would pass", "none"},
		{"MaxRAMPercentage that would pass", "45"},
		{"GC pause", "20 ms"},
		{"request millicores", "a few"},
		{"share", "0.25"},
		{"throttled for", "0 ms"},
		{"wanted", "1.5 GiB"},
		{"wanted request", "not known"},
		{"who", "api"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
