package render

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestBudget(t *testing.T) {
	terms := []any{term("heap", 3072, "-Xmx3g", false), term("stacks", 125, "250 threads", true)}
	for name, c := range map[string]struct {
		figures map[string]any
		want    []budgetRow
	}{
		"only terms": {map[string]any{"terms": terms}, []budgetRow{{"total", "3197 MiB", ""}}},
		"computed": {map[string]any{"terms": terms, "limit_mib": 4000}, []budgetRow{
			{"total", "3197 MiB", ""}, {"limit", "4000 MiB", ""}, {"left", "803 MiB", "20 %"},
		}},
		"the rule's own": {
			map[string]any{
				"terms": terms, "limit_mib": json.Number("4000"), "total_mib": json.Number("3200.25"),
				"left_mib": 799.75, "wanted_left_mib": 800.0,
			},
			[]budgetRow{
				{"total", "3200.3 MiB", ""}, {"limit", "4000 MiB", ""}, {"left", "799.8 MiB", "19.9 %, wanted 800 MiB (20 %)"},
			},
		},
		"over": {map[string]any{"terms": terms, "limit_mib": int64(3000)}, []budgetRow{
			{"total", "3197 MiB", ""}, {"limit", "3000 MiB", ""}, {"over by", "197 MiB", ""},
		}},
	} {
		b, ok := budgetOf(c.figures)
		if !ok || !reflect.DeepEqual(b.totals, c.want) {
			t.Errorf("%s: got %v, want %v", name, b.totals, c.want)
		}
		if len(b.rows) != 2 || b.rows[1].source != "250 threads, assumed" {
			t.Errorf("%s: rows %v", name, b.rows)
		}
		if rest := otherFigures(c.figures); rest != nil {
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
		if b, ok := budgetOf(figures); ok {
			t.Errorf("%v became %v", terms, b)
		}
		if rest := otherFigures(figures); len(rest) != 1 {
			t.Errorf("%v is not shown", terms)
		}
	}
}

func TestOtherFigures(t *testing.T) {
	got := otherFigures(map[string]any{
		"limit_millicores": json.Number("2000"), "share": 0.25, "on": true, "who": "api", "list": []any{1, "b"}, "none": nil,
	})
	want := [][2]string{
		{"limit_millicores", "2000"},
		{"list", `[1,"b"]`},
		{"none", ""},
		{"on", "true"},
		{"share", "0.25"},
		{"who", "api"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
