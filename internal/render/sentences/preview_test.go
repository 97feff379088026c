package sentences

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestPreviewCountsOnce: of three workloads, no more than three are told of.
func TestPreviewCountsOnce(t *testing.T) {
	finding, change := []engine.Finding{{Rule: "HR303"}}, []engine.Applied{{Rule: "HR202"}}
	refused := report.PreviewItem{Refused: finding}
	refusedChanged := report.PreviewItem{Refused: finding, Changed: change, Warned: finding}
	changed, changedWarned := report.PreviewItem{Changed: change}, report.PreviewItem{Changed: change, Warned: finding}
	warned := report.PreviewItem{Warned: finding}
	for want, items := range map[string][]report.PreviewItem{
		"no workload would be refused or changed": nil,
		"2 workloads would be refused (1 of them changed, too), 1 workload would be changed (and warned about, too)": {
			refused, refusedChanged, changedWarned,
		},
		"2 workloads would be changed (all of them warned about, too), 1 workload would be only warned about": {
			changedWarned, changedWarned, warned,
		},
		"1 workload would be changed": {changed},
	} {
		got := Preview(&report.Report{Preview: &report.Preview{Mode: "enforce", Items: items}})
		if got != "If enforce were switched on now, "+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestPreviewOfNothing: what was not read is not called harmless, nor is what is switched off.
func TestPreviewOfNothing(t *testing.T) {
	for want, r := range map[string]*report.Report{
		"headroom cannot tell what would be refused: it read no workload": {Summary: report.Summary{Problems: 1}},
		"no workload would be refused or changed":                         {Summary: report.Summary{Problems: 1, Workloads: 1}},
		"no workload would be refused or changed, 1 namespace would stay off by label": {
			Summary: report.Summary{Workloads: 1},
			Cluster: &report.Cluster{Namespaces: []report.Namespace{{Name: "shop", Mode: "off"}, {Name: "pay", Mode: "warn"}}},
		},
	} {
		r.Preview = &report.Preview{Mode: "enforce"}
		if got := Preview(r); got != "If enforce were switched on now, "+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
