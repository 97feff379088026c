package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// found is a finding that is its own group, in the container c of a workload.
func found(rule, severity, harm, workload string, change ...func(*engine.Finding)) engine.Finding {
	f := engine.Finding{
		Rule: rule, Severity: severity, Harm: harm, Group: rule, File: "a.yaml", Container: "c",
		Resource: rankedAs(workload), Message: "message of " + rule, Expected: "advice of " + rule,
	}
	for _, c := range change {
		c(&f)
	}
	return f
}

func follows(rule string) func(*engine.Finding) { return func(f *engine.Finding) { f.Group = rule } }

func saying(message, why, expected string) func(*engine.Finding) {
	return func(f *engine.Finding) { f.Message, f.Why, f.Expected = message+" "+why, why, expected }
}

// told is the entries in short: "HR302 warning ×2 with HR403".
func told(r *report.Report) []string {
	var list []string
	for _, e := range report.Entries(r) {
		text := fmt.Sprintf("%s %s ×%d", e.Rule, e.Severity, len(e.Places))
		if len(e.With) > 0 {
			text += " with " + strings.Join(e.With, " ")
		}
		list = append(list, text)
	}
	return list
}

func TestEntries(t *testing.T) {
	fixable := func(f *engine.Finding) { f.Fixable = true }
	elsewhere := func(f *engine.Finding) { f.Container = "d" }
	for name, c := range map[string]struct {
		show     string
		findings []engine.Finding
		want     []string
	}{
		"nothing": {},
		"the same finding on many workloads": {
			findings: []engine.Finding{
				found("HR304", "error", "OOMKilled", "a"), found("HR304", "error", "OOMKilled", "b"),
			},
			want: []string{"HR304 error ×2"},
		},
		"another message": {
			findings: []engine.Finding{
				found("HR304", "error", "OOMKilled", "a"),
				found("HR304", "error", "OOMKilled", "b", saying("other", "", "advice of HR304")),
			},
			want: []string{"HR304 error ×1", "HR304 error ×1"},
		},
		"another advice": {
			findings: []engine.Finding{
				found("HR304", "error", "OOMKilled", "a"),
				found("HR304", "error", "OOMKilled", "b", func(f *engine.Finding) { f.Expected = "other" }),
			},
			want: []string{"HR304 error ×1", "HR304 error ×1"},
		},
		"the same why": {
			findings: []engine.Finding{
				found("HR302", "warning", "evicted", "a", saying("1Gi of 2Gi", "it is evicted", "2Gi")),
				found("HR302", "warning", "evicted", "b", saying("3Gi of 4Gi", "it is evicted", "4Gi")),
				found("HR302", "warning", "evicted", "d", saying("3Gi of 4Gi", "it is not", "4Gi")),
			},
			want: []string{"HR302 warning ×2", "HR302 warning ×1"},
		},
		"other severities, and what can be fixed": {
			findings: []engine.Finding{
				found("HR302", "warning", "evicted", "a"), found("HR302", "error", "evicted", "b"),
				found("HR302", "warning", "evicted", "c", fixable),
			},
			want: []string{"HR302 error ×1", "HR302 warning ×1", "HR302 warning ×1"},
		},
		"followers go with their lead": {
			findings: []engine.Finding{
				found("HR201", "warning", "starved", "a", follows("HR301")), found("HR301", "warning", "evicted", "a"),
			},
			want: []string{"HR301 warning ×1 with HR201"},
		},
		"other followers": {
			findings: []engine.Finding{
				found("HR301", "warning", "evicted", "a"), found("HR201", "warning", "starved", "a", follows("HR301")),
				found("HR301", "warning", "evicted", "b"),
			},
			want: []string{"HR301 warning ×1 with HR201", "HR301 warning ×1"},
		},
		"a follower of a follower": {
			findings: []engine.Finding{
				found("HR402", "warning", "throttled", "a"), found("HR403", "warning", "throttled", "a", follows("HR402")),
				found("HR404", "warning", "throttled", "a", follows("HR403")),
			},
			want: []string{"HR402 warning ×1 with HR403 HR404"},
		},
		"two that follow each other": {
			findings: []engine.Finding{
				found("HR402", "warning", "throttled", "a", follows("HR403")), found("HR403", "warning", "throttled", "a", follows("HR402")),
			},
			want: []string{"HR402 warning ×1", "HR403 warning ×1"},
		},
		"a lead in another container, or none": {
			findings: []engine.Finding{
				found("HR301", "warning", "evicted", "a"),
				found("HR201", "warning", "starved", "a", follows("HR301"), elsewhere),
				found("HR201", "warning", "starved", "b", follows("HR301")),
			},
			want: []string{"HR301 warning ×1", "HR201 warning ×2"},
		},
		"an info that follows a warning is not shown": {
			findings: []engine.Finding{
				found("HR402", "warning", "throttled", "a"), found("HR403", "info", "throttled", "a", follows("HR402")),
				found("HR402", "warning", "throttled", "b"),
			},
			want: []string{"HR402 warning ×2"},
		},
		"infos": {
			show:     "info",
			findings: []engine.Finding{found("HR407", "info", "style", "a"), found("HR402", "warning", "throttled", "a")},
			want:     []string{"HR402 warning ×1", "HR407 info ×1"},
		},
		"errors alone": {
			show:     "error",
			findings: []engine.Finding{found("HR304", "error", "OOMKilled", "a"), found("HR402", "warning", "throttled", "a")},
			want:     []string{"HR304 error ×1"},
		},
		"by severity, then by harm": {
			findings: []engine.Finding{
				found("HR406", "warning", "cost", "a"), found("HR303", "warning", "OOMKilled", "a"), found("HR102", "error", "style", "a"),
				found("HR402", "warning", "throttled", "a"), found("HR001", "error", "start", "a"), found("HR999", "warning", "unheard", "a"),
			},
			want: []string{
				"HR001 error ×1", "HR102 error ×1", "HR303 warning ×1", "HR402 warning ×1", "HR406 warning ×1", "HR999 warning ×1",
			},
		},
		"classes are missing once a run": {
			findings: []engine.Finding{
				found("HR101", "warning", "style", "a"), found("HR101", "warning", "style", "b", saying("other", "", "latency-sensitive")),
			},
			want: []string{"HR101 warning ×2"},
		},
	} {
		r := &report.Report{Findings: c.findings, Show: c.show}
		if got := told(r); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
		if r.Count(); r.Summary.Shown != len(c.want) {
			t.Errorf("%s: %d are said to be shown, not %d", name, r.Summary.Shown, len(c.want))
		}
	}
}

// TestLeads: what follows from another finding and infos are left out, and nothing else.
func TestLeads(t *testing.T) {
	r := &report.Report{Findings: []engine.Finding{
		found("HR301", "warning", "evicted", "a"), found("HR201", "warning", "starved", "a", follows("HR301")),
		found("HR407", "info", "style", "a"), found("HR301", "warning", "evicted", "b"),
	}}
	var got []string
	for _, f := range r.Led().Findings {
		got = append(got, f.Rule+" "+f.Resource.Name)
	}
	if want := []string{"HR301 a", "HR301 b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if hidden := r.Hidden(); hidden != (report.Counts{Infos: 1}) {
		t.Errorf("%+v are hidden", hidden)
	}
}
