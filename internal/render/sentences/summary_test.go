package sentences

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestSummary(t *testing.T) {
	some := func(severity string, n int) (list []engine.Finding) {
		for i := range n {
			list = append(list, engine.Finding{Rule: "HR303", Severity: severity, Message: severity + fmt.Sprint(i)})
		}
		return list
	}
	for want, r := range map[string]report.Report{
		"14 workloads, 23 containers in 6 files: 5 errors, 9 warnings (12 infos: --show info); 2 exempted, 1 skipped, " +
			"3 documents are not Kubernetes": {
			Findings: slices.Concat(some("error", 5), some("warning", 9), some("info", 12)),
			Summary:  report.Summary{Files: 6, Workloads: 14, Containers: 23, Exempted: 2, Skipped: 1, NotKubernetes: 3},
		},
		"1 workload, 1 container in 1 file: 1 error": {
			Findings: some("error", 1), Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1},
		},
		"1 workload, 1 container in 1 file: 1 error (2 warnings, 1 info: --show info)": {
			Findings: slices.Concat(some("error", 1), some("warning", 2), some("info", 1)), Show: "error",
			Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1},
		},
		"1 workload, 1 container in 1 file: 1 error (2 warnings: --show warning)": {
			Findings: slices.Concat(some("error", 1), some("warning", 2)), Show: "error",
			Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1},
		},
		"1 info in 1 file": {Findings: some("info", 1), Show: "info", Summary: report.Summary{Files: 1}},
		"no findings in 1 file (1 info: --show info)": {Findings: some("info", 1), Summary: report.Summary{Files: 1}},
		"no findings in 1 workload, 1 container in 1 file (1 info: --show info)": {
			Findings: some("info", 1), Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1},
		},
		"no findings in 1 workload, 1 container in 1 file; 1 exempted": {
			Summary: report.Summary{Files: 1, Workloads: 1, Containers: 1, Exempted: 1},
		},
		"nothing to judge: no files": {},
		"no container to judge in 1 workload in 1 file; 1 skipped": {
			Summary: report.Summary{Files: 1, Workloads: 1, Skipped: 1},
		},
		"no container to judge in 2 workloads in 1 namespace of prod; 1 exempted": {
			Cluster: &report.Cluster{Name: "prod", Namespaces: []report.Namespace{{Name: "shop"}}}, Summary: report.Summary{Workloads: 2, Exempted: 1},
		},
		"nothing to judge: no workloads in 2 files; 1 document is not Kubernetes, 1 could not be read": {
			Summary: report.Summary{Files: 2, NotKubernetes: 1, Problems: 1},
		},
	} {
		if got := Summary(&r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, c := range []struct{ message, expected, want string }{
		{"it is 2", "1", "it is 2. Wanted: 1."},
		{"It is 2.", "It to be 1.", "It is 2. Wanted: It to be 1."},
		{"it is 2", "", "it is 2"},
	} {
		if got := Verdict(&engine.Finding{Message: c.message, Expected: c.expected}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
