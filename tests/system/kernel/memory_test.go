//go:build system

package kernel_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const mib = 1 << 20

// collectors are what each release is measured with; 0 stands for the others.
var collectors = map[int][]string{
	0:  {"G1"},
	8:  {"Parallel", "G1"},
	17: {"G1", "Serial", "Parallel"},
	25: {"G1", "Z", "Shenandoah"},
}

// The bound is over what the kernel charges, and not far: 200 threads, 400 MiB
// that live, 100 MiB of direct memory, 1500 classes, whose caps the flags set.
func TestBudget(t *testing.T) {
	const limitMiB, threads = 2048, 200
	for _, jdk := range releases(t) {
		names := collectors[jdk.Feature]
		if names == nil {
			names = collectors[0]
		}
		for _, collector := range names {
			t.Run(fmt.Sprintf("%d %s", jdk.Feature, collector), func(t *testing.T) {
				m := record.Memory{JDK: jdk.Build, Feature: jdk.Feature, Collector: collector}
				flags := []string{
					"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch", "-XX:MaxMetaspaceSize=64m", "-XX:ReservedCodeCacheSize=64m",
					"-XX:MaxDirectMemorySize=128m", "-Xss512k", "-XX:ActiveProcessorCount=2", "-XX:+Use" + collector + "GC",
				}
				m.BudgetMiB, _ = judged(t, jdk.Feature, limitMiB, threads, flags)
				g := newGroup(t, cgroup.Limits{Memory: limitMiB * mib})
				t.Cleanup(g.Close)
				j := startJVM(t, g, jdk.Java, flags, "threads=200 live=400 direct=100 classes=1500 garbage=10 lives=10 seconds=2")
				if !j.until("ready") {
					t.Fatalf("exit code %d: %v", j.end(t), j.said)
				}
				_, _ = j.in.Write([]byte("\n"))
				if !j.until("done") {
					t.Fatalf("exit code %d: %v", j.end(t), j.said)
				}
				m.KeptMiB = inMiB(t, g.Kept)
				j.end(t)
				m.ChargedMiB = inMiB(t, g.Charged)
				evidence.Memory = append(evidence.Memory, m)
				over := m.BudgetMiB/m.ChargedMiB - 1
				t.Logf("budget %.0f MiB, charged %.0f MiB, of it kept %.0f MiB: %.0f %% over", m.BudgetMiB, m.ChargedMiB, m.KeptMiB, 100*over)
				if over < 0 || over > 0.35 {
					t.Errorf("the budget is %.1f %% over what was charged, not 0 to 35 %%", 100*over)
				}
			})
		}
	}
}

func inMiB(t *testing.T, read func() (int64, error)) float64 {
	t.Helper()
	n, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return float64(n) / mib
}

// killing is a JVM that uses all of its heap and of its direct memory.
type killing struct {
	limitMiB int
	heap     string
	flags    []string
	load     string
	rules    []string // that are to fire
	killed   bool
}

// caps are as tight as the load of these tests takes them.
func caps(directMiB int) []string {
	return []string{
		"-XX:MaxMetaspaceSize=24m", "-XX:ReservedCodeCacheSize=16m", "-Xss512k", "-XX:ActiveProcessorCount=2", "-XX:+UseG1GC",
		fmt.Sprintf("-XX:MaxDirectMemorySize=%dm", directMiB),
	}
}

// killings are the cases of M6 at two sizes. Under 512 MiB the load leaves less than the headroom
// whatever the heap, so HR303 speaks of all of them. Under 4 GiB half of the limit as heap leaves
// enough.
var killings = []killing{
	{4096, "-Xmx4096m", caps(1000), "live=3100 direct=1000", []string{"HR304"}, true},
	{4096, "-XX:MaxRAMPercentage=75.0", caps(1000), "live=2300 direct=1000", []string{"HR303"}, true},
	{4096, "-XX:MaxRAMPercentage=50.0", caps(1000), "live=1500 direct=1000", []string{}, false},
	{512, "-Xmx512m", caps(140), "live=200 direct=140", []string{"HR304"}, true},
	{512, "-XX:MaxRAMPercentage=75.0", caps(140), "live=200 direct=140", []string{"HR303"}, true},
	{512, "-XX:MaxRAMPercentage=50.0", caps(140), "live=150 direct=140", []string{"HR303"}, false},
}

func TestKills(t *testing.T) {
	found := releases(t)
	at := slices.IndexFunc(found, func(j jdks.JDK) bool { return j.Feature == 17 })
	if at < 0 {
		t.Fatal("no JDK 17; run tests/harness/jdks/install.sh")
	}
	jdk := found[at]
	for _, c := range killings {
		t.Run(fmt.Sprintf("%d MiB, %s", c.limitMiB, c.heap), func(t *testing.T) {
			k := record.Kill{JDK: jdk.Build, LimitMiB: c.limitMiB, Heap: c.heap}
			flags := append([]string{c.heap, "-Xms64m"}, c.flags...)
			k.BudgetMiB, k.Rules = judged(t, jdk.Feature, c.limitMiB, 20, flags)
			g := newGroup(t, cgroup.Limits{Memory: int64(c.limitMiB) * mib})
			t.Cleanup(g.Close)
			j := startJVM(t, g, jdk.Java, flags, c.load+" garbage=40 lives=30 seconds=8")
			k.ExitCode = j.run(t)
			kills, err := g.Kills()
			if err != nil {
				t.Fatal(err)
			}
			k.Killed, k.ChargedMiB = kills > 0, inMiB(t, g.Charged)
			evidence.Kills = append(evidence.Kills, k)
			t.Logf("budget %.0f MiB, %v; exit code %d, killed %v, charged %.0f MiB", k.BudgetMiB, k.Rules, k.ExitCode, k.Killed, k.ChargedMiB)
			if k.Killed != c.killed || k.Killed != (k.ExitCode == 137) {
				t.Errorf("killed: %v, exit code %d: %v", k.Killed, k.ExitCode, j.said)
			}
			if !slices.Equal(k.Rules, c.rules) {
				t.Errorf("foretold by %v, not %v", k.Rules, c.rules)
			}
			if over := k.BudgetMiB > float64(c.limitMiB); over != c.killed && c.limitMiB == 4096 {
				t.Errorf("a budget of %.0f MiB under a limit of %d MiB, and killed: %v", k.BudgetMiB, c.limitMiB, k.Killed)
			}
		})
	}
}
