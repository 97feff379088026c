package explain

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const configMap = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: jvm, namespace: shop}
data: {JAVA_TOOL_OPTIONS: -Xmx3g -Dpassword=swordfish, other: -Xss2m}
`

// tried are changes, what they make of a container or an annotation, and a part of what is said.
var tried = []struct {
	name, manifest, change string
	now, then              string // of the manifest as JSON
	says                   string
}{
	{
		"a flag in its variable", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx3g -Xss1m}]"), "-Xmx1g",
		`"-Xmx3g -Xss1m"`, `"-Xmx1g -Xss1m"`, "JAVA_TOOL_OPTIONS: -Xmx3g → -Xmx1g",
	},
	{
		"the flag that wins",
		jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx3g}, {name: _JAVA_OPTIONS, value: -Xmx2g}]"),
		"heap=1g", `"value":"-Xmx2g"`, `"value":"-Xmx1g"`, "_JAVA_OPTIONS: -Xmx2g → -Xmx1g",
	},
	{
		"the last of the same in one variable", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx3g -Xmx3g}]"),
		"heap=1g", `"-Xmx3g -Xmx3g"`, `"-Xmx3g -Xmx1g"`, "",
	},
	{
		"a word that is longer stays", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Dx=-Xmx3gb -Xmx3g}]"), "heap=1g",
		`"-Dx=-Xmx3gb -Xmx3g"`, `"-Dx=-Xmx3gb -Xmx1g"`, "",
	},
	{
		"a word of the command", strings.Replace(jvm(limits), "java, -jar", "java, -Xmx3g, -jar", 1), "-Xmx=1g",
		`"java","-Xmx3g"`, `"java","-Xmx1g"`, "command line: -Xmx3g → -Xmx1g",
	},
	{
		"within a shell", strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[sh, -c, "exec java -Xmx3g -jar a.jar"]`, 1),
		"-Xmx1g", `exec java -Xmx3g -jar`, `exec java -Xmx1g -jar`, "",
	},
	{
		"behind what is there", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx3g}]"), "gc-threads=4",
		`"-Xmx3g"`, `"-Xmx3g -XX:ParallelGCThreads=4"`, "JAVA_TOOL_OPTIONS: none → -XX:ParallelGCThreads=4",
	},
	{
		"a variable of its own", jvm(limits), "cores=2", `"command"`,
		`"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-XX:ActiveProcessorCount=2"}]`, "",
	},
	{
		"from a ConfigMap", jvm(limits, "envFrom: [{configMapRef: {name: jvm}}]") + configMap, "heap=1g",
		`"envFrom"`, `"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx1g"}]`, "JAVA_TOOL_OPTIONS, ConfigMap",
	},
	{
		"from a key of a ConfigMap", jvm(limits,
			"env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {configMapKeyRef: {name: jvm, key: JAVA_TOOL_OPTIONS}}}]") + configMap,
		"heap=none,gc-threads=2", `"valueFrom"`, `"value":"-XX:ParallelGCThreads=2"`, "-Xmx3g → none",
	},
	{
		"away in every place",
		jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx3g -Xss1m}, {name: JDK_JAVA_OPTIONS, value: -Xmx2g}]"),
		"-Xmx=none", `-Xmx2g`, `"-Xss1m"},{"name":"JDK_JAVA_OPTIONS","value":""}`, "JDK_JAVA_OPTIONS: -Xmx2g → none",
	},
	{
		"another collector", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -XX:+UseG1GC}]"), "-XX:+UseSerialGC",
		`"-XX:+UseG1GC"`, `"-XX:+UseSerialGC"`, "-XX:+UseG1GC → none",
	},
	{
		"another than an old one", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -XX:+UseParallelOldGC}]"), "-XX:+UseSerialGC",
		`"-XX:+UseParallelOldGC"`, `"-XX:+UseSerialGC"`, "-XX:+UseParallelOldGC → none",
	},
	{
		"a limit away", jvm(limits), "limits.cpu=none", `"limits":{"cpu":"2","memory"`, `"limits":{"memory"`,
		"limits.cpu: 2 → none",
	},
	{
		"resources from nothing", jvm(), "limits.memory=1Gi", `"name":"app"}`, `"resources":{"limits":{"memory":"1Gi"}}`,
		"none → 1Gi",
	},
	{
		"threads that are told", jvm(limits), "threads=120,pause=10ms", `"latency-sensitive"}`,
		`"jvm.headroom.dev/app":"threads=120 pause=10ms"`, "annotation jvm.headroom.dev/app",
	},
	{
		"a class", jvm(limits), "class=batch", `"headroom.dev/workload-class":"latency-sensitive"}`,
		`"class.headroom.dev/app":"batch"`, "class.headroom.dev/app: none → batch",
	},
	{
		"workers of a command", strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[puma, -w, "8"]`, 1), "workers=2",
		`"puma","-w","8"`, `"puma","-w","2"`, "workers: 8 → 2",
	},
	{
		"workers in a shell", strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[sh, -c, "exec puma -t 8 -w 8 -p 80"]`, 1),
		"workers=2", `puma -t 8 -w 8 -p 80`, `puma -t 8 -w 2 -p 80`, "",
	},
	{
		"workers of an option",
		strings.Replace(jvm(limits), "[java, -jar, a.jar]", "[gunicorn, --threads=8, --workers=8]", 1),
		"workers=2", `"--workers=8"`, `"--threads=8","--workers=2"`, "",
	},
	{
		"workers of a variable",
		strings.Replace(jvm(limits, `env: [{name: WEB_CONCURRENCY, value: "8"}]`), "[java, -jar, a.jar]", "[puma]", 1),
		"workers=2", `"WEB_CONCURRENCY","value":"8"`, `"WEB_CONCURRENCY","value":"2"`, "",
	},
}

func TestApply(t *testing.T) {
	for _, c := range tried {
		t.Run(c.name, func(t *testing.T) {
			now, then, done := applied(t, c.manifest, c.change)
			if !strings.Contains(now, c.now) || !strings.Contains(then, c.then) {
				t.Errorf("want %s to become %s, got\n%s\n%s", c.now, c.then, now, then)
			}
			if c.now == c.then || !strings.Contains(strings.Join(done, "\n"), c.says) {
				t.Errorf("says %q, not %q", done, c.says)
			}
		})
	}
}

// applied makes changes to the first document of a manifest, the rest standing around it.
func applied(t *testing.T, manifest, change string) (now, then string, done []string) {
	t.Helper()
	var object map[string]any
	documents := strings.Split(manifest, "\n---\n")
	if err := yaml.Unmarshal([]byte(documents[0]), &object); err != nil {
		t.Fatal(err)
	}
	var maps []map[string]any
	for _, document := range documents[1:] {
		var m map[string]any
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	around, err := engine.NewContext("shop", map[string][]map[string]any{"config_maps": maps})
	if err != nil {
		t.Fatal(err)
	}
	review := engine.Review{Manifest: object, Around: around}
	e, err := defaults.Engine(t).Explain(t.Context(), review, engine.ExplainOptions{})
	if err != nil || len(e) != 1 {
		t.Fatal(len(e), err)
	}
	before, _ := json.Marshal(object)
	known, err := collectors(t.Context(), defaults.Engine(t))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := newTrial(object, &e[0], known)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range changes(t, change) {
		if err := trial.apply(one); err != nil {
			t.Fatal(err)
		}
	}
	if untouched, _ := json.Marshal(object); string(untouched) != string(before) {
		t.Error("the manifest itself was changed")
	}
	after, _ := json.Marshal(trial.manifest)
	for _, step := range trial.done {
		done = append(done, step.words())
	}
	return string(before), string(after), done
}

func TestApplyRefuses(t *testing.T) {
	secret := "env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {secretKeyRef: {name: s, key: k}}}]"
	for _, c := range []struct{ name, manifest, change, says string }{
		{"a Secret", jvm(limits, secret), "gc-threads=4", "Secret"},
		{"a whole Secret", jvm(limits, "envFrom: [{secretRef: {name: s}}]"), "gc-threads=4", ""},
		{"no JVM", strings.Replace(jvm(limits), "[java, -jar, a.jar]", "[nginx]", 1), "-Xmx1g", "no JVM is known"},
		{"two collectors", jvm(limits), "-XX:+UseSerialGC,-XX:+UseG1GC", "twice"},
		{"no pool", jvm(limits), "workers=4", "no worker pool"},
		{"no class", jvm(limits), "class=bach", "batch"},
		{
			"what is put together", jvm(limits, "env: [{name: HEAP, value: 3g}, {name: JAVA_TOOL_OPTIONS, value: -Xmx$(HEAP)}]"),
			"heap=1g", "put together",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explained(t, c.manifest, Options{WhatIf: changes(t, c.change)})
			if c.says == "" {
				if len(r.Problems) != 0 {
					t.Errorf("problems %v", r.Problems)
				}
				return
			}
			if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, c.says) {
				t.Errorf("problems %v, want one with %q", r.Problems, c.says)
			}
			if len(r.Workloads) != 1 || r.Workloads[0].Containers[0].WhatIf != nil {
				t.Error("the rest is not explained as it is")
			}
		})
	}
}
