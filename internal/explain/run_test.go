package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const surroundings = `
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: shop}
spec: {limits: [{type: Container, default: {cpu: "2", memory: 2Gi}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: jvm, namespace: shop}
data: {JAVA_TOOL_OPTIONS: -Xmx1g}
---
apiVersion: v1
kind: Service
metadata: {name: cart, namespace: shop}
`

// TestSurroundings: what stands in other documents counts, wherever it stands.
func TestSurroundings(t *testing.T) {
	r := explained(t, jvm("envFrom: [{configMapRef: {name: jvm}}]")+surroundings, Options{})
	out := text(t, r, "text", 100)
	says(t, out, "LimitRange shop/limits", "-Xmx1g", "ConfigMap", "1024 MiB")
	if len(r.Workloads) != 1 || r.Workloads[0].Line != 1 {
		t.Errorf("%d workloads, line %d", len(r.Workloads), r.Workloads[0].Line)
	}
}

func TestChoose(t *testing.T) {
	manifest := `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: cart, namespace: shop}
  spec: {template: {spec: {containers: [{name: app, image: x}, {name: log, image: y}]}}}
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: cart, namespace: shop}
  spec: {template: {spec: {containers: [{name: app, image: x}]}}}
- apiVersion: v1
  kind: Pod
  metadata: {name: one}
  spec: {containers: [{name: app, image: x}]}
`
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "Deployment/app Deployment/log StatefulSet/app Pod/app"},
		{Options{Workload: "cart"}, "Deployment/app Deployment/log StatefulSet/app"},
		{Options{Workload: "deploy/cart"}, "Deployment/app Deployment/log"},
		{Options{Workload: "Deployment/cart", Container: "log"}, "Deployment/log"},
		{Options{Workload: "statefulsets/cart"}, "StatefulSet/app"},
		{Options{Container: "app"}, "Deployment/app StatefulSet/app Pod/app"},
		{Options{Workload: "po/one"}, "Pod/app"},
	} {
		var got []string
		r := explained(t, manifest, c.o)
		for _, w := range r.Workloads {
			for _, e := range w.Containers {
				got = append(got, w.Resource.Kind+"/"+e.Container)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s, not %s", c.o, got, c.want)
		}
	}
	if r := explained(t, manifest, Options{}); r.Workloads[1].Line != 8 || r.Workloads[2].Line != 12 {
		t.Errorf("lines %d and %d", r.Workloads[1].Line, r.Workloads[2].Line)
	}
}

func TestNothingToExplain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(jvm(limits)), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"there is no workload deploy/card in " + file + "; did you mean Deployment/cart?": {Workload: "deploy/card"},
		"there is no workload queue in " + file + "; there is Deployment/cart":            {Workload: "queue"},
		"there is no container apq in " + file + "; did you mean app?":                    {Workload: "deploy/cart", Container: "apq"},
		"there is no container sidecar in " + file + "; there is app":                     {Container: "sidecar"},
	} {
		o.Paths = []string{file}
		if _, err := Run(t.Context(), defaults.Engine(t), o); err == nil || err.Error() != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
	r, err := Run(t.Context(), defaults.Engine(t), Options{Paths: []string{file, "missing.yaml"}})
	if err != nil || len(r.Problems) != 1 || len(r.Workloads) != 1 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestWhatIf holds the comparison to the verdicts of the rules themselves.
func TestWhatIf(t *testing.T) {
	manifest := jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx4g -XX:ParallelGCThreads=25}]")
	r := explained(t, manifest, Options{
		WhatIf: changes(t, "-Xmx=1g,gc-threads=4,limits.cpu=none,cores=2"), Timeline: true,
	})
	w := r.Workloads[0].Containers[0].WhatIf
	if len(r.Problems) > 0 || w == nil {
		t.Fatal(r.Problems)
	}
	lost, kept := named(w.Lost), named(w.Kept)
	for _, rule := range []string{"HR202", "HR304", "HR403"} {
		if !strings.Contains(lost, rule) {
			t.Errorf("%s does not go: %s", rule, lost)
		}
	}
	if !strings.Contains(kept, "HR307") {
		t.Errorf("HR307 does not stay: %s", kept)
	}
	if w.Timeline == nil || w.Timeline.Quota != 0 {
		t.Error("the timeline is not that of the changed workload")
	}
	if heap := w.Then.Budget.Terms[0].MiB; heap != 1024 {
		t.Errorf("heap %v MiB", heap)
	}
	says(t, text(t, r, "text", 100), "over by", "1024 MiB", "no longer  HR304", "GC ×4")
	// What is set and does not win is said.
	r = explained(t, manifest, Options{WhatIf: changes(t, "-XX:MaxRAMPercentage=25")})
	says(t, text(t, r, "text", 100), "-XX:MaxRAMPercentage=25, which changes nothing")
}

func TestWhatIfOfSeveral(t *testing.T) {
	manifest := strings.Replace(jvm(limits), "      - name: app", "      - {name: log, image: x}\n      - name: app", 1)
	r := explained(t, manifest, Options{WhatIf: changes(t, "limits.memory=1Gi")})
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, "log, app is meant? --container") {
		t.Errorf("%v", r.Problems)
	}
	r = explained(t, manifest, Options{WhatIf: changes(t, "limits.memory=1Gi"), Container: "app"})
	if len(r.Problems) != 0 || r.Workloads[0].Containers[0].WhatIf == nil {
		t.Errorf("%v", r.Problems)
	}
	// A sidecar is not meant.
	manifest = strings.Replace(manifest, "{name: log", "{name: istio-proxy", 1)
	r = explained(t, manifest, Options{WhatIf: changes(t, "limits.memory=1Gi")})
	if len(r.Problems) != 0 || r.Workloads[0].Containers[1].WhatIf == nil {
		t.Errorf("%v", r.Problems)
	}
}

// TestNoSecrets: the values of variables are not shown, except for JVM flags.
func TestNoSecrets(t *testing.T) {
	variables := "env: [{name: PASSWORD, value: swordfish}, {name: JAVA_TOOL_OPTIONS, value: -Xmx1g -Dpw=swordfish}]"
	r := explained(t, jvm(limits, variables), Options{Timeline: true, WhatIf: changes(t, "heap=2g")})
	for _, format := range Formats {
		if strings.Contains(text(t, r, format, 100), "swordfish") {
			t.Errorf("%s tells a secret", format)
		}
	}
}

// BenchmarkExplain is one workload, with its timeline, as the command explains it: what the model
// is asked to do in under 50 ms. The policies are ready, as after the first workload of a run.
func BenchmarkExplain(b *testing.B) {
	o := Options{Paths: []string{"../../samples/wrong/article-service.yaml"}, Timeline: true}
	e := defaults.Engine(b)
	if _, err := Run(b.Context(), e, o); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(b.Context(), e, o); err != nil {
			b.Fatal(err)
		}
	}
}
