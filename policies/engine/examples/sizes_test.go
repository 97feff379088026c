package examples

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// pod has one container, of a class and with flags of a JVM, environment and resources.
func pod(class, annotations, env, requests, limits string) string {
	return fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {headroom.dev/workload-class: %s%s}}, spec: {containers: [
	{name: app, image: example.com/app:1, %s, resources: {requests: {%s}, limits: {%s}}}]}}`, class, annotations, env, requests, limits)
}

func jvm(flags, limits string) string {
	return pod("batch", ", jvm.headroom.dev/app: version=17",
		`command: [java, -jar, app.jar], env: [{name: JAVA_TOOL_OPTIONS, value: "`+flags+`"}]`, "cpu: 1", limits)
}

// seen is a Pod of which something was measured.
func seen(resources, measured string) string {
	return `{apiVersion: headroom.dev/v1alpha1, kind: Review, object: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: ` +
		`{containers: [{name: app, image: a, resources: {` + resources + `}}]}}, context: {measured: {app: ` +
		`{source: Prometheus, window_seconds: 604800, samples: 2016, age_seconds: 30, ` + measured + `}}}}`
}

// told is a JVM with 1 GiB of heap under a limit of two CPUs that tells of itself what told says.
func told(told string) string {
	return `{apiVersion: headroom.dev/v1alpha1, kind: Review, object: {apiVersion: v1, kind: Pod, metadata: {name: a, ` +
		`annotations: {headroom.dev/workload-class: batch, jvm.headroom.dev/app: version=17}}, spec: {containers: [{name: app, ` +
		`image: a, command: [java, -Xmx1g, -jar, a.jar], resources: {requests: {cpu: 1}, limits: {cpu: 2, memory: 2Gi}}}]}}, ` +
		`context: {measured: {app: {source: Prometheus, window_seconds: 604800, samples: 2016, age_seconds: 30, runtime: ` +
		`{exporter: Micrometer, samples: 2016, seen_seconds: 604800, heap_max: 1073741824, ` + told + `}}}}}`
}

// What is worse has the larger size, in the unit of the rule.
func TestSizesOfEveryRule(t *testing.T) {
	const g1 = "-Xmx512m -XX:+UseG1GC -XX:ParallelGCThreads="
	pairs := map[string][2]string{
		"HR202": {pod("latency-sensitive", "", "args: []", "cpu: 500m", "cpu: 2"), pod("latency-sensitive", "", "args: []", "cpu: 500m", "cpu: 1")},
		"HR207": {
			pod("multi-tenant", ", headroom.dev/cpu-allocation: 500m", "args: []", "cpu: 250m", "cpu: 1"),
			pod("multi-tenant", ", headroom.dev/cpu-allocation: 500m", "args: []", "cpu: 250m", "cpu: 2"),
		},
		"HR210": {jvm(g1+"16", "cpu: 2, memory: 2Gi"), jvm(g1+"32", "cpu: 2, memory: 2Gi")},
		"HR302": {pod("batch", "", "args: []", "memory: 768Mi", "memory: 1Gi"), pod("batch", "", "args: []", "memory: 512Mi", "memory: 1Gi")},
		"HR303": {jvm("-Xmx700m", "memory: 1Gi"), jvm("-Xmx900m", "memory: 1Gi")},
		"HR304": {jvm("-Xmx1g", "memory: 1Gi"), jvm("-Xmx2g", "memory: 1Gi")},
		"HR305": {
			pod("batch", ", memory-peak.headroom.dev/app: 900Mi", "args: []", "memory: 1Gi", "memory: 1Gi"),
			pod("batch", ", memory-peak.headroom.dev/app: 1000Mi", "args: []", "memory: 1Gi", "memory: 1Gi"),
		},
		"HR402": {
			jvm("-XX:ActiveProcessorCount=8", "cpu: 2, memory: 1Gi"),
			jvm("-XX:ActiveProcessorCount=8", "cpu: 1, memory: 1Gi"),
		},
		"HR403": {jvm(g1+"8", "cpu: 2, memory: 1Gi"), jvm(g1+"16", "cpu: 2, memory: 1Gi")},
		"HR404": {
			jvm(g1+"4 -XX:ConcGCThreads=3", "cpu: 2, memory: 1Gi"),
			jvm(g1+"4 -XX:ConcGCThreads=4", "cpu: 2, memory: 1Gi"),
		},
		"HR405": {
			jvm("-XX:CICompilerCount=8", "cpu: 4, memory: 1Gi"),
			jvm("-XX:CICompilerCount=8", "cpu: 2, memory: 1Gi"),
		},
		"HR502": {
			pod("batch", "", "command: [gunicorn, -w, '8', app]", "cpu: 1", "cpu: 2"),
			pod("batch", "", "command: [gunicorn, -w, '8', app]", "cpu: 1", "cpu: 1"),
		},
		"HR602": {
			seen("limits: {cpu: 2}", "periods: 1000, throttled: 60"), seen("limits: {cpu: 2}", "periods: 1000, throttled: 300"),
		},
		"HR609": {told("live: 805306368"), told("live: 966367641")},
		"HR610": {told("live: 104857600, gc_share: 0.01"), told("live: 52428800, gc_share: 0.01")},
		"HR611": {told("processors: 16"), told("processors: 64")},
		"HR612": {
			seen("limits: {memory: 1Gi}", "runtime: {exporter: a, kind: dotnet, samples: 2016, floor: 671088640}"),
			seen("limits: {memory: 1Gi}", "runtime: {exporter: a, kind: dotnet, samples: 2016, floor: 771751936}"),
		},
		"HR613": {told("direct: 998244352"), told("direct: 1067450368")},
		"HR615": {told("code_cache: 228170137"), told("code_cache: 247463936")},
		"HR614": {told("threads: 100, threads_rise: 5"), told("threads: 100, threads_rise: 20")},
		"HR504": {
			pod("batch", "", "command: [node, --max-old-space-size=1024, a.js]", "memory: 1Gi", "memory: 1Gi"),
			pod("batch", "", "command: [node, --max-old-space-size=2048, a.js]", "memory: 1Gi", "memory: 1Gi"),
		},
	}
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	size := func(rule engine.Rule, text string) float64 {
		var said []string
		for _, f := range judge(t, e, text).Findings {
			said = append(said, f.Rule)
			if f.Rule == rule.ID && f.Size != nil {
				if f.Size.Unit != rule.Size {
					t.Errorf("%s: unit %q, not %q", rule.ID, f.Size.Unit, rule.Size)
				}
				return f.Size.Value
			}
		}
		t.Errorf("%s has no size among %s\n%s", rule.ID, strings.Join(said, " "), text)
		return 0
	}
	for _, rule := range rules {
		pair, there := pairs[rule.ID]
		if there != (rule.Size != "") {
			t.Errorf("%s is measured in %q, and two sizes are compared: %t", rule.ID, rule.Size, there)
		}
		if !there {
			continue
		}
		if less, more := size(rule, pair[0]), size(rule, pair[1]); less <= 0 || more <= less*1.05 {
			t.Errorf("%s: %g and then %g %s", rule.ID, less, more, rule.Size)
		} else {
			t.Logf("%s: %g and then %g %s", rule.ID, less, more, rule.Size)
		}
	}
}
