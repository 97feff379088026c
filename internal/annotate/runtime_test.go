package annotate_test

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/policies/engine"
)

// jvm is a JVM that was measured well enough, and tells of itself.
func jvm(change func(*engine.Runtime)) engine.Measured {
	m := well
	m.Runtime = engine.Runtime{
		Exporter: "Micrometer", HeapMax: 1 << 30, Live: 300 << 20, Metaspace: 90<<20 + 1, CodeCache: 40 << 20,
		Direct: 32 << 20, Threads: 77, Classes: 12345, Processors: 2, GCShare: 0.01, GCPause: 12, Kind: "jvm", Samples: 2016, Seen: m.Window,
	}
	if change != nil {
		change(&m.Runtime)
	}
	return m
}

const java = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata:
      annotations:
        cpu-average.headroom.dev/app: 250m
        cpu-peak.headroom.dev/app: "2"
        memory-peak.headroom.dev/app: 980Mi
        jvm.headroom.dev/app: version=21 threads=9 native=80Mi
        measured.headroom.dev/app: date=2026-11-20 over=7d of=cpu-average,cpu-peak,memory-peak
    spec:
      containers: [{name: app, command: [java, -Xmx1g, -jar, app.jar]}]
`

const told = "version=21 native=80Mi threads=77 classes=12345 metaspace=91Mi codecache=40Mi direct=32Mi live=300Mi processors=2 pause=12ms"

func TestWhatAJVMTells(t *testing.T) {
	result := run(t, annotate.Options{Lookup: lookup(jvm(nil), "app")}, java)
	got := after(t, result)
	want := strings.NewReplacer(
		"version=21 threads=9 native=80Mi", told, "date=2026-11-20 over=7d of=cpu-average,cpu-peak,memory-peak",
		"date=2026-11-21 runtime=7d of=cpu-average,cpu-peak,memory-peak,threads,classes,metaspace,codecache,direct,live,processors,pause",
	).Replace(java)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if result.Written != 1 || result.Kept != 3 || notes(result) != "" {
		t.Errorf("%d written, %d kept, notes %q", result.Written, result.Kept, notes(result))
	}
	nearly := jvm(func(r *engine.Runtime) { r.Threads, r.Live = 80, 290<<20 })
	if again := run(t, annotate.Options{Lookup: lookup(nearly, "app")}, got); len(again.Files) != 0 || again.Kept != 4 {
		t.Errorf("a second time %d files change, %d are kept", len(again.Files), again.Kept)
	}
	larger := jvm(func(r *engine.Runtime) { r.Live = 600 << 20 })
	if again := run(t, annotate.Options{Lookup: lookup(larger, "app")}, got); !strings.Contains(after(t, again), "live=600Mi") {
		t.Error(after(t, again))
	}
	short := jvm(func(r *engine.Runtime) { r.GCPause = 0.4 })
	if again := run(t, annotate.Options{Lookup: lookup(short, "app")}, got); !strings.Contains(after(t, again), "pause=0.4ms") {
		t.Error(after(t, again))
	}
	if result.Untold != 0 {
		t.Errorf("%d containers told nothing", result.Untold)
	}
	silent := run(t, annotate.Options{Lookup: lookup(jvm(func(r *engine.Runtime) { *r = engine.Runtime{} }), "app")}, java)
	other := run(t, annotate.Options{Lookup: lookup(well, "app")}, deployment)
	if silent.Untold != 1 || len(silent.Files) != 0 || other.Untold != 0 {
		t.Errorf("%d containers with a JVM told nothing, %d without one; %v", silent.Untold, other.Untold, silent.Files)
	}
	patched := run(t, annotate.Options{Lookup: lookup(jvm(nil), "app"), Patches: true}, got)
	if len(patched.Patches) != 1 {
		t.Fatalf("%d patches", len(patched.Patches))
	}
}

// What does not count is not written, and what is no JVM gets no such annotation.
func TestWhatIsNotWrittenOfAJVM(t *testing.T) {
	for name, test := range map[string]struct {
		measured  engine.Measured
		manifests string
		note      string
	}{
		"in doubt":    {jvm(func(r *engine.Runtime) { *r = r.Without("it tells of several JVMs") }), java, "several JVMs"},
		"few samples": {jvm(func(r *engine.Runtime) { r.Samples = 3 }), java, ""},
		"no JVM":      {jvm(nil), strings.ReplaceAll(strings.Replace(java, "        jvm.headroom.dev/app: version=21 threads=9 native=80Mi\n", "", 1), "java, ", "python, "), ""},
	} {
		result := run(t, annotate.Options{Lookup: lookup(test.measured, "app")}, test.manifests)
		if len(result.Files) != 0 || !strings.Contains(notes(result), test.note) {
			t.Errorf("%s: %d files, notes %q", name, len(result.Files), notes(result))
		}
	}
}
