package render

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// TestPreviewCountsOnce: of three workloads, no more than three are told of.
func TestPreviewCountsOnce(t *testing.T) {
	finding, change := []engine.Finding{{Rule: "HR303"}}, []engine.Applied{{Rule: "HR202"}}
	refused := PreviewItem{Refused: finding}
	refusedChanged := PreviewItem{Refused: finding, Changed: change, Warned: finding}
	changed, changedWarned := PreviewItem{Changed: change}, PreviewItem{Changed: change, Warned: finding}
	warned := PreviewItem{Warned: finding}
	for want, items := range map[string][]PreviewItem{
		"no workload would be refused or changed": nil,
		"2 workloads would be refused (1 of them changed, too), 1 workload would be changed (and warned about, too)": {
			refused, refusedChanged, changedWarned,
		},
		"2 workloads would be changed (all of them warned about, too), 1 workload would be only warned about": {
			changedWarned, changedWarned, warned,
		},
		"1 workload would be changed": {changed},
	} {
		got := previewLine(&Report{Preview: &Preview{Mode: "enforce", Items: items}})
		if got != "If enforce were switched on now, "+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestNothingNew: where a baseline keeps findings, there is something to put right.
func TestNothingNew(t *testing.T) {
	r := soundReport()
	r.Known = []engine.Finding{{Rule: "HR303"}}
	r.Count()
	for format, want := range map[string]string{
		"table": "in 2 files: nothing new to put right", "markdown": "nothing new to put right",
		"github": "nothing new to put right", "html": "Nothing new is wrong with 3 containers",
	} {
		if out := render(t, format, r, Options{}); !strings.Contains(out, want) {
			t.Errorf("%s does not say %q:\n%.2000s", format, want, out)
		}
	}
}

// TestUnnamedContainer: a line of the table does not begin with nothing.
func TestUnnamedContainer(t *testing.T) {
	r := soundReport()
	r.Workloads[0].Containers = []Container{{Class: "batch"}}
	if out := render(t, "table", r, Options{Verbose: true}); !strings.Contains(out, "  (no name)  batch") {
		t.Error(out)
	}
}
