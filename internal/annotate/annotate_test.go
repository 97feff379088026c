package annotate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// well is measured well enough.
var well = engine.Measured{
	Source: "Prometheus", Window: 7 * 24 * time.Hour, Samples: 10080, Age: time.Minute,
	CPUAverage: "250m", CPUPeak: "2", MemoryPeak: "980Mi",
	Periods: -1, Throttled: -1, ThrottledSeconds: -1, ThrottledLong: -1, CPUWaiting: -1, Observed: -1,
	OOMKills: -1, Restarts: -1, ProbeKills: -1,
}

// lookup knows the containers of any workload but those that are called "unknown".
func lookup(measured engine.Measured, containers ...string) annotate.Lookup {
	return func(_ context.Context, _, _, name string) (map[string]engine.Measured, error) {
		if name == "unknown" {
			return nil, nil
		}
		all := map[string]engine.Measured{}
		for _, c := range containers {
			all[c] = measured
		}
		return all, nil
	}
}

// noon is when the tests measure.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// dated is what is written beside the values of container app.
const dated = "date=2026-11-21 of=cpu-average,cpu-peak,memory-peak"

func run(t *testing.T, o annotate.Options, manifests string) *annotate.Result {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = noon
	}
	e := defaults.Engine(t)
	if manifests != "" {
		file := filepath.Join(t.TempDir(), "x.yaml")
		if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
			t.Fatal(err)
		}
		o.Paths = []string{file}
	}
	result, err := annotate.Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func after(t *testing.T, r *annotate.Result) string {
	t.Helper()
	if len(r.Files) != 1 {
		t.Fatalf("%d files change; %+v %+v", len(r.Files), r.Notes, r.Problems)
	}
	return string(r.Files[0].After)
}

func notes(r *annotate.Result) string {
	var b strings.Builder
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "%d %s %s: %s\n", n.Line, n.Resource.Kind, n.Resource.Name, n.Text)
	}
	return b.String()
}

const deployment = `# the cart
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata:
      annotations:
        prometheus.io/scrape: "true" # yes
        cpu-average.headroom.dev/app: "200m"
        cpu-peak.headroom.dev/app: 100m   # old
    spec:
      containers: [{name: app}, {name: helper}]
`

func TestAnnotations(t *testing.T) {
	result := run(t, annotate.Options{Lookup: lookup(well, "app", "gone")}, deployment)
	want := strings.Replace(deployment, "100m   # old\n",
		"\"2\"   # old\n        memory-peak.headroom.dev/app: \"980Mi\"\n        measured.headroom.dev/app: \""+dated+"\"\n", 1)
	if got := after(t, result); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// 200m is 20 % below what was measured.
	if result.Written != 2 || result.Kept != 1 || notes(result) != "" {
		t.Errorf("%d written, %d kept, notes %q", result.Written, result.Kept, notes(result))
	}
	again := run(t, annotate.Options{Lookup: lookup(well, "app")}, want)
	if len(again.Files) != 0 || again.Kept != 3 {
		t.Errorf("a second time %d files change, %d values are kept", len(again.Files), again.Kept)
	}
}

func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no metadata": {
			"apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  jobTemplate:\n    spec:\n      template:\n" +
				"        spec:\n          containers: [{name: app}]\n",
			"apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  jobTemplate:\n    spec:\n      template:\n" +
				"        metadata:\n          annotations:\n            cpu-average.headroom.dev/app: 250m\n" +
				"            cpu-peak.headroom.dev/app: \"2\"\n            measured.headroom.dev/app: " + dated + "\n            memory-peak.headroom.dev/app: 980Mi\n" +
				"        spec:\n          containers: [{name: app}]\n",
		},
		"null annotations, carriage returns, no newline": {
			"kind: Pod\r\napiVersion: v1\r\nspec:\r\n  containers: [{name: app}]\r\nmetadata:\r\n  name: a\r\n  annotations:",
			"kind: Pod\r\napiVersion: v1\r\nspec:\r\n  containers: [{name: app}]\r\n" +
				"metadata:\r\n  name: a\r\n  annotations:\r\n" +
				"    cpu-average.headroom.dev/app: 250m\r\n    cpu-peak.headroom.dev/app: \"2\"\r\n" +
				"    measured.headroom.dev/app: " + dated + "\r\n    memory-peak.headroom.dev/app: 980Mi",
		},
		// Written on the template, it would speak against what stands on the workload.
		"on the workload": {
			"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  annotations: {cpu-peak.headroom.dev/app: 1m}\n" +
				"spec:\n  template:\n    metadata: {annotations: {cpu-average.headroom.dev/app: 250m," +
				" memory-peak.headroom.dev/app: 1Gi}}\n    spec: {containers: [{name: app}]}\n",
			"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  annotations: {cpu-peak.headroom.dev/app: \"2\"}\n" +
				"spec:\n  template:\n    metadata: {annotations: {cpu-average.headroom.dev/app: 250m," +
				" memory-peak.headroom.dev/app: 1Gi, measured.headroom.dev/app: \"" + dated + "\"}}\n    spec: {containers: [{name: app}]}\n",
		},
		"for the main container, and near enough": {
			"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {headroom.dev/cpu-average: 240m}\n" +
				"spec: {containers: [{name: app}]}\n",
			"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {headroom.dev/cpu-average: 240m," +
				" cpu-peak.headroom.dev/app: \"2\", memory-peak.headroom.dev/app: 980Mi, measured.headroom.dev/app: \"" + dated + "\"}\nspec: {containers: [{name: app}]}\n",
		},
		"for the main container, and out of date": {
			"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {headroom.dev/cpu-average: \"1\"}\n" +
				"spec: {containers: [{name: app}, {name: other}]}\n",
			"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations: {headroom.dev/cpu-average: \"250m\"," +
				" cpu-peak.headroom.dev/app: \"2\", memory-peak.headroom.dev/app: \"980Mi\", measured.headroom.dev/app: \"" + dated + "\"}\n" +
				"spec: {containers: [{name: app}, {name: other}]}\n",
		},
		"json": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"app"}]}}`,
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":` +
				`{"cpu-average.headroom.dev/app":"250m","cpu-peak.headroom.dev/app":"2",` +
				`"measured.headroom.dev/app":"` + dated + `","memory-peak.headroom.dev/app":"980Mi"}},` +
				`"spec":{"containers":[{"name":"app"}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := after(t, run(t, annotate.Options{Lookup: lookup(well, "app")}, c.before)); got != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
		})
	}
}

func TestLists(t *testing.T) {
	item := func(name, more string) string {
		return "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: " + name + "\n" + more +
			"  spec: {containers: [{name: app}]}\n"
	}
	const shared = "    annotations: &x {a: b}\n    labels: *x\n"
	list := "kind: List\napiVersion: v1\nitems:\n" +
		item("one", "") + item("unsafe", shared) + item("unknown", "") + item("two", "")
	result := run(t, annotate.Options{Lookup: lookup(well, "app")}, "a: 1\n---\n"+list)
	values := "    annotations:\n      cpu-average.headroom.dev/app: 250m\n      cpu-peak.headroom.dev/app: \"2\"\n" +
		"      measured.headroom.dev/app: " + dated + "\n      memory-peak.headroom.dev/app: 980Mi\n"
	want := "a: 1\n---\nkind: List\napiVersion: v1\nitems:\n" + item("one", values) + item("unsafe", shared) +
		item("unknown", "") + item("two", values)
	if got := after(t, result); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if said := notes(result); !strings.Contains(said, "11 Pod unsafe: left alone: line 15: the value has an anchor") ||
		!strings.Contains(said, "Pod unknown: nothing was measured of it") {
		t.Errorf("notes\n%s", said)
	}
	if result.Unsafe != 1 || result.Written != 6 {
		t.Errorf("%d unsafe, %d written", result.Unsafe, result.Written)
	}
}

// What the policies doubt is not written.
func TestDoubt(t *testing.T) {
	few, old := well, well
	few.Samples, old.Age = 12, 25*time.Hour
	for want, m := range map[string]engine.Measured{"12 samples, at least 60": few, "25h old, at most 24h": old} {
		result := run(t, annotate.Options{Lookup: lookup(m, "app")}, deployment)
		if len(result.Files) != 0 || !strings.Contains(notes(result), want) {
			t.Errorf("want %q: %d files, notes %q", want, len(result.Files), notes(result))
		}
	}
	some := well
	some.CPUPeak = ""
	result := run(t, annotate.Options{Lookup: lookup(some, "app")}, deployment)
	if strings.Contains(after(t, result), `"2"`) || notes(result) != "" {
		t.Errorf("a peak that nobody knows:\n%s%s", after(t, result), notes(result))
	}
}

func TestPatches(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\nnamePrefix: my-\n", "a.yaml": deployment,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result := run(t, annotate.Options{
		Lookup: lookup(well, "app"), Source: source.Options{Kustomizations: []string{dir}},
	}, "")
	if len(result.Patches) != 1 || len(result.Files) != 0 || result.Written != 2 || result.Kept != 1 {
		t.Fatalf("%+v", result)
	}
	text, err := yaml.Marshal(result.Patches[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: my-cart
  namespace: shop
spec:
  template:
    metadata:
      annotations:
        cpu-average.headroom.dev/app: 200m
        cpu-peak.headroom.dev/app: "2"
        measured.headroom.dev/app: date=2026-11-21 of=cpu-average,cpu-peak,memory-peak
        memory-peak.headroom.dev/app: 980Mi
`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

func TestProblems(t *testing.T) {
	result := run(t, annotate.Options{Lookup: lookup(well, "app")}, "a: [\n---\n"+deployment)
	if len(result.Problems) != 1 || len(result.Files) != 1 {
		t.Errorf("a broken document: %+v, %d files", result.Problems, len(result.Files))
	}
}
