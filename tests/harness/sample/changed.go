package sample

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Changed is what a pull request finds that gave one workload a limit, put another one
// right, removed a third and took a class away by a LimitRange.
func Changed() *report.Report {
	r := Report()
	r.Exempted, r.Skipped = nil, nil
	r.Problems = r.Problems[:1]
	removed := engine.Resource{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "cache"}
	r.Changed = &report.Changed{
		Ref: "origin/main", Base: "3e01797c92a8b76c96f96b02c20fdc29355a6f7d", Files: 4,
		Elsewhere: report.Counts{Errors: 3, Warnings: 9, Infos: 2}, Unjudged: 12,
		Workloads: []report.ChangedWorkload{
			{
				Resource: Article, File: "samples/article-service.yaml", Line: 3, State: report.StateTouched,
				Before: report.Counts{Errors: 1, Warnings: 1}, Now: report.Counts{Errors: 2, Warnings: 1, Infos: 1},
				Fixed: []engine.Finding{{Rule: "HR302", Severity: "error"}, {Rule: "HR302", Severity: "error"}},
			},
			{Resource: indexer, File: "samples/indexer.yaml", Line: 1, State: report.StateAdded},
			{Resource: proxy, File: "samples/nginx-proxy.yaml", Line: 1, State: report.StateAffected, Now: report.Counts{Warnings: 2}},
			{Resource: removed, File: "samples/old.yaml", Line: 9, State: report.StateRemoved, Before: report.Counts{Warnings: 4}},
		},
		Notes: []string{"could not be read as it was at origin/main, so that its findings count as new: old.yaml: not UTF-8"},
		Suggestions: []report.Suggestion{
			{File: "samples/article-service.yaml", First: 31, Last: 31, Resource: Article, Rules: []string{"HR202"}},
			{
				File: "samples/article-service.yaml", First: 5, Last: 6, Resource: Article, Rules: []string{"HR103"},
				Text: "  template:\n    metadata: {annotations: {headroom.dev/workload-class: latency-sensitive}}\n",
			},
		},
		Snippets: []report.Snippet{{
			Origin: "samples", Where: "values.yaml of the chart", Text: "api:\n  resources: {}\n", Note: "not HR303",
		}},
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		r.Changed.SetMark(f, report.Mark{New: f.Rule == "HR202" || f.Rule == "HR303" || f.Rule == "HR101", OnLine: f.Rule == "HR202" || f.Rule == "HR103"})
	}
	r.Count()
	return r
}
