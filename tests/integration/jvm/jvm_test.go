//go:build integration

// Package jvm_test holds the model of the JVM against real ones. What the policies say of a flag set has to be what
// every JDK of this machine does with it.
package jvm_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// A measurement is one flag set on one JVM of this machine.
type measurement struct {
	machine jdks.JDK
	set     flagSet
	real    circumstances
	found   result
}

// every flag set on every JVM.
func every(machines []jdks.JDK, sets []flagSet) []measurement {
	all := make([]measurement, 0, len(machines)*len(sets))
	for _, machine := range machines {
		for _, set := range sets {
			all = append(all, measurement{machine: machine, set: set})
		}
	}
	return all
}

// toMeasure is every flag set on every build that the record does not know, and a draw of what it does know: a build
// does what it did. `make search` and -update measure all. TestModelAgreesWithMeasuredJVMs reads the whole record.
func toMeasure(t *testing.T, recorded record, machines []jdks.JDK, sets []flagSet) []measurement {
	t.Helper()
	all := every(machines, sets)
	if golden.Update() {
		return all
	}
	random := rand.New(rand.NewPCG(search.Seed(t, 1), 9))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	left := search.Rounds(len(all))
	return slices.DeleteFunc(all, func(m measurement) bool {
		if _, known := recorded.of(m.set.Name, m.machine.Build); !known {
			return false
		}
		left--
		return left < 0
	})
}

// measureAll starts as many JVMs at a time as there are processors.
func measureAll(t *testing.T, l *limits, all []measurement) []measurement {
	t.Helper()
	next := make(chan *measurement)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for m := range next {
				found, err := measure(m.machine, m.set, l)
				if err != nil {
					t.Error(err)
				}
				m.found = found
			}
		})
	}
	for i := range all {
		all[i].real = l.of(all[i].set)
		next <- &all[i]
	}
	close(next)
	workers.Wait()
	return all
}

// say tells the reader of a passing run what it rests on; go test hides the log of tests that pass.
func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "tests/integration/jvm: "+format+"\n", values...)
}

func TestRealJVMs(t *testing.T) {
	sets, machines, l, m := loadFlagSets(t), findJDKs(t), newLimits(t), newModel(t)
	requireFeatures(t, machines)
	for _, machine := range machines {
		say("JDK %d, build %s", machine.Feature, machine.Build)
	}
	if len(machines) == 0 {
		say("NO JVM ON THIS MACHINE (tests/harness/jdks/install.sh installs some): the model is only held to %s", recordFile)
	}
	if l.refused != nil {
		say("no limits can be set here (%v): flag sets run with the memory and CPUs of this machine", l.refused)
	}
	recorded := loadRecord(t)
	all := measureAll(t, l, toMeasure(t, recorded, machines, sets))
	if golden.Update() {
		if l.refused != nil || t.Failed() {
			t.Fatal("not written: the record needs limits and a JVM's answer for each flag set")
		}
		fresh := record{Builds: map[string]int{}, Sets: map[string][]row{}}
		for _, m := range all {
			fresh.Builds[m.machine.Build] = m.machine.Feature
			fresh.add(m.set.Name, m.machine.Build, m.found)
		}
		fresh.save(t, sets)
		recorded = fresh
	}
	compareWithRecord(t, recorded, all, l)
	compareWithModel(t, m, recorded, all)
}

// compareWithModel holds the model to what was just measured, of the releases that it was made from.
func compareWithModel(t *testing.T, m *model, recorded record, all []measurement) {
	t.Helper()
	features := slices.Collect(maps.Values(recorded.Builds))
	for _, one := range all {
		if one.set.Unseen != "" || !slices.Contains(features, one.machine.Feature) {
			continue
		}
		for _, difference := range m.differences(one.set, one.machine.Build, one.machine.Feature, one.real, one.found) {
			t.Errorf("%s on %s: %s", one.set.Name, one.machine.Build, difference)
		}
	}
}

// compareWithRecord: a build of the record has to do what the record says.
func compareWithRecord(t *testing.T, recorded record, all []measurement, l *limits) {
	t.Helper()
	if l.refused != nil {
		return
	}
	for _, m := range all {
		if _, known := recorded.Builds[m.machine.Build]; !known {
			continue
		}
		if was, ok := recorded.of(m.set.Name, m.machine.Build); !ok || was != m.found {
			t.Errorf("%s on %s: measured %+v, recorded %+v; -update writes the record anew",
				m.set.Name, m.machine.Build, m.found, was)
		}
	}
}
