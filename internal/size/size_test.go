package size

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
)

const shop = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      labels: {app: cart}
      annotations:
        headroom.dev/workload-class: latency-sensitive
        cpu-average.headroom.dev/cart: 240m
        memory-peak.headroom.dev/cart: 700Mi
        jvm.headroom.dev/cart: version=21
    spec:
      containers:
      - name: cart
        image: registry.example/cart:1
        command: [java, -Xmx512m, -jar, cart.jar]
        env: [{name: JAVA_TOOL_OPTIONS, value: -Dsecret=a}, {name: OTHER, value: b}]
        resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 4Gi}}
      - name: helper
        image: registry.example/helper:1
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: cart, namespace: shop}
spec:
  maxReplicas: 9
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}
  metrics:
  - {type: ContainerResource, containerResource: {name: cpu, container: cart, target: {type: Utilization, averageUtilization: 20}}}
`

func sized(t *testing.T) *Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Manifests(t.Context(), e, Options{Paths: []string{file}, Source: source.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Workloads {
		r.Workloads[i].File = "shop.yaml"
	}
	return r
}

// TestFormats: a person has read these.
func TestFormats(t *testing.T) {
	r := sized(t)
	for _, format := range []string{"table", "json", "markdown", "patch"} {
		var out bytes.Buffer
		if err := Write(&out, format, r, 100); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("testdata", format+".golden"), out.String())
	}
	if err := Write(&bytes.Buffer{}, "values", r, 100); err == nil {
		t.Error("values are written without a chart")
	}
}

func TestCost(t *testing.T) {
	r := sized(t)
	want := Cost{engine.Reserved{CPU: 3000, Memory: 3 << 30}, engine.Reserved{CPU: 720, Memory: 3 * 1088 << 20}}
	if r.Cost() != want {
		t.Errorf("got %+v, want %+v", r.Cost(), want)
	}
	if signed(-0.001) != "+0.00" || signed(1.5) != "+1.50" || signed(-2) != "-2.00" {
		t.Error("a difference is written wrongly")
	}
}

// TestPatchMakesTheObject: what a strategic merge leaves out stays as it is.
func TestPatches(t *testing.T) {
	patches := sized(t).Patches()
	if len(patches) != 2 {
		t.Fatalf("%d patches", len(patches))
	}
	text, err := yaml.Marshal(patches[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, absent := range []string{"OTHER", "helper", "replicas"} {
		if strings.Contains(string(text), absent) {
			t.Errorf("the patch has %s, which does not change:\n%s", absent, text)
		}
	}
	// The words of a command are replaced as a whole.
	if !strings.Contains(string(text), "- command:\n        - java\n        - -XX:ActiveProcessorCount=2\n        - -Xmx512m\n") {
		t.Errorf("the command is another:\n%s", text)
	}
	if !strings.Contains(string(text), "cpu: null") {
		t.Errorf("the CPU limit stays:\n%s", text)
	}
}

func TestWhatAnotherMakesHasNoPatch(t *testing.T) {
	r := sized(t)
	r.Workloads[0].Made = true
	if patches := r.Patches(); len(patches) != 0 {
		t.Errorf("%v", patches)
	}
}

func TestHostileText(t *testing.T) {
	r := &Report{
		Workloads: []Workload{{
			Resource: engine.Resource{Kind: "Deployment", Name: "a|b`<script>@all\x1b[31m"},
			Sizing: engine.Sizing{Containers: []engine.ContainerSize{{
				Container: "c\n# d", Values: []engine.SizedValue{{Name: "requests.cpu", Now: "1", Wanted: "2", Why: "e | f"}},
				Notes: []string{"g\x1b[0m"},
			}}},
		}},
		Problems: []report.Problem{{File: "h", Line: 3, Message: "i\x1b"}},
	}
	for _, format := range []string{"table", "json", "markdown"} {
		var out bytes.Buffer
		if err := Write(&out, format, r, 0); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b") || format == "markdown" && strings.ContainsAny(strings.ReplaceAll(
			strings.ReplaceAll(out.String(), "<details><summary>", ""), "</summary>", ""), "@") {
			t.Errorf("%s:\n%q", format, out.String())
		}
		if format == "json" && !json.Valid(out.Bytes()) {
			t.Error("no JSON")
		}
	}
}

func TestLongCommentsAreCut(t *testing.T) {
	r := &Report{}
	for range maxRows + 5 {
		r.Workloads = append(r.Workloads, Workload{Sizing: engine.Sizing{Containers: []engine.ContainerSize{{
			Values: []engine.SizedValue{{Name: "a", Now: "1", Wanted: "2"}},
		}}}})
	}
	var out bytes.Buffer
	if err := Write(&out, "markdown", r, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"and 5 more values", "and 5 more containers"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("says nothing of %q", want)
		}
	}
}

func TestReplicas(t *testing.T) {
	for text, want := range map[string]int{
		`{}`: 1, `{"spec": {"replicas": 0}}`: 0, `{"spec": {"replicas": 4}}`: 4, `{"spec": {"replicas": -4}}`: 0,
		`{"spec": {"parallelism": 2}}`: 2, `{"spec": {"replicas": "a"}}`: 1, `{"spec": "a"}`: 1,
	} {
		var object map[string]any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			t.Fatal(err)
		}
		if got := replicas(object); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

// What stands in the same input counts as it does for lint: the class of the Namespace, the LimitRange's defaults, the
// autoscaler.
func TestWhatStandsBeside(t *testing.T) {
	const around = `apiVersion: v1
kind: Namespace
metadata: {name: shop, annotations: {headroom.dev/default-class: batch}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: a, namespace: shop}
spec: {limits: [{type: Container, default: {memory: 300Mi}, defaultRequest: {memory: 300Mi}}]}
---
`
	const cart = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata: {annotations: {cpu-average.headroom.dev/app: "1", memory-peak.headroom.dev/app: 200Mi}}
    spec: {containers: [{name: app, image: registry.example/cart, resources: {requests: {cpu: "3"}}}]}
`
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{cart: "", around + cart: "batch", cart + "---\n" + around: "batch"} {
		file := filepath.Join(t.TempDir(), "shop.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Manifests(t.Context(), e, Options{Paths: []string{file}, Source: source.Options{}})
		if err != nil || len(r.Workloads) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		var table bytes.Buffer
		if err := Write(&table, "table", r, 100); err != nil {
			t.Fatal(err)
		}
		classed := strings.Contains(table.String(), "app (batch")
		if classed != (want != "") || strings.Contains(table.String(), "requests.memory      none") == classed {
			t.Errorf("wanted class %q:\n%s", want, table.String())
		}
	}
}

// One line says what would help, however many JVMs tell nothing of themselves.
func TestWhatWouldTell(t *testing.T) {
	sizing := engine.Sizing{Containers: []engine.ContainerSize{{Container: "app", Runtime: "jvm"}, {Container: "proxy", Runtime: "go"}}}
	outside := engine.Measured{Source: "Prometheus"}
	tells := engine.Measured{Source: "Prometheus", Runtime: engine.Runtime{Exporter: "Micrometer"}}
	r := &Report{}
	for want, measured := range map[int]map[string]engine.Measured{
		1: {"app": outside, "proxy": outside}, 0: {"app": tells, "proxy": outside},
	} {
		got := untold(sizing, measured)
		if got != want {
			t.Errorf("%d of %v", got, measured)
		}
		r.Workloads = append(r.Workloads, Workload{Untold: got}, Workload{Untold: got})
	}
	var out bytes.Buffer
	if err := Write(&out, "table", r, 200); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "No metrics of the JVM from 2 containers"); n != 1 {
		t.Errorf("said %d times:\n%s", n, out.String())
	}
}
