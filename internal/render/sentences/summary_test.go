package sentences

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestSummary(t *testing.T) {
	for want, s := range map[string]report.Summary{
		"14 workloads, 23 containers: 5 errors, 9 warnings, 12 infos in 6 files; 2 exempted, 1 skipped, " +
			"3 documents are not Kubernetes": {
			Files: 6, Workloads: 14, Containers: 23, Errors: 5, Warnings: 9, Infos: 12,
			Exempted: 2, Skipped: 1, NotKubernetes: 3,
		},
		"1 workload, 1 container: 1 error in 1 file": {Files: 1, Workloads: 1, Containers: 1, Errors: 1},
		"1 info in 1 file":                           {Files: 1, Infos: 1},
		"1 workload, 1 container in 1 file: nothing to fix; 1 exempted": {
			Files: 1, Workloads: 1, Containers: 1, Exempted: 1,
		},
		"nothing to judge: no files":                                      {},
		"nothing to judge: 1 workload, 0 containers in 1 file; 1 skipped": {Files: 1, Workloads: 1, Skipped: 1},
		"nothing to judge: no workloads in 2 files; 1 document is not Kubernetes, 1 could not be read": {
			Files: 2, NotKubernetes: 1, Problems: 1,
		},
	} {
		if got := Summary(&report.Report{Summary: s}); got != want {
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
