//go:build integration

package browser

import (
	"fmt"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

var (
	classes    = []string{"latency-sensitive", "batch", "sidecar", "cron", "multi-tenant", ""}
	namespaces = []string{"shop", "payments", "search", "reports", "platform", "edge", "sandbox"}
	subjects   = []string{
		"article", "basket", "checkout", "invoice", "search", "stock", "pricing", "session", "mail", "export",
	}
	verdicts = []engine.Finding{{
		Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Fixable: true,
		Message: "limits.cpu is 2: the kernel stops every thread of a latency-sensitive container once it has used " +
			"200 ms of CPU in a period of 100 ms, however idle the node is.",
		Expected: "no limits.cpu, and -XX:ActiveProcessorCount=2 in its place",
	}, {
		Rule: "HR303", Slug: "jvm-headroom", Severity: "error",
		Message:  "The JVM may need 3912 MiB of a limit of 4096 MiB; 4.4 % is left, less than 20 %.",
		Expected: "limits.memory of at least 4890Mi, or a MaxRAMPercentage of at most 59.5",
	}, {
		Rule: "HR203", Slug: "cpu-request-off-average", Severity: "warning",
		Message: "The request is 2, the measured average 0.31: 545 % off.", Expected: "requests.cpu: 310m",
	}, {
		Rule: "HR407", Slug: "jvm-code-cache-unset", Severity: "info",
		Message:  "-XX:ReservedCodeCacheSize is not set: compiled code may take 240 MiB, which the budget counts.",
		Expected: "annotate codecache= (headroom diagnose POD shows it), then set -XX:ReservedCodeCacheSize",
	}}
)

// audit is a report of n workloads, the same one every time.
func audit(n int) *report.Report {
	r := &report.Report{
		Version: "v0.5.0",
		Cluster: &report.Cluster{
			Name: "prod-eu", Measured: "Prometheus at https://prometheus.example, last 7 days",
			Taken: time.Date(2026, time.March, 2, 8, 30, 0, 0, time.UTC),
		},
		Preview: &report.Preview{Mode: "enforce"},
		Rules:   rules(),
		Problems: []report.Problem{
			{Message: "namespace vault: forbidden: user audit cannot list pods"},
		},
		Skipped: []report.Skip{{
			Resource: engine.Resource{APIVersion: "v1", Kind: "Pod", Namespace: "edge", Name: "iis"},
			What:     "Pod edge/iis", Reason: "a Windows pod: no CFS quota, other memory accounting",
		}},
	}
	for i, name := range namespaces {
		ns := report.Namespace{Name: name, LimitRanges: i % 2}
		if i%3 == 0 {
			ns.Mode, ns.Mutate = "warn", "on"
		}
		r.Cluster.Namespaces = append(r.Cluster.Namespaces, ns)
	}
	for i := range n {
		workload(r, i)
	}
	r.Summary.Workloads = len(r.Workloads)
	r.Count()
	return r
}

func workload(r *report.Report, i int) {
	resource := engine.Resource{
		APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespaces[i%len(namespaces)],
		Name: fmt.Sprintf("%s-service-%d", subjects[i%len(subjects)], i),
	}
	main := report.Container{
		Name: "app", Class: classes[i%len(classes)], Evidence: "annotation headroom.dev/workload-class", Runtime: "jvm", Runs: "runs a JVM",
		Measured: &engine.Measured{
			Source: "Prometheus", Window: 7 * 24 * time.Hour, Samples: 2016, Age: 4 * time.Minute, CPUAverage: "310m",
			CPUPeak: "1900m", MemoryPeak: "3600Mi", Periods: 604800, Throttled: float64(i%9) * 30000,
			ThrottledSeconds: float64(i%9) * 4000, OOMKills: max(0, i%17-14), Restarts: i % 5,
		},
	}
	heap := float64(1024 + 256*(i%10))
	budget := &engine.Budget{LimitMiB: 4096, Complete: true, Terms: []engine.Term{
		{Name: "heap", MiB: heap, Source: "-Xmx (JAVA_TOOL_OPTIONS)"},
		{Name: "metaspace", MiB: 256, Source: "assumed", Assumed: true},
		{Name: "code cache", MiB: 240, Source: "JVM default", Assumed: true},
		{Name: "direct", MiB: 256, Source: "-XX:MaxDirectMemorySize=256m (command line)"},
		{Name: "stacks", MiB: 250, Source: "250 threads of 1024 KiB, assumed", Assumed: true},
		{Name: "native", MiB: 190, Source: "G1, assumed", Assumed: true},
	}}
	for _, t := range budget.Terms {
		budget.TotalMiB += t.MiB
	}
	budget.LeftMiB = budget.LimitMiB - budget.TotalMiB
	budget.Headroom = budget.LeftMiB / budget.LimitMiB
	main.Detail = &engine.Detail{
		Container: "app", Budget: budget,
		CPU: engine.CPUDetail{
			Request: 2000, Limit: 2000, Average: 310, Peak: 1900, Cores: 2, WantedRequest: 310, WantedLimit: -1,
		},
		Memory: engine.MemoryDetail{Request: 4096 << 20, Limit: 4096 << 20, Peak: 3600 << 20},
		Harm: engine.Harm{
			OOMKills: main.Measured.OOMKills, ThrottledCores: 2 * main.Measured.Throttled / main.Measured.Periods,
			HeadroomLeft: min(budget.Headroom, 0.12+float64(i%4)/10),
		},
	}
	side := report.Container{
		Name: "istio-proxy", Class: "sidecar", Evidence: "its name is in sidecars.names",
		Detail: &engine.Detail{
			Container: "istio-proxy", Harm: engine.Harm{HeadroomLeft: 0.6},
			CPU: engine.CPUDetail{
				Request: 100, Average: 100, Cores: 8, WantedRequest: -1, WantedLimit: -1,
			},
			Memory: engine.MemoryDetail{Request: 128 << 20, Limit: 256 << 20, Peak: 100 << 20},
		},
	}
	r.Workloads = append(r.Workloads, report.Workload{
		Resource: resource, Replicas: 1 + i%6, Containers: []report.Container{main, side},
	})
	r.Summary.Containers += 2
	item := report.PreviewItem{Resource: resource, Replicas: 1 + i%6}
	for j, f := range verdicts {
		if (i>>j)&1 == 0 {
			continue
		}
		f.Resource, f.Container, f.Class = resource, "app", main.Class
		if i%11 == 0 {
			f.Suppressed = &engine.Suppression{Reason: "being replaced", Until: "2027-03-31", Source: "annotation"}
			r.Exempted = append(r.Exempted, f)
			continue
		}
		r.Findings = append(r.Findings, f)
		switch {
		case f.Fixable:
			item.Changed = append(item.Changed, engine.Applied{
				Rule: f.Rule, Container: "app", Path: "/spec/containers/0/resources/limits/cpu", Old: "2",
			})
		case f.Refuses(true):
			item.Refused = append(item.Refused, f)
		case f.Severity == "warning":
			item.Warned = append(item.Warned, f)
		}
	}
	if len(item.Changed)+len(item.Refused)+len(item.Warned) > 0 {
		r.Preview.Items = append(r.Preview.Items, item)
	}
}

func rules() []report.Rule {
	known, err := engine.Rules()
	if err != nil {
		panic(err) // the catalogue is built into the program
	}
	var list []report.Rule
	for _, r := range known {
		list = append(list, report.Rule{
			ID: r.ID, Slug: r.Slug, Title: r.Title, Severity: r.Severity, HelpURI: r.HelpURI(), Fixable: r.Fixable,
		})
	}
	return list
}
