package jvm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// verdict is what the policies say of the JVM in a Pod.
type verdict struct {
	JVMs []struct {
		GC                string    `json:"gc"`
		Heap              heap      `json:"heap"`
		ParallelGCThreads poolSize  `json:"parallel_gc_threads"`
		ConcGCThreads     poolSize  `json:"conc_gc_threads"`
		CompilerThreads   poolSize  `json:"compiler_threads"`
		Flags             flagTable `json:"flags"`
	} `json:"jvms"`
	Budgets []struct {
		CodeCache region `json:"code_cache"`
		Metaspace region `json:"metaspace"`
		Stack     region `json:"stack"`
	} `json:"budgets"`
	// Refusals are the findings of HR409.
	Refusals []struct {
		Severity string `json:"severity"`
		Message  string `json:"message"`
	} `json:"refusals"`
}

type heap struct {
	Bytes int64 `json:"bytes"`
}

type poolSize struct {
	Value int64 `json:"value"`
}

type region struct {
	Bytes   int64 `json:"bytes"`
	Assumed bool  `json:"assumed"`
}

type flagTable map[string]struct {
	Value string `json:"value"`
}

// refuses says whether the model expects the declared release not to start: what is certain is an error, what only
// other releases do a warning.
func (v verdict) refuses() bool {
	return slices.ContainsFunc(v.Refusals, func(r struct {
		Severity string `json:"severity"`
		Message  string `json:"message"`
	},
	) bool {
		return r.Severity != "warning"
	})
}

// A model evaluates the policies, once for each flag set and release.
type model struct {
	query rego.PreparedEvalQuery
	known map[string]verdict
}

func newModel(t *testing.T) *model {
	t.Helper()
	onlyPolicies := func(_ string, info os.FileInfo, _ int) bool {
		return !info.IsDir() && (!strings.HasSuffix(info.Name(), ".rego") || strings.HasSuffix(info.Name(), "_test.rego"))
	}
	query, err := rego.New(
		rego.Query(`answer := {
			"jvms": data.headroom.runtime.jvm.jvms,
			"budgets": data.headroom.memory.budgets,
			"refusals": data.headroom.rules.jvm["jvm-will-not-start"].report,
		}`),
		rego.Load([]string{"../../policies/rego/headroom"}, onlyPolicies),
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(context.Background())
	if err != nil {
		t.Fatalf("compile policies: %v", err)
	}
	return &model{query: query, known: map[string]verdict{}}
}

func (m *model) judge(set flagSet, feature int, real circumstances) (verdict, error) {
	key := fmt.Sprint(set.Name, " ", feature, real)
	if v, ok := m.known[key]; ok {
		return v, nil
	}
	results, err := m.query.Eval(context.Background(), rego.EvalInput(set.pod(feature, real)))
	if err != nil {
		return verdict{}, fmt.Errorf("judge %s: %w", set.Name, err)
	}
	if len(results) != 1 {
		return verdict{}, fmt.Errorf("judge %s: the model is undefined", set.Name)
	}
	text, err := json.Marshal(results[0].Bindings["answer"])
	if err != nil {
		return verdict{}, err
	}
	var v verdict
	if err := json.Unmarshal(text, &v); err != nil {
		return verdict{}, fmt.Errorf("read the verdict on %s: %w: %s", set.Name, err, text)
	}
	if len(v.JVMs) != 1 {
		return verdict{}, fmt.Errorf("judge %s: %d JVMs found, want 1", set.Name, len(v.JVMs))
	}
	m.known[key] = v
	return v, nil
}

// heapStep is the most by which a JVM rounds a heap of the flag sets: one region of G1.
const heapStep = 4 << 20

// differences lists where the model and what the build did are not one. An exception of the flag set replaces what
// its release does.
func (m *model) differences(set flagSet, build string, feature int, real circumstances, found result) []string {
	v, err := m.judge(set, feature, real)
	if err != nil {
		return []string{err.Error()}
	}
	want := found.Starts
	for _, e := range set.Builds {
		if strings.HasPrefix(build, e.Build) {
			if e.Starts != found.Starts {
				return []string{fmt.Sprintf("starts: %t, and flagsets.yaml excepts this build: %s", found.Starts, e.Why)}
			}
			want = !e.Starts
		}
	}
	if refuses := v.refuses(); refuses == want {
		return []string{fmt.Sprintf("starts: %t (%s); HR409 says %t: %+v", found.Starts, found.Error, !refuses, v.Refusals)}
	}
	if !found.Starts || !want {
		return nil
	}
	jvm := v.JVMs[0]
	var all []string
	differ := func(what string, model, real any) {
		if model != real {
			all = append(all, fmt.Sprintf("%s: the JVM has %v, the model %v", what, real, model))
		}
	}
	if off := jvm.Heap.Bytes - found.Heap; off > heapStep || off < -heapStep {
		differ("max heap", jvm.Heap.Bytes, found.Heap)
	}
	differ("collector", jvm.GC, found.GC)
	differ("ParallelGCThreads", jvm.ParallelGCThreads.Value, found.ParallelGCThreads)
	differ("ConcGCThreads", jvm.ConcGCThreads.Value, found.ConcGCThreads)
	differ("CICompilerCount", jvm.CompilerThreads.Value, found.CompilerThreads)
	return all
}

// TestModelAgreesWithMeasuredJVMs needs no JVM: it holds the model to the record.
func TestModelAgreesWithMeasuredJVMs(t *testing.T) {
	recorded, m := loadRecord(t), newModel(t)
	for _, set := range loadFlagSets(t) {
		if set.Unseen != "" {
			continue
		}
		for build, feature := range recorded.Builds {
			found, ok := recorded.of(set.Name, build)
			if !ok {
				t.Errorf("%s is not recorded for %s", set.Name, build)
				continue
			}
			real := circumstances{memory: set.Memory.Value(), milliCPU: set.CPU.MilliValue()}
			for _, difference := range m.differences(set, build, feature, real, found) {
				t.Errorf("%s on %s: %s", set.Name, build, difference)
			}
		}
	}
}
