package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const everyKey = `
apiVersion: headroom.dev/v1alpha1
kind: Config
defaultClass: batch
tolerance: 0.3
matrix:
  streaming: {request: average, limit: none}
  batch: {request: average, limit: {timesAverage: 3}}
sidecars: {names: [proxy], images: [example/proxy]}
memory: {headroom: 0.25, peak: 0.7}
jvm: {threads: 100, native: 80Mi, maxRAMPercentage: 60, gcPause: 10ms, inject: [metaspace]}
measured: {minSamples: 100, maxAge: 1.5h}
metrics:
  - exporter: ours
    runtime: jvm
    metrics:
      heap_max: {metric: shop_heap_max_mib, match: 'area="heap",id!=""', over: [id], times: 1048576}
classes: [{class: batch, namespace: shop-*, labels: {app: "*"}}]
kinds: [{group: example.com, kind: Runner, like: Job, pods: [{template: spec.template}]}]
images:
  - names: [platform/java-service]
    java: [{tag: "", release: 21}]
    line: [{options: -XX:+UseG1GC}, {size: HEAP, becomes: "-Xmx{}", when: {unset: JAVA_OPTS}}]
nodes: {kernel: "6.12", cgroup: 2, cores: 64}
rules:
  HR407: {severity: off}
  HR408: {severity: "off"}
ignore:
  - {rules: [HR202], namespace: shop, kind: Deployment, name: cart-*, container: app, reason: known, until: "2027-01-31"}
`

func TestParseAcceptsEveryKey(t *testing.T) {
	config, err := Parse("headroom.yaml", []byte(everyKey))
	if err != nil {
		t.Fatal(err)
	}
	if config["defaultClass"] != "batch" {
		t.Errorf("defaultClass = %v", config["defaultClass"])
	}
}

// A day without quotes, as the README writes it, is text and no point in time.
func TestADayIsText(t *testing.T) {
	for _, day := range []string{"2027-01-31", `"2027-01-31"`} {
		config, err := Parse("headroom.yaml", []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n"+
			"ignore:\n  - rules: [HR202]\n    reason: billed by limit\n    until: "+day+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", day, err)
		}
		entry := config["ignore"].([]any)[0].(map[string]any)
		if entry["until"] != any("2027-01-31") {
			t.Errorf("%s is read as %v", day, entry["until"])
		}
	}
	_, err := Parse("headroom.yaml", []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n"+
		"ignore: [{rules: [HR202], reason: x, until: 2027-02-31T00:00:00Z}]\n"))
	if err == nil || !strings.Contains(err.Error(), "ignore.0.until") {
		t.Errorf("%v", err)
	}
}

func TestParseNamesLineAndCause(t *testing.T) {
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", head + "toleranse: 0.3\n", "headroom.yaml:3: unknown key toleranse; did you mean tolerance?"},
		{"unknown nested key", head + "memory:\n  peak: 0.5\n  heap: 1\n", "headroom.yaml:5: unknown key memory.heap"},
		{"wrong type", head + "tolerance: much\n", "headroom.yaml:3: tolerance: "},
		{"out of range", head + "memory:\n  headroom: 2\n", "headroom.yaml:4: memory.headroom: "},
		{"misspelt part", head + "measured:\n  minSample: 5\n", "headroom.yaml:4: unknown key measured.minSample; did"},
		{"duration", head + "measured:\n  maxAge: 1d\n", "headroom.yaml:4: measured.maxAge: "},
		{"limit of a row", head + "matrix:\n  a: {request: average, limit: nothing}\n", "headroom.yaml:4: matrix.a.limit must be none"},
		{"class name", head + "matrix:\n  init: {request: average, limit: none}\n", "headroom.yaml:4: matrix.init cannot be a class name"},
		{"class name form", head + "matrix:\n  A: {request: average, limit: none}\n", "headroom.yaml:4: matrix.A cannot be a class name"},
		{"severity", head + "rules:\n  HR407: {severity: loud}\n", "headroom.yaml:4: rules.HR407.severity: "},
		{
			"unknown rule", head + "rules:\n  HR202: {severity: off}\n  HR999: {severity: off}\n",
			"headroom.yaml:5: rules: there is no rule \"HR999\"; `headroom rules` lists them",
		},
		{"rule in lower case", head + "rules: {hr202: {severity: off}}\n", "rule \"hr202\"; did you mean HR202?"},
		{
			"misspelt slug", head + "ignore:\n- reason: x\n  rules:\n  - \"*\"\n  - latency-cpu-limits\n",
			"headroom.yaml:7: ignore: there is no rule \"latency-cpu-limits\"; did you mean latency-cpu-limit?",
		},
		{"no reason", head + "ignore:\n  - rules: [HR202]\n", "headroom.yaml:4: reason is missing"},
		{
			"unknown meaning", head + "metrics:\n  - exporter: a\n    runtime: jvm\n    metrics:\n      heap: {metric: a}\n",
			"headroom.yaml:7: unknown key metrics.0.metrics.heap",
		},
		{
			"name of a metric", head + "metrics:\n  - exporter: a\n    runtime: jvm\n    metrics:\n      live: {metric: 'a{} or b'}\n",
			"headroom.yaml:7: metrics.0.metrics.live.metric: ",
		},
		{
			"more than matchers", head + "metrics:\n  - exporter: a\n    runtime: jvm\n    metrics:\n      live:\n        metric: a\n        match: 'a=\"b\"} or vector(1)'\n",
			"headroom.yaml:9: metrics.0.metrics.live.match: ",
		},
		{"unknown runtime", head + "metrics:\n  - exporter: a\n    runtime: perl\n    metrics: {live: {metric: a}}\n", "headroom.yaml:5: metrics.0.runtime: "},
		{"no kind", "apiVersion: headroom.dev/v1alpha1\n", "headroom.yaml:1: kind is missing"},
		{"empty", "", "headroom.yaml:1: is empty"},
		{"syntax", head + "matrix: [\n", "headroom.yaml:"},
		{"duplicate key", head + "tolerance: 0.1\ntolerance: 0.2\n", "headroom.yaml:4: is not valid YAML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("headroom.yaml", []byte(c.text))
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %q\nwant %q in it", err, c.want)
			}
		})
	}
}

// A link in a pull request may lead to any file of the machine.
func TestNothingIsToldOfAnotherFile(t *testing.T) {
	for _, text := range []string{
		"ghp_secret", "TOKEN=secret\nOTHER=secret\n", "- secret\n", "secret: secret\nother: {secret: 1}\n", "1: secret\n",
		"user:\n  apiVersion: secret\n",
	} {
		for name, parse := range map[string]func(string, []byte) (map[string]any, error){"config": Parse, "lock": ParseLock} {
			if _, err := parse("headroom.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "headroom.yaml:1: has no apiVersion and kind: ") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
	}
}

func TestFindLooksUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(root, FileName)
	if err := os.WriteFile(want, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Find(deep)
	if err != nil || got != want {
		t.Errorf("Find = %q, %v; want %q", got, err, want)
	}
}
