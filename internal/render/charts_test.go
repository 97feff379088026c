package render

import (
	"bytes"
	"strings"
	"testing"
)

func TestChartsThatNobodyRendered(t *testing.T) {
	for want, charts := range map[string][]string{
		"not judged: shop, a Helm chart; --helm-chart shop renders it":          {"shop"},
		"not judged: a and b, Helm charts; --helm-chart renders one":            {"a", "b"},
		"not judged: a, b, c and 2 more, Helm charts; --helm-chart renders one": {"a", "b", "c", "d", "e"},
		"not judged: x y, a Helm chart; --helm-chart x y renders it":            {"x\ny"},
	} {
		r := &Report{Skipped: []Skip{{File: "patch.yaml", What: "file", Reason: "a patch"}}}
		for _, name := range charts {
			r.Skipped = append(r.Skipped, Skip{File: name, What: SkippedChart, Reason: "a Helm chart"})
		}
		if got := chartLines(r); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, format := range []string{"table", "github", "markdown", "html"} {
			var out bytes.Buffer
			if err := Write(&out, format, r, Options{}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.ToLower(out.String()), "not judged") {
				t.Errorf("%s says nothing of %q:\n%s", format, charts, out.String())
			}
		}
	}
	if got := chartLines(&Report{Skipped: []Skip{{File: "a", What: "file"}}}); got != nil {
		t.Errorf("got %q", got)
	}
}
