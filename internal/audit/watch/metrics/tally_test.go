package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestTally: what holds now is counted, and of what is gone nothing is left.
func TestTally(t *testing.T) {
	tally := NewTally(map[string]func() (int, time.Duration){
		Judge: func() (int, time.Duration) { return 3, time.Minute },
	})
	cart := &Verdict{Namespace: "shop", Worst: "error", Findings: map[Found]int{{"HR202", "error"}: 2, {"HR101", "warning"}: 1}}
	fixed := &Verdict{Namespace: "shop", Worst: "warning", Findings: map[Found]int{{"HR101", "warning"}: 1}}
	tally.Replace(nil, cart)
	tally.Replace(nil, &Verdict{Namespace: "shop", Worst: None})
	tally.Replace(nil, &Verdict{Namespace: "shop", Findings: map[Found]int{{"HR105", "error"}: 1}}) // a Namespace
	const queues = `
# HELP headroom_audit_queue_depth What waits to be judged (queue judge) or to be reported (queue report), retries included.
# TYPE headroom_audit_queue_depth gauge
headroom_audit_queue_depth{queue="judge"} 3
# HELP headroom_audit_queue_oldest_seconds How long the oldest entry of a queue has waited.
# TYPE headroom_audit_queue_oldest_seconds gauge
headroom_audit_queue_oldest_seconds{queue="judge"} 60
`
	const findings = `
# HELP headroom_audit_findings Findings that hold now, by namespace, rule and severity; exempted ones are not counted.
# TYPE headroom_audit_findings gauge
`
	const workloads = `
# HELP headroom_audit_workloads Workloads by namespace and the worst severity of their findings (error, warning, info, none, unjudged).
# TYPE headroom_audit_workloads gauge
`
	check := func(want string) {
		t.Helper()
		if err := testutil.CollectAndCompare(tally, strings.NewReader(want+queues)); err != nil {
			t.Error(err)
		}
	}
	check(findings + `headroom_audit_findings{namespace="shop",rule="HR101",severity="warning"} 1
headroom_audit_findings{namespace="shop",rule="HR105",severity="error"} 1
headroom_audit_findings{namespace="shop",rule="HR202",severity="error"} 2
` + workloads + `headroom_audit_workloads{namespace="shop",worst="error"} 1
headroom_audit_workloads{namespace="shop",worst="none"} 1
`)
	tally.Replace(cart, fixed)
	tally.Replace(&Verdict{Namespace: "shop", Worst: None}, nil)
	tally.Replace(&Verdict{Namespace: "shop", Findings: map[Found]int{{"HR105", "error"}: 1}}, nil)
	check(findings + `headroom_audit_findings{namespace="shop",rule="HR101",severity="warning"} 1
` + workloads + `headroom_audit_workloads{namespace="shop",worst="warning"} 1
`)
	tally.Replace(fixed, nil)
	check("")
}
