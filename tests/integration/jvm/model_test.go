//go:build integration

package jvm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// verdict is what the policies say of the JVM in a Pod.
type verdict struct {
	JVMs []struct {
		GC                string   `json:"gc"`
		Processors        int64    `json:"processors"` // 0: the node's, and so are the pools
		Heap              heap     `json:"heap"`
		ParallelGCThreads poolSize `json:"parallel_gc_threads"`
		ConcGCThreads     poolSize `json:"conc_gc_threads"`
		CompilerThreads   poolSize `json:"compiler_threads"`
		Startup           []struct {
			Versions []int `json:"versions"`
		} `json:"startup"`
	} `json:"jvms"`
	// Sizes are what the model takes for the flags of that name, 0 where nothing bounds them.
	Sizes   map[string]int64 `json:"sizes"`
	Budgets []struct {
		Terms []struct {
			Name     string `json:"name"`
			BoundMiB int64  `json:"bound_mib"`
			Grade    string `json:"grade"`
		} `json:"terms"`
	} `json:"budgets"`
	// Refusals are the findings of HR409.
	Refusals []refusal `json:"refusals"`
}

type refusal struct {
	Message string `json:"message"`
}

type heap struct {
	Bytes clamped `json:"bytes"`
}

// clamped is a number of bytes, of those that 64 bits do not hold the greatest that they do.
type clamped int64

func (c *clamped) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		n, err = math.MaxInt64, nil
	}
	*c = clamped(n)
	return err
}

type poolSize struct {
	Value clamped `json:"value"`
	Set   bool    `json:"set"`
}

// refuses says whether the model expects no release to start that it may be.
func (v verdict) refuses() bool { return len(v.Refusals) > 0 }

// releases are those that the model expects not to start.
func (v verdict) releases() []int {
	var all []int
	for _, r := range v.JVMs[0].Startup {
		all = append(all, r.Versions...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A model evaluates the policies, once for each flag set and release.
type model struct {
	query rego.PreparedEvalQuery
	known map[string]verdict
}

// compiled is made once: compiling the policies takes seconds.
var compiled = sync.OnceValues(func() (*model, error) {
	onlyPolicies := func(_ string, info os.FileInfo, _ int) bool {
		return !info.IsDir() && (!strings.HasSuffix(info.Name(), ".rego") || strings.HasSuffix(info.Name(), "_test.rego"))
	}
	query, err := rego.New(
		rego.Query(`answer := {
			"jvms": data.headroom.runtime.jvm.jvms,
			"sizes": object.union_n([sizes |
				some j in data.headroom.runtime.jvm.jvms
				sizes := {
					"ThreadStackSize": data.headroom.runtime.jvm.stack_size(j.flags).bytes,
					"ReservedCodeCacheSize": data.headroom.runtime.jvm.code_cache_size(j),
					"MaxMetaspaceSize": object.get(j.numbers, "MaxMetaspaceSize", 0),
					"MaxDirectMemorySize": object.get(j.numbers, "MaxDirectMemorySize", 0),
				}
			]),
			"budgets": data.headroom.memory.budgets,
			"refusals": [r | some r in data.headroom.rules.jvm["jvm-will-not-start"].report],
		}`),
		rego.Load([]string{"../../../policies/rego/headroom"}, onlyPolicies),
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(context.Background())
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return &model{query: query, known: map[string]verdict{}}, nil
})

func newModel(t *testing.T) *model {
	t.Helper()
	m, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return m
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
	if len(v.JVMs) != 1 || len(v.Budgets) != 1 {
		return verdict{}, fmt.Errorf("judge %s: %d JVMs and %d budgets, want 1", set.Name, len(v.JVMs), len(v.Budgets))
	}
	m.known[key] = v
	return v, nil
}

// heapStep is the most by which a JVM rounds a heap: one region of G1, which is at most a 1024th of it, or two pages.
func heapStep(heap int64) int64 { return max(4<<20, heap>>10) }

// differences lists where the model and what the build did are not one. An exception of the flag set replaces what
// its release does.
func (m *model) differences(set flagSet, build string, feature int, real circumstances, found result) []string {
	v, err := m.judge(set, feature, real)
	if err != nil {
		return []string{err.Error()}
	}
	want := found.Starts
	if e := set.exception(build); e != nil {
		if e.Starts != found.Starts {
			return []string{fmt.Sprintf("starts: %t, and flagsets.yaml excepts this build: %s", found.Starts, e.Why)}
		}
		want = !e.Starts
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
	if off, step := int64(jvm.Heap.Bytes)-found.Heap, heapStep(found.Heap); off > step || off < -step {
		differ("max heap", jvm.Heap.Bytes, found.Heap)
	}
	differ("collector", jvm.GC, found.GC)
	pools := []struct {
		flag  string
		model poolSize
		real  int64
	}{
		{"ParallelGCThreads", jvm.ParallelGCThreads, found.ParallelGCThreads},
		{"ConcGCThreads", jvm.ConcGCThreads, found.ConcGCThreads},
		{"CICompilerCount", jvm.CompilerThreads, found.CompilerThreads},
	}
	for _, pool := range pools {
		// CMS settles its number after the flags are printed.
		if (jvm.Processors == 0 && !pool.model.Set) || (found.GC == "CMS" && pool.flag == "ConcGCThreads") {
			continue
		}
		differ(pool.flag, int64(pool.model.Value), pool.real)
	}
	if found.Stack > 0 { // JDK 17 and later take 0 for the default
		differ("stack in KiB", v.Sizes["ThreadStackSize"]>>10, found.Stack>>10)
	}
	// What the JVM would allow is the bound of a region; what is expected of it is less.
	for _, term := range v.Budgets[0].Terms {
		switch {
		case term.Name == "code cache" && (term.BoundMiB < found.CodeCache>>20 || term.BoundMiB > found.CodeCache>>20+1):
			differ("code cache in MiB", term.BoundMiB, found.CodeCache>>20)
		case term.Name == "metaspace" && found.Metaspace > 0:
			differ("metaspace in MiB", term.BoundMiB, found.Metaspace>>20)
		case term.Name == "metaspace":
			differ("an unlimited metaspace is assumed", term.Grade, "assumed")
		}
	}
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

// TestUndeclaredRelease: where nothing says which release runs, HR409 names those that would not start.
func TestUndeclaredRelease(t *testing.T) {
	recorded, m := loadRecord(t), newModel(t)
	for _, set := range loadFlagSets(t) {
		if set.Unseen != "" {
			continue
		}
		v, err := m.judge(set, 0, circumstances{memory: set.Memory.Value(), milliCPU: set.CPU.MilliValue()})
		if err != nil {
			t.Error(err)
			continue
		}
		refusing := recorded.refusing(set)
		if got := v.releases(); !slices.Equal(got, refusing) {
			t.Errorf("%s: HR409 names %v, and %v do not start: %+v", set.Name, got, refusing, v.Refusals)
		}
		if all := len(refusing) == len(supportedReleases); v.refuses() != all {
			t.Errorf("%s: said %t, every release refuses %t: %+v", set.Name, v.refuses(), all, v.Refusals)
		}
	}
}
