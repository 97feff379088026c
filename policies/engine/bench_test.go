//go:build unix

package engine

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/planner"
)

// The benchmarks print CPU time besides the wall time: the machine may be busy with other
// things. They run in batches; the best of them is what the code costs, the median what
// one gets here and now. docs/performance.md tells how to read them.

// gcPercent is what cmd/headroom sets for everything after the first decision.
const gcPercent = 400

// batch is how long one measurement takes: long beside the clock's steps, short enough to
// fall between two disturbances.
const batch = 10 * time.Millisecond

func BenchmarkDecision(b *testing.B) {
	e, judge := engineFor(b, nil), must(with(opaFrom(compiledPolicies), Options{}))(b)
	for _, name := range []string{"simple", "pod", "jvms", "jvm"} {
		review := Review{Manifest: manifest(b, name)}
		for evaluator, e := range map[string]*Engine{"plan": e, "opa": judge} {
			b.Run(name+"/"+evaluator, func(b *testing.B) {
				var found int
				measure(b, func() {
					result, err := e.Evaluate(b.Context(), review)
					if err != nil {
						b.Fatal(err)
					}
					found = len(result.Findings)
				})
				b.ReportMetric(float64(found), "findings")
			})
		}
	}
	b.Run("service", func(b *testing.B) {
		service := manifest(b, "service")
		measure(b, func() {
			kind, err := e.Kind(b.Context(), service["apiVersion"].(string), service["kind"].(string))
			if err != nil || !kind.Inert {
				b.Fatal(kind, err)
			}
		})
	})
}

// BenchmarkYardstick reads the same Pod with encoding/json: it tells how fast the machine
// is just now.
func BenchmarkYardstick(b *testing.B) {
	text, err := json.Marshal(manifest(b, "jvms"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	measure(b, func() {
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkRule is what one more rule costs. Every rule is there twice: the second one
// finds the facts about containers, classes and JVMs worked out already, as one more rule
// would. An operation is the judging of one manifest by one more rule.
func BenchmarkRule(b *testing.B) {
	files := must(moduleFiles())(b)
	once := engineFor(b, must(parseModules(files, false))(b))
	modules := must(parseModules(files, false))(b)
	rules := 0
	for _, file := range files {
		if dir, name := path.Split(file); strings.Contains(dir, "/rules/") {
			modules[dir+"copy-"+name] = renamed(must(parseModules([]string{file}, false))(b)[file])
			if name == "rule.rego" {
				rules++
			}
		}
	}
	twice := engineFor(b, modules)
	for _, name := range []string{"simple", "pod", "jvms"} {
		review := Review{Manifest: manifest(b, name)}
		b.Run(name, func(b *testing.B) {
			difference(b, rules,
				func() { must(once.Evaluate(b.Context(), review))(b) },
				func() { must(twice.Evaluate(b.Context(), review))(b) })
		})
	}
}

// renamed gives a module of a rule a package of its own.
func renamed(module *ast.Module) *ast.Module {
	slug := module.Package.Path[len(module.Package.Path)-1]
	module.Package.Path[len(module.Package.Path)-1] = ast.StringTerm(string(slug.Value.(ast.String)) + "-copy")
	return module
}

// BenchmarkStart is what a cold start has to do before the first decision, and with it.
func BenchmarkStart(b *testing.B) {
	// As New does it in the first of its calls.
	start := func() *Engine { return must(with(planned(must(openPlan())(b)), Options{}))(b) }
	b.Run("new", func(b *testing.B) {
		measure(b, func() { start() })
	})
	b.Run("decision", func(b *testing.B) {
		review := Review{Manifest: manifest(b, "jvm")}
		measure(b, func() { must(start().Evaluate(b.Context(), review))(b) })
	})
}

// measure runs f in batches and reports the CPU time of one f: of the best batch and of
// the median one.
func measure(b *testing.B, f func()) {
	b.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	f()
	size := batchSize(f)
	var times []float64
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += size {
		times = append(times, perCall(min(size, b.N-done), f))
	}
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(times[0], "best-cpu-ns")
	b.ReportMetric(times[len(times)/2], "median-cpu-ns")
}

// difference measures what after takes longer than before: batch by batch in turn, so
// that what disturbs the one disturbs the other.
func difference(b *testing.B, parts int, before, after func()) {
	b.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	before()
	after()
	size := batchSize(after)
	var times [2][]float64
	b.ResetTimer()
	for done := 0; done < b.N; done += size {
		n := min(size, b.N-done)
		times[0] = append(times[0], perCall(n, before))
		times[1] = append(times[1], perCall(n, after))
	}
	b.StopTimer()
	for i := range times {
		slices.Sort(times[i])
	}
	half := len(times[0]) / 2
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((times[1][0]-times[0][0])/float64(parts), "best-cpu-ns")
	b.ReportMetric((times[1][half]-times[0][half])/float64(parts), "median-cpu-ns")
}

func batchSize(f func()) int {
	const probes = 3
	return int(float64(batch)/max(perCall(probes, f), 1)) + 1
}

func perCall(n int, f func()) float64 {
	start := cpuTime()
	for range n {
		f()
	}
	return float64(cpuTime()-start) / float64(n)
}

// cpuTime is what the process has used of all processors, garbage collection included.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func engineFor(b *testing.B, modules map[string]*ast.Module) *Engine {
	b.Helper()
	if modules == nil {
		return must(New(b.Context(), Options{}))(b)
	}
	policy := must(planner.Plan(b.Context(), modules, "data.headroom.main.result"))(b)
	image := must(plan.Encode(policy))(b)
	return must(with(planned(must(plan.Open(string(image)))(b)), Options{}))(b)
}

// manifest reads an example in the form in which the linter hands objects over.
func manifest(b *testing.B, name string) map[string]any {
	b.Helper()
	text := must(os.ReadFile(filepath.Join("testdata", "bench", name+".yaml")))(b)
	decoder := json.NewDecoder(bytes.NewReader(must(yaml.YAMLToJSON(text))(b)))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		b.Fatal(err)
	}
	return object
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
