//go:build system

package conformance

import (
	"testing"

	"github.com/headroom-dev/headroom/policies/export/cel"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
	"github.com/headroom-dev/headroom/tests/system/conformance/evaluate"
)

// costs are the most that anything of the CEL costs on any of the project's own objects.
type costs struct {
	rules map[string]int64 // by rule, its own expression
	model map[string]int64 // by variable that rules share
	total int64            // of the dearest object
	limit int64
}

func measureCosts(t *testing.T, corpus []cases.Case) costs {
	t.Helper()
	set, err := cel.New(t.Context(), nil, cel.Native)
	if err != nil {
		t.Fatal(err)
	}
	judge, err := evaluate.New(set)
	if err != nil {
		t.Fatal(err)
	}
	ofRule := map[string]string{}
	for _, rule := range set.Rules {
		ofRule[rule.Variable().Name] = rule.ID
	}
	most := costs{rules: map[string]int64{}, model: map[string]int64{}, limit: evaluate.Limit}
	for i := range corpus {
		if !workload(corpus[i].Kind) {
			continue
		}
		spent, err := judge.Cost(t.Context(), corpus[i].Object, corpus[i].NamespaceObject())
		if err != nil {
			t.Fatalf("%s: %v", corpus[i].Source, err)
		}
		total := int64(0)
		for name, cost := range spent {
			total += cost
			if cost > most.limit {
				t.Errorf("%s: variables.%s costs %d", corpus[i].Source, name, cost)
			}
			if corpus[i].Foreign {
				continue
			}
			if id, ok := ofRule[name]; ok {
				most.rules[id] = max(most.rules[id], cost)
			} else {
				most.model[name] = max(most.model[name], cost)
			}
		}
		if !corpus[i].Foreign {
			most.total = max(most.total, total)
		}
	}
	return most
}

func workload(kind string) bool {
	switch kind {
	case "Pod", "ReplicationController", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob":
		return true
	}
	return false
}
