//go:build integration

package explain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
)

// The edges: the collector changes at 1792 MiB and two processors, the rule for the heap at
// 250 MiB, native memory has a floor, direct memory follows the heap.
var (
	heaps = []string{
		"", "", "", "-Xmx100m", "-Xmx333m", "-Xmx1g", "-Xmx1500m", "-Xmx3g", "-XX:MaxRAMPercentage=1.0",
		"-XX:MaxRAMPercentage=30.0", "-XX:MaxRAMPercentage=39.0", "-XX:MaxRAMPercentage=50.0", "-XX:MaxRAMPercentage=60.0",
		"-XX:MaxRAMPercentage=75.0", "-XX:MaxRAMPercentage=79.5", "-XX:MaxRAMFraction=3", "-XX:MaxRAM=2g",
		"-XX:MinRAMPercentage=20.0", "-XX:MinRAMPercentage=80.0", "-XX:-UseContainerSupport",
	}
	starts     = []string{"", "", "-Xms200m", "-Xms1g"}
	collectors = []string{"", "", "", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC"}
	directs    = []string{"", "-XX:MaxDirectMemorySize=16m", "-XX:MaxDirectMemorySize=256m", "-XX:MaxDirectMemorySize=0"}
	others     = []string{"", "-XX:MaxMetaspaceSize=64m", "-XX:MaxMetaspaceSize=256m"}
	codes      = []string{"", "-XX:ReservedCodeCacheSize=32m", "-XX:ReservedCodeCacheSize=128m"}
	stacks     = []string{"", "-Xss256k", "-Xss512k", "-Xss1m"}
	facts      = []string{"", "version=8", "version=11", "version=17", "version=21 native=100Mi", "version=28", "version=17 classes=8000"}
	// Half of the services leave so little to guess that explain tells numbers.
	known = []string{"-XX:MaxMetaspaceSize=256m", "-XX:ReservedCodeCacheSize=128m", "-XX:MaxDirectMemorySize=256m"}
)

func draw(t *rapid.T) service {
	pick := func(label string, from []string) string { return rapid.SampledFrom(from).Draw(t, label) }
	s := service{
		command: rapid.Bool().Draw(t, "on the command line"),
		cpu:     pick("cpu", []string{"", "500m", "1", "2", "4"}),
		facts:   pick("facts", facts),
	}
	for i, from := range [][]string{heaps, starts, collectors, directs, others, codes, stacks} {
		if f := pick(fmt.Sprint("flag ", i), from); f != "" {
			s.flags = append(s.flags, f)
		}
	}
	if rapid.Bool().Draw(t, "all known") {
		s.without("-XX:MaxMetaspaceSize", "-XX:ReservedCodeCacheSize", "-XX:MaxDirectMemorySize")
		s.flags = append(s.flags, known...)
		s.facts = pick("release", []string{"version=8", "version=17", "version=28"}) + " native=100Mi classes=8000"
		s.threads = rapid.Int64Range(1, 400).Draw(t, "threads")
	} else if rapid.Bool().Draw(t, "threads known") {
		s.threads = rapid.Int64Range(1, 400).Draw(t, "threads")
	}
	if mib := rapid.SampledFrom([]int64{0, 1, 200, 249, 250, 512, 1000, 1791, 1792, 4096}).Draw(t, "limit"); mib == 1 {
		s.limit = fmt.Sprint(rapid.Int64Range(100, 9000).Draw(t, "MiB"), "Mi")
	} else if mib > 0 {
		s.limit = fmt.Sprint(mib, "Mi")
	}
	return s
}

func limited(s service, mib int64) service {
	return s.with(func(s *service) { s.limit = fmt.Sprint(mib, "Mi") })
}

func TestPromises(t *testing.T) {
	a, asked, told := newAsker(t), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		asked++
		x := a.explain(t, s.manifest())
		if strings.HasPrefix(x.Passing.SmallestLimitMiB.Why, "not known") ||
			strings.HasPrefix(x.Passing.LargestHeapMiB.Why, "not known") {
			withheld(t, s, x.Passing)
			block(t, a, s, x.Passing)
			return
		}
		told++
		smallestLimit(t, a, s, x.Passing.SmallestLimitMiB)
		largestHeap(t, a, s, x.Passing.LargestHeapMiB)
		largestPercentage(t, a, s, x.Passing.LargestPercentage)
		largestThreads(t, a, s, x.Passing.LargestThreads)
		block(t, a, s, x.Passing)
	})
	if t.Logf("%d services, numbers of %d", asked, told); told*3 < asked {
		t.Error("explain tells too few numbers to be held to them")
	}
}

// Where a budget is too much of a guess for one number, no other is told, and a block only has the limit that is there.
func withheld(t *rapid.T, s service, found engine.Passing) {
	for _, v := range []engine.ValueOrWhy{found.SmallestLimitMiB, found.LargestHeapMiB, found.LargestPercentage, found.LargestThreads} {
		if v.Value != 0 || v.Why == "" {
			t.Fatalf("%v: %+v", s, v)
		}
	}
	var parsed struct {
		Resources struct{ Limits struct{ Memory string } }
	}
	if err := yaml.Unmarshal([]byte(found.Block), &parsed); err != nil {
		t.Fatalf("%v: %v in\n%s", s, err, found.Block)
	}
	if limit := parsed.Resources.Limits.Memory; found.Block != "" && !sameMemory(limit, s.limit) {
		t.Fatalf("%v: the limit of the block is %q:\n%s", s, limit, found.Block)
	}
}

// sameMemory says that two quantities are one; none is "".
func sameMemory(one, other string) bool {
	a, errA := resource.ParseQuantity(one)
	b, errB := resource.ParseQuantity(other)
	return errA == nil && errB == nil && a.Cmp(b) == 0
}

// Every smaller step is asked, so that the answer is the smallest whatever lies between.
func smallestLimit(t *rapid.T, a asker, s service, found engine.ValueOrWhy) {
	if found.Value == 0 {
		if found.Why == "" {
			t.Fatal("no limit, without a reason")
		}
		if strings.Contains(found.Why, "as the heap grows with it") {
			return // there is one, out of all proportion
		}
		for _, mib := range []int64{64, 256, 512, 1024, 1728, 1792, 2048, 4096, 8192, 65536, 1048576} {
			if a.fits(t, limited(s, mib)) {
				t.Fatalf("%v: %d MiB passes: %s", s, mib, found.Why)
			}
		}
		return
	}
	if found.Value%64 != 0 || found.Value > 1<<20 {
		t.Fatalf("%v: %d MiB is no step", s, found.Value)
	}
	if !a.passes(t, limited(s, found.Value)) {
		t.Fatalf("%v: %d MiB does not pass", s, found.Value)
	}
	for mib := found.Value - 64; mib > 0 && mib >= found.Value-64*60; mib -= 64 {
		if !cappedAsByItself(s, mib) && a.fits(t, limited(s, mib)) {
			t.Fatalf("%v: %d MiB is said to be the smallest, and %d passes", s, found.Value, mib)
		}
	}
}

// cappedAsByItself says that the cap on direct memory is what the JVM would allow by itself under that limit. There it
// says nothing of the use, and counts for less than under the limits around it.
func cappedAsByItself(s service, mib int64) bool {
	over := int64(256) - mib/4
	return slices.Contains(s.flags, "-XX:MaxDirectMemorySize=256m") && over >= 0 && over <= 32
}

func largestHeap(t *rapid.T, a asker, s service, found engine.ValueOrWhy) {
	heap := func(mib int64) service {
		return s.with(func(s *service) {
			s.without("-Xmx", "-Xms", "-XX:MaxRAM")
			s.flags = append(s.flags, fmt.Sprintf("-Xmx%dm", mib))
		})
	}
	if found.Value == 0 && found.Why == "" {
		t.Fatal("no heap, without a reason")
	}
	if found.Value > 0 && !a.passes(t, heap(found.Value)) {
		t.Fatalf("%v: a heap of %d MiB does not pass", s, found.Value)
	}
	more := found.Value + 2
	if found.Value == 0 {
		more = leastHeap(s) + 2 // less passes, perhaps, and is no answer
	}
	if a.passes(t, heap(more)) {
		t.Fatalf("%v: a heap of %d MiB is said to be the largest, and %d pass", s, found.Value, more)
	}
}

// leastHeap is the smallest that is an answer: a quarter of the limit, and 128 MiB.
func leastHeap(s service) int64 { return max(128, (mebibytes(s)+3)/4) }

// mebibytes are those of the limit; 0 without a limit.
func mebibytes(s service) int64 {
	mib, _ := strconv.ParseInt(strings.TrimSuffix(s.limit, "Mi"), 10, 64)
	return mib
}

func largestPercentage(t *rapid.T, a asker, s service, found engine.ValueOrWhy) {
	share := func(percent int64) service {
		return s.with(func(s *service) {
			s.without("-Xmx", "-XX:MaxRAMPercentage", "-XX:MaxRAMFraction")
			s.flags = append(s.flags, fmt.Sprintf("-XX:MaxRAMPercentage=%d.0", percent))
		})
	}
	switch {
	case found.Value == 0 && found.Why == "":
		t.Fatal("no percentage, without a reason")
	case found.Value == 0:
		// Where the percentage has no effect, all of them pass or none.
		limit := mebibytes(s)
		if limit == 0 {
			return
		}
		least := min(100, leastHeap(s)*100/limit+2)
		if a.passes(t, share(least)) && !a.passes(t, share(100)) {
			t.Fatalf("%v: %d %% passes: %s", s, least, found.Why)
		}
	case !a.passes(t, share(found.Value)):
		t.Fatalf("%v: %d %% does not pass", s, found.Value)
	case found.Value < 100 && a.passes(t, share(found.Value+1)):
		t.Fatalf("%v: %d %% is said to be the largest, and one more passes", s, found.Value)
	}
}

func largestThreads(t *rapid.T, a asker, s service, found engine.ValueOrWhy) {
	threads := func(n int64) service { return s.with(func(s *service) { s.threads = n }) }
	if found.Value == 0 && found.Why == "" {
		t.Fatal("no threads, without a reason")
	}
	if found.Value > 0 && !a.passes(t, threads(found.Value)) {
		t.Fatalf("%v: %d threads do not pass", s, found.Value)
	}
	if a.passes(t, threads(found.Value+1)) {
		t.Fatalf("%v: %d threads are said to be the most, and one more passes", s, found.Value)
	}
}

// A block leaves no error on CPU and memory but those that it names.
func block(t *rapid.T, a asker, s service, found engine.Passing) {
	if found.Block == "" {
		if found.BlockNote == "" {
			t.Fatalf("%v: no block, without a reason", s)
		}
		return
	}
	var parsed map[string]any
	if err := yaml.Unmarshal([]byte(found.Block), &parsed); err != nil {
		t.Fatalf("%v: %v in\n%s", s, err, found.Block)
	}
	if found.ToolOptions != "" {
		s = s.with(func(s *service) {
			s.flags = slices.DeleteFunc(s.flags, func(f string) bool { return strings.Contains(found.ToolOptionsNote, f+" (") })
			s.flags = append(strings.Fields(found.ToolOptions), s.flags...)
		})
	}
	manifest := s.manifest()
	manifest["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["resources"] = parsed["resources"]
	result, err := a.e.Evaluate(context.Background(), engine.Review{Manifest: manifest})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		if f.Severity != engine.SeverityError || !strings.HasPrefix(f.Rule, "HR2") && !strings.HasPrefix(f.Rule, "HR3") {
			continue
		}
		if !strings.Contains(found.BlockNote, f.Rule+" remains") {
			t.Fatalf("%v: %s %s with\n%s\n# %s\n%s", s, f.Rule, f.Message, found.Block, found.BlockNote, found.ToolOptions)
		}
	}
}
