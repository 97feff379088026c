// Package sample has reports that the tests of all formats share. One has everything that a format
// must show. Others are of a sound run, of an audit and of a change, and some have strings that
// would break a format without escapes. Only tests import it.
package sample

import (
	"encoding/json"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Sound is a run that found nothing.
func Sound() *report.Report {
	r := Report()
	return &report.Report{
		Version: r.Version, Rules: r.Rules, Workloads: r.Workloads[:2],
		Summary: report.Summary{Files: 2, Documents: 2, Workloads: 2, Containers: 3},
	}
}

var (
	// Article is the workload that most findings are about.
	Article = engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "article-service"}
	indexer = engine.Resource{APIVersion: "batch/v1", Kind: "Job", Namespace: "shop", Name: "search-indexer"}
	proxy   = engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "edge", Name: "nginx-proxy"}
	kubelet = engine.Resource{APIVersion: "kubelet.config.k8s.io/v1beta1", Kind: "KubeletConfiguration"}
)

// ContainersAt is the JSON pointer to the containers of a Deployment.
const ContainersAt = "/spec/template/spec/containers/"

// Report has one of everything that a format must show.
func Report() *report.Report {
	r := &report.Report{
		Version:  "v0.1.0",
		ExitCode: 2,
		Findings: sampleFindings(),
		Exempted: []engine.Finding{{
			Rule: "HR204", Slug: "batch-cpu-limit", Severity: "error", Harm: "starved", Group: "HR204", Class: "batch", Resource: indexer,
			Container: "indexer", Path: ContainersAt + "0/resources/limits", File: "samples/indexer.yaml", Line: 19,
			Message: "no limits.cpu; a batch container takes what the node has", Expected: "limits.cpu: 4",
			Suppressed: &engine.Suppression{Reason: "runs alone on its node", Until: "2027-03-31", Source: "annotation"},
		}, {
			Rule: "HR413", Slug: "jvm-gc-log", Severity: "info", Harm: "style", Group: "HR413", Class: "batch", Resource: indexer,
			Container: "indexer", Path: ContainersAt + "0", File: "samples/indexer.yaml", Line: 14,
			Message: "no GC log", Expected: "-Xlog:gc*", Figures: map[string]any{},
			Suppressed: &engine.Suppression{Reason: "logs go through the agent", Source: "config"},
		}},
		Skipped: []report.Skip{{
			File: "samples/windows.yaml", Resource: engine.Resource{APIVersion: "v1", Kind: "Pod", Name: "iis"},
			What: "Pod iis", Reason: "a Windows pod: no CFS quota, other memory accounting",
		}},
		Problems: []report.Problem{
			{File: "samples/broken.yaml", Line: 14, Message: "mapping values are not allowed in this context"},
			{File: "samples/secret.yaml", Message: "permission denied"},
		},
		Workloads: []report.Workload{
			{Resource: Article, File: "samples/article-service.yaml", Line: 3, Containers: []report.Container{
				{Name: "api", Class: "latency-sensitive", Evidence: "annotation headroom.dev/workload-class", Runtime: "jvm", Runs: "runs a JVM"},
				{Name: "istio-proxy", Class: "sidecar", Evidence: "its name is in sidecars.names"},
			}},
			{Resource: indexer, File: "samples/indexer.yaml", Line: 1, Containers: []report.Container{
				{Name: "indexer", Class: "batch", Evidence: "owned by a Job", Runtime: "jvm", Runs: "runs a JVM"},
			}},
			{Resource: proxy, File: "samples/nginx-proxy.yaml", Line: 1, Containers: []report.Container{
				{Name: "nginx"}, {Name: "exporter"},
			}},
		},
		Rules:   sampleRules(),
		Summary: report.Summary{Files: 6, Documents: 9, Workloads: 3, Containers: 5, NotKubernetes: 3},
	}
	r.Count()
	return r
}

func sampleFindings() []engine.Finding {
	return []engine.Finding{{
		Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Harm: "throttled", Group: "HR202", Class: "latency-sensitive", Resource: Article,
		Container: "api", Path: ContainersAt + "0/resources/limits/cpu", File: "samples/article-service.yaml", Line: 31,
		Message: "limits.cpu is 2; the kernel stops every thread of a latency-sensitive container once it has used " +
			"200 ms of CPU in a period of 100 ms, however idle the node is",
		Expected: "no limits.cpu, and -XX:ActiveProcessorCount=2 in its place",
		Figures:  map[string]any{"limit_millicores": json.Number("2000"), "quota_ms": json.Number("200")}, Fixable: true,
	}, {
		Rule: "HR407", Slug: "jvm-code-cache-unset", Severity: "info", Harm: "style", Group: "HR407", Class: "latency-sensitive", Resource: Article,
		Container: "api", Path: ContainersAt + "0/env/2", File: "samples/article-service.yaml", Line: 34,
		Message: "ReservedCodeCacheSize is not set; the JVM may take 240 MiB", Expected: "-XX:ReservedCodeCacheSize=128m",
		Figures: map[string]any{},
	}, {
		Rule: "HR303", Slug: "jvm-headroom", Severity: "error", Harm: "OOMKilled", Group: "HR303", Class: "latency-sensitive", Resource: Article,
		Container: "api", Path: ContainersAt + "0/resources/limits/memory", File: "samples/article-service.yaml", Line: 36,
		Message:  "the JVM may need 3912 MiB of a limit of 4096 MiB; what is left is 4.4 %, less than 20 %",
		Expected: "limits.memory of at least 4890Mi, or a MaxRAMPercentage of at most 59.5",
		Figures: map[string]any{
			"terms": []any{
				Term("heap", 3072, "-XX:MaxRAMPercentage=75.0 (JAVA_TOOL_OPTIONS)", false),
				Term("metaspace", 256, "no class count", true),
				Term("code cache", 128, "-XX:ReservedCodeCacheSize=128m (command line)", false),
				Term("direct memory", 256, "-XX:MaxDirectMemorySize=256m (command line)", false),
				Term("stacks", 100, "200 threads × 512 KiB, annotation jvm.headroom.dev/api", false),
				Term("native", 100, "assumed: 50 MiB + G1 40 MiB + 4 % of heap, not under 100 MiB", true),
			},
			"total_mib": json.Number("3912"), "limit_mib": json.Number("4096"), "left_mib": json.Number("184"),
			"wanted_left_mib": 819.2, "headroom_percent": 4.4,
		},
	}, {
		Rule: "HR103", Slug: "class-not-on-template", Severity: "warning", Harm: "style", Group: "HR103", Resource: Article,
		Path: "/metadata/annotations/headroom.dev~1workload-class", File: "samples/article-service.yaml", Line: 7,
		Message:  "headroom.dev/workload-class stands on the Deployment and not on its pod template",
		Expected: "the annotation on spec.template.metadata", Fixable: true,
	}, {
		Rule: "HR601", Slug: "kubelet-cfs-period", Severity: "info", Harm: "style", Group: "HR601", Resource: kubelet, Path: "/cpuCFSQuotaPeriod",
		File: "samples/kubelet.yaml", Line: 3, Message: "cpuCFSQuotaPeriod is 100 ms, the default",
	}, {
		Rule: "HR101", Slug: "class-missing", Severity: "warning", Harm: "style", Group: "HR101", Resource: proxy, Container: "nginx",
		Path: ContainersAt + "0", File: "samples/nginx-proxy.yaml", Line: 17,
		Message:  "the class is not set",
		Expected: "annotation headroom.dev/workload-class: latency-sensitive, batch, sidecar, cron or multi-tenant",
	}, {
		Rule: "HR101", Slug: "class-missing", Severity: "warning", Harm: "style", Group: "HR101", Resource: proxy, Container: "exporter",
		Path: ContainersAt + "1", File: "samples/nginx-proxy.yaml", Line: 24,
		Message:  "the class is not set",
		Expected: "annotation headroom.dev/workload-class: latency-sensitive, batch, sidecar, cron or multi-tenant",
	}}
}

// Term is one term of the figures of a sum.
func Term(name string, mib int, source string, assumed bool) map[string]any {
	return map[string]any{"name": name, "mib": mib, "source": source, "assumed": assumed}
}

func sampleRules() []report.Rule {
	docs := func(id, slug string) string {
		return "https://github.com/headroom-dev/headroom/blob/main/docs/rules/" + id + "-" + slug + ".md"
	}
	return []report.Rule{{
		ID: "HR101", Slug: "class-missing", Title: "No workload class", Category: "classification", Severity: "warning",
		Description: "Without a class no row of the matrix applies.\n", Remediation: "Set the annotation.\n",
		HelpURI: docs("HR101", "class-missing"),
	}, {
		ID: "HR202", Slug: "latency-cpu-limit", Title: "CPU limit on a latency-sensitive container", Category: "cpu",
		Description: "A limit stops every thread of the container\nfor the rest of the period.\n\nThe node may be idle.\n",
		Severity:    "error", Remediation: "Remove limits.cpu.", HelpURI: docs("HR202", "latency-cpu-limit"), Fixable: true,
	}, {
		ID: "HR303", Slug: "jvm-headroom", Title: "Too little memory beside the JVM", Category: "memory", Severity: "error",
		Description: "A JVM needs more than its heap.", Remediation: "Raise the limit or lower the heap.",
		HelpURI: docs("HR303", "jvm-headroom"),
	}}
}
