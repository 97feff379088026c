package sample

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// HostileAudit puts the strings wherever a cluster could.
func HostileAudit(a, b string) *report.Report {
	r := HostileReport(a, b)
	w := &r.Workloads[0]
	w.Replicas = 2
	w.Containers[0].Measured = &engine.Measured{Source: a, CPUAverage: b, CPUPeak: a, MemoryPeak: b, Samples: 1}
	w.Containers[0].Detail = &engine.Detail{
		Container: b, Evidence: a,
		Budget: &engine.Budget{
			LimitMiB: 1, TotalMiB: 2, LeftMiB: -1, Complete: true, Terms: []engine.Term{{Name: a, MiB: 2, Source: b}},
		},
	}
	known := r.Findings[0]
	known.Suppressed = &engine.Suppression{Source: "baseline"}
	r.Known = []engine.Finding{known}
	r.Stale = []report.Stale{{Rule: a, Kind: b, Namespace: a, Name: b, Container: a, File: b, Line: 3}}
	r.Cluster = &report.Cluster{Name: a, Measured: b, Namespaces: []report.Namespace{{Name: a, Mode: b, Mutate: a}}}
	r.Preview = &report.Preview{Mode: a, Items: []report.PreviewItem{{
		Resource: w.Resource, File: w.File, Line: w.Line, Refused: r.Findings[:1], Warned: r.Findings[1:],
		Changed: []engine.Applied{{Rule: a, Container: b, Path: a, Old: b, New: a, Added: b}},
	}}}
	r.Count()
	return r
}

// Hostile are strings that a format has to escape.
var Hostile = []string{
	"", " ", "a\nb", "a\r\n::error::b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u009b2J", "\x00", "\xff\xfe", "a|b|c",
	"]]>", "<script>alert(1)</script>", "</details>", "::set-output name=x::y", "a ::stop-commands::x", "##[group]a", "##vso[task.complete]a", "%0A::warning::z", "a,b:c", "`x`", "**b**",
	"[a](http://b)", "@everyone", "\\|", "\\", "__x__", "\u202egnp.exe", "\u2028", "\uffff", "日本語", "👩‍👩‍👧", "{0}",
	strings.Repeat("x", 300), "C:\\dir\\file.yaml", "../up.yaml", "a b%20c?d#e.yaml", "http://x/y:z", "- a", "# h", "~~~",
}

// HostileReport puts the strings wherever a manifest or a file name could.
func HostileReport(a, b string) *report.Report {
	resource := engine.Resource{APIVersion: a, Kind: b, Namespace: a, Name: b}
	f := engine.Finding{
		Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Class: a, Resource: resource, Container: b,
		Path: "/" + a, File: b, Line: 3, Message: a, Expected: b, Fixable: true,
		Figures: map[string]any{a: b, "terms": []any{map[string]any{"name": a, "mib": 1, "source": b}}},
	}
	info, exempted := f, f
	info.Severity, info.Container, info.Message = "info", a, b
	exempted.Suppressed = &engine.Suppression{Reason: a, Until: b, Source: "config"}
	r := &report.Report{
		Findings: []engine.Finding{f, info}, Exempted: []engine.Finding{exempted},
		Skipped:  []report.Skip{{File: b, Resource: resource, What: a, Reason: b}},
		Problems: []report.Problem{{File: b, Line: 2, Message: a}},
		Workloads: []report.Workload{{Resource: resource, File: b, Line: 1, Containers: []report.Container{
			{Name: b, Class: a, Evidence: b, Runtime: a, Runs: a},
		}}},
		Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1},
		Show:    engine.SeverityInfo,
	}
	r.Count()
	return r
}

// HostileChange puts the strings wherever a repository could.
func HostileChange(a, b string) *report.Report {
	r := HostileReport(a, b)
	w := r.Workloads[0]
	r.Changed = &report.Changed{
		Ref: a, Base: b, Notes: []string{a, b},
		Workloads: []report.ChangedWorkload{
			{Resource: w.Resource, File: b, Line: 2, State: report.StateTouched, Fixed: r.Findings[:1]},
			{Resource: w.Resource, File: a, Line: 2, State: report.StateRemoved},
		},
		Suggestions: []report.Suggestion{{File: w.File, First: 1, Last: 2, Text: a + "\n" + b, Resource: w.Resource, Rules: []string{a}}},
		Snippets:    []report.Snippet{{Origin: b, Where: a, Text: b, Note: a}},
	}
	r.Changed.SetMark(&r.Findings[0], report.Mark{New: true, OnLine: true})
	return r
}
