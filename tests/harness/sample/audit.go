package sample

import (
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

var vault = engine.Resource{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "platform", Name: "vault"}

// Audit is what an audit of a small cluster finds: the same objects as sampleReport's,
// without files, and one that is sound.
func Audit() *report.Report {
	r := Report()
	r.Workloads = r.Workloads[:2]
	r.Workloads = append(r.Workloads, report.Workload{
		Resource: vault, Replicas: 3, Containers: []report.Container{{Name: "vault", Class: "latency-sensitive", Runtime: "go", Runs: "runs Go"}},
	})
	r.Workloads[0].Replicas = 4
	api := &r.Workloads[0].Containers[0]
	api.Measured = &engine.Measured{
		Source: "Prometheus", Window: 7 * 24 * time.Hour, Samples: 2016, Age: 4 * time.Minute, CPUAverage: "310m",
		CPUPeak: "1900m", MemoryPeak: "3600Mi", Periods: 604800, Throttled: 90720, ThrottledSeconds: 5400,
		OOMKills: 2, Restarts: 3,
	}
	api.Detail = &engine.Detail{
		Container: "api", Evidence: "measured by Prometheus: 2 016 samples over 7d, newest 4m old",
		CPU: engine.CPUDetail{
			Request: 2000, Limit: 2000, Average: 310, Peak: 1900, Cores: 2, WantedRequest: 310, WantedLimit: 0,
		},
		Memory: engine.MemoryDetail{Request: 4096 << 20, Limit: 4096 << 20, Peak: 3600 << 20},
		Budget: &engine.Budget{
			LimitMiB: 4096, TotalMiB: 3912, LeftMiB: 184, Headroom: 184.0 / 4096, Complete: true, Terms: []engine.Term{
				{Name: "heap", MiB: 3072, Source: "-XX:MaxRAMPercentage=75.0"},
				{Name: "the rest", MiB: 840, Source: "assumed", Assumed: true},
			},
		},
		Harm: engine.Harm{OOMKills: 2, ThrottledCores: 0.3, HeadroomLeft: 0.04},
	}
	indexer := &r.Workloads[1].Containers[0]
	indexer.Measured = &engine.Measured{
		Source: "VerticalPodAutoscaler", Samples: -1, Age: -1, CPUAverage: "1", Periods: -1, Throttled: -1,
		ThrottledSeconds: -1, OOMKills: -1, Restarts: -1,
	}
	bare := func(list []engine.Finding) {
		for i := range list {
			list[i].File, list[i].Line = "", 0
		}
	}
	r.Findings = r.Findings[:4]
	bare(r.Findings)
	bare(r.Exempted)
	known := r.Findings[1]
	r.Findings = append(r.Findings[:1:1], r.Findings[2:]...)
	known.Suppressed = &engine.Suppression{Source: "baseline"}
	r.Known = []engine.Finding{known}
	r.Stale = []report.Stale{{
		Rule: "HR302", Severity: "error", Kind: "Deployment", Namespace: "shop", Name: "basket", Container: "app", Count: 1,
		File: "baseline.yaml", Line: 12,
	}}
	for i := range r.Workloads {
		r.Workloads[i].File, r.Workloads[i].Line = "", 0
	}
	for i := range r.Skipped {
		r.Skipped[i].File = ""
	}
	r.Problems = []report.Problem{{Message: "namespace vault: forbidden: user audit cannot list pods"}}
	r.Cluster = &report.Cluster{
		Name: "prod-eu", Measured: "Prometheus at https://prometheus.example, last 7 days",
		Taken: time.Date(2026, time.March, 2, 8, 30, 0, 0, time.UTC),
		Namespaces: []report.Namespace{
			{Name: "shop", Mode: "warn", Mutate: "on", LimitRanges: 1}, {Name: "platform"}, {Name: "empty"},
		},
	}
	r.Preview = &report.Preview{Mode: "enforce", Items: []report.PreviewItem{{
		Resource: Article, Replicas: 4, Refused: r.Findings[1:2], Warned: r.Findings[2:3],
		Changed: []engine.Applied{
			{Rule: "HR202", Container: "api", Path: "/spec/containers/0/resources/limits/cpu", Old: "2"},
		},
	}}}
	r.Summary = report.Summary{Workloads: 3, Containers: 4}
	r.Count()
	return r
}
