//go:build integration

package jvm_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// TestFixedJVMsStart: what a JVM is started with after its Pod was fixed has to start on every
// JDK on which it started before. A flag set is fixed as a latency-sensitive container,
// under its CPU limit and without one, with every cap asked for, its release not declared.
func TestFixedJVMsStart(t *testing.T) {
	// The newest build of each release: they differ in what they count, hardly in what they start
	// with, and each costs a start of every set.
	sets, machines, l := loadFlagSets(t), jdks.PerRelease(findJDKs(t)), newLimits(t)
	fixedSets := len(sets)
	sets = append(append(sets, hostile...), newDraw(t, 1).sets(20)...)
	recorded := loadRecord(t)
	e, err := engine.New(context.Background(), engine.Options{Config: map[string]any{
		"jvm": map[string]any{"inject": []any{"metaspace", "direct", "code-cache"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var fixed []flagSet
	all := os.Getenv("HEADROOM_ALL_FIXED") != ""
	for i, set := range sets {
		// One in four, unless all are asked for: each is started on every release, and the
		// whole of them takes five minutes.
		if set.Unseen != "" || !all && i < fixedSets && i%4 != 0 {
			continue
		}
		for _, limited := range []bool{true, false} {
			pod := latencySensitive(set.pod(0, l.of(set)), limited)
			answer, err := e.Fix(context.Background(), engine.Review{Manifest: pod})
			if err != nil {
				t.Fatalf("%s: %v", set.Name, err)
			}
			if after, changed := started(set, answer.Applied); changed &&
				!slices.ContainsFunc(fixed, func(f flagSet) bool { return sameStart(f, after) }) {
				fixed = append(fixed, after)
			}
		}
	}
	begin, tried := time.Now(), 0
	for _, m := range measureAll(t, l, every(machines, fixed)) {
		before, known := recorded.of(m.set.Name, m.machine.Build)
		if !known {
			for i := range sets {
				if sets[i].Name == m.set.Name {
					if before, err = measure(m.machine, sets[i], l); err != nil {
						t.Error(err)
					}
				}
			}
		}
		if !before.Starts {
			continue
		}
		tried++
		if !m.found.Starts {
			t.Errorf("%s starts on %s, and not with %v: %s", m.set.Name, m.machine.Build, m.set.Env, m.found.Error)
		}
	}
	say("%d fixed flag sets on %d JDKs, %d starts compared, in %s", len(fixed), len(machines), tried, time.Since(begin))
	if len(machines) > 0 && tried == 0 {
		t.Error("no fixed flag set was tried")
	}
}

// hostile are flags that start alone, and not beside a cap.
var hostile = []flagSet{
	{Name: "boot-metaspace", Args: []string{"-XX:InitialBootClassLoaderMetaspaceSize=260m"}, Memory: defaultMemory, CPU: defaultCPU},
	{Name: "non-profiled", Args: []string{"-XX:NonProfiledCodeHeapSize=200m"}, Memory: defaultMemory, CPU: defaultCPU},
	{Name: "initial-code-cache", Args: []string{"-XX:InitialCodeCacheSize=140m", "-XX:ReservedCodeCacheSize=240m"}, Memory: defaultMemory, CPU: defaultCPU},
	{Name: "first-code-cache", Args: []string{"-XX:InitialCodeCacheSize=48m"}, Memory: defaultMemory, CPU: defaultCPU},
	{Name: "soft-maximum", Args: []string{"-XX:SoftMaxHeapSize=900m"}, Memory: defaultMemory, CPU: defaultCPU},
	{Name: "concurrent", Args: []string{"-XX:ConcGCThreads=2"}, Memory: defaultMemory, CPU: defaultCPU},
}

func latencySensitive(pod map[string]any, limited bool) map[string]any {
	metadata := pod["metadata"].(map[string]any)
	annotations := metadata["annotations"].(map[string]any)
	annotations["headroom.dev/workload-class"] = "latency-sensitive"
	annotations["headroom.dev/cpu-average"] = "700m"
	container := pod["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	resources := container["resources"].(map[string]any)
	limits := resources["limits"].(map[string]any)
	if !limited {
		delete(limits, "cpu")
	}
	return pod
}

// started is the flag set with what the fix puts in front of JAVA_TOOL_OPTIONS.
func started(set flagSet, applied []engine.Applied) (flagSet, bool) {
	added := ""
	for _, a := range applied {
		if a.Added != "" {
			added = a.Added + " " + added
		}
	}
	if added == "" {
		return set, false
	}
	env := map[string]string{}
	for name, value := range set.Env {
		env[name] = value
	}
	env["JAVA_TOOL_OPTIONS"] = added + env["JAVA_TOOL_OPTIONS"]
	set.Env = env
	return set, true
}

func sameStart(a, b flagSet) bool {
	return a.Name == b.Name && a.Env["JAVA_TOOL_OPTIONS"] == b.Env["JAVA_TOOL_OPTIONS"]
}
