//go:build integration

package jvm_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// The goals: sets that start and are called refused, refusals that are said, values equal to PrintFlagsFinal.
const (
	mostFalseAlarms = 0.002
	leastSaid       = 0.95
	leastEqual      = 0.999
)

// drawnSets are those of `make search`. A twentieth of them is enough for the figures to mean something, in half a
// minute on two processors.
const drawnSets = 2500

// A tally is what one release made of the drawn sets.
type tally struct {
	starts, refusals, said, alarms, values, equal int
}

func (t *tally) add(o tally) {
	t.starts += o.starts
	t.refusals += o.refusals
	t.said += o.said
	t.alarms += o.alarms
	t.values += o.values
	t.equal += o.equal
}

func (t tally) String() string {
	return fmt.Sprintf("%d starts, %d refusals, %d said (%.1f %%), %d false alarms (%.2f %% of all), %d of %d values equal (%.2f %%)",
		t.starts, t.refusals, t.said, share(t.said, t.refusals), t.alarms, share(t.alarms, t.starts+t.refusals), t.equal, t.values, share(t.equal, t.values))
}

func share(part, all int) float64 { return 100 * float64(part) / float64(max(1, all)) }

// TestDrawnFlagSets starts real JVMs with flag sets drawn at random: what HR409 says of them, and what the model takes
// their values for, has to be what they do. HEADROOM_DRAWN_SEED draws others: what is
// wanted are shares, which the sets of some days would miss by chance.
func TestDrawnFlagSets(t *testing.T) {
	count, seed := search.Rounds(drawnSets), fromEnvironment(t, "HEADROOM_DRAWN_SEED", 1)
	machines := slices.DeleteFunc(jdks.PerRelease(findJDKs(t)), func(j jdks.JDK) bool { return !slices.Contains(supportedReleases, j.Feature) })
	if len(machines) == 0 {
		say("NO JVM ON THIS MACHINE: no drawn flag set is started")
		return
	}
	d, l, m := newDraw(t, uint64(seed)), newLimits(t), newModel(t)
	if l.refused != nil {
		say("no limits can be set here (%v): drawn flag sets run with the memory and CPUs of this machine", l.refused)
	}
	sets := d.sets(count)
	begin := time.Now()
	all := measureAll(t, l, every(machines, sets))
	took := time.Since(begin)
	tallies := map[int]*tally{}
	for _, machine := range machines {
		tallies[machine.Feature] = &tally{}
	}
	for _, one := range all {
		v, err := m.judge(one.set, one.machine.Feature, one.real)
		if err != nil {
			t.Error(err)
			continue
		}
		on, shown := tallies[one.machine.Feature], fmt.Sprintf("JDK %d, %v %v, %v cpu %v", one.machine.Feature, one.set.Args, one.set.Env, one.real, one.set.Name)
		switch {
		case !one.found.Starts:
			on.refusals++
			if v.refuses() {
				on.said++
			} else {
				t.Logf("not said: %s: %s", shown, one.found.Error)
			}
			continue
		case v.refuses():
			on.alarms++
			t.Logf("false alarm: %s: %s", shown, v.Refusals[0].Message)
		}
		on.starts++
		for _, c := range v.values(one.found) {
			on.values++
			if c.model == c.real {
				on.equal++
			} else {
				t.Logf("unequal: %s: %s is %v, the model has %v", shown, c.name, c.real, c.model)
			}
		}
	}
	var sum tally
	for _, feature := range slices.Sorted(maps.Keys(tallies)) {
		say("drawn, JDK %d: %v", feature, *tallies[feature])
		sum.add(*tallies[feature])
	}
	say("drawn, %d sets of seed %d in %s: %v", count, seed, took.Round(time.Second), sum)
	if sum.alarms > 0 && share(sum.alarms, sum.starts+sum.refusals) > 100*mostFalseAlarms {
		t.Errorf("too many false alarms: %v", sum)
	}
	if share(sum.said, sum.refusals) < 100*leastSaid {
		t.Errorf("too few refusals said: %v", sum)
	}
	if share(sum.equal, sum.values) < 100*leastEqual {
		t.Errorf("too few values equal: %v", sum)
	}
}

func fromEnvironment(t *testing.T, name string, standard int) int {
	t.Helper()
	text, given := os.LookupEnv(name)
	if !given {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

type comparison struct {
	name        string
	model, real any
}

// values are the resolved values of a JVM that started, beside the model's.
func (v verdict) values(found result) []comparison {
	jvm := v.JVMs[0]
	all := []comparison{
		{"collector", jvm.GC, found.GC},
		{"ReservedCodeCacheSize", v.Sizes["ReservedCodeCacheSize"], found.CodeCache},
		{"MaxMetaspaceSize", v.Sizes["MaxMetaspaceSize"], found.Metaspace},
		{"MaxDirectMemorySize", v.Sizes["MaxDirectMemorySize"], found.Direct},
	}
	if jvm.Heap.Bytes > 0 { // else it is a share of the node's memory
		all = append(all, comparison{"heap", int64(jvm.Heap.Bytes), found.Heap})
	}
	if found.Stack > 0 { // from 17 on 0 stands for the default
		all = append(all, comparison{"ThreadStackSize", v.Sizes["ThreadStackSize"], found.Stack})
	}
	for _, pool := range []struct {
		name  string
		model poolSize
		real  int64
	}{
		{"ParallelGCThreads", jvm.ParallelGCThreads, found.ParallelGCThreads},
		{"ConcGCThreads", jvm.ConcGCThreads, found.ConcGCThreads},
		{"CICompilerCount", jvm.CompilerThreads, found.CompilerThreads},
	} {
		// The node's processors are not in the manifest, and CMS settles its number after the flags are printed.
		if jvm.Processors == 0 && !pool.model.Set || found.GC == "CMS" && pool.name == "ConcGCThreads" {
			continue
		}
		all = append(all, comparison{pool.name, int64(pool.model.Value), pool.real})
	}
	return all
}
