package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// sizedPod is a Pod of one container, and what was measured of it.
func sizedPod(class string, container map[string]any, annotations map[string]any) map[string]any {
	all := map[string]any{"headroom.dev/workload-class": class, "runtime.headroom.dev/app": "native"}
	for key, value := range annotations {
		all[key] = value
	}
	container["name"] = "app"
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "cart", "annotations": all},
		"spec": map[string]any{"containers": []any{container}},
	}
}

func use(average, peak, memory string) map[string]Measured {
	const week = 7 * 24 * time.Hour
	return map[string]Measured{"app": {
		Source: "Prometheus", Window: week, Seen: week, Samples: 2016, Age: time.Minute,
		CPUAverage: average, CPUPeak: peak, MemoryPeak: memory, Periods: -1, Throttled: -1, ThrottledSeconds: -1,
		ThrottledLong: -1, CPUWaiting: -1, Observed: -1, OOMKills: -1, Restarts: -1, ProbeKills: -1, MemoryGrowth: -1,
	}}
}

func resources(cpu, cpuLimit, memory string) map[string]any {
	limits := map[string]any{"memory": memory}
	if cpuLimit != "" {
		limits["cpu"] = cpuLimit
	}
	return map[string]any{"requests": map[string]any{"cpu": cpu, "memory": memory}, "limits": limits}
}

func TestSize(t *testing.T) {
	e := newEngine(t)
	pod := sizedPod("batch", map[string]any{"resources": resources("2", "", "2Gi")}, nil)
	sizing, err := e.Size(t.Context(), Review{Manifest: pod, Measured: use("1", "1500m", "800Mi")})
	if err != nil || len(sizing.Containers) != 1 {
		t.Fatalf("%+v, %v", sizing, err)
	}
	c := sizing.Containers[0]
	var got []SizedValue
	for _, v := range c.Values {
		v.Why = ""
		got = append(got, v)
	}
	want := []SizedValue{
		{"requests.cpu", "2", "1", ""},
		{"limits.cpu", "", "2", ""},
		{"requests.memory", "2Gi", "1000Mi", ""},
		{"limits.memory", "2Gi", "1000Mi", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if c.Before != (Reserved{2000, 2 << 30}) || c.After != (Reserved{1000, 1000 << 20}) {
		t.Errorf("reserved %v, %v", c.Before, c.After)
	}
	if !c.Confidence.Known || c.Confidence.Days != 7 || c.Confidence.Samples != 2016 || c.Confidence.LeftOut != "none" {
		t.Errorf("confidence %+v", c.Confidence)
	}
	if len(sizing.Patch) != 4 || len(sizing.Remains) > 0 {
		t.Errorf("patch %v, remains %v", sizing.Patch, sizing.Remains)
	}
	if text := pod["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["resources"]; text == nil ||
		text.(map[string]any)["requests"].(map[string]any)["cpu"] != "2" {
		t.Errorf("the manifest was changed: %v", text)
	}
}

func TestSizeOfNonsense(t *testing.T) {
	e := newEngine(t)
	for _, manifest := range []map[string]any{
		nil,
		{},
		{"kind": "Pod"},
		{"apiVersion": "v1", "kind": "Pod", "spec": "a"},
		{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{"containers": []any{"a", nil, map[string]any{"name": 3}}}},
		sizedPod("cron", map[string]any{"resources": []any{}}, nil), sizedPod("", map[string]any{"resources": "a"}, nil),
		sizedPod("batch", map[string]any{"resources": resources("-1", "x", "1e30")}, nil),
	} {
		sizing, err := e.Size(t.Context(), Review{Manifest: manifest, Measured: use("1", "2", "1Gi")})
		if err != nil {
			t.Errorf("%v: %v", manifest, err)
		}
		if len(sizing.Containers) == 0 && manifest["metadata"] != nil {
			t.Errorf("%v: nothing is said of its container", manifest)
		}
	}
}

// sizedRules are those that nothing is left of once a container has what was sized.
var sizedRules = map[string]bool{
	"HR201": true, "HR202": true, "HR203": true, "HR204": true, "HR205": true, "HR206": true, "HR207": true,
	"HR301": true, "HR302": true, "HR303": true, "HR304": true, "HR305": true, "HR402": true,
}

// toldOf is what a JVM tells of a heap: the share of it that is live, and that of the time in collections.
func toldOf(heap, live, collections float64) Runtime {
	return Runtime{
		Exporter: "Micrometer", Kind: "jvm", Samples: 2016, Seen: 7 * 24 * time.Hour, HeapMax: heap, Live: live * heap, GCShare: collections,
	}
}

// A heap that a word of the command sets is set there, so that the limit beside it is enough.
func TestSizeSetsTheHeapOfACommand(t *testing.T) {
	measured := use("100m", "100m", "700Mi")
	m := measured["app"]
	m.Runtime = toldOf(1<<30, 0.1, 0.01)
	measured["app"] = m
	pod := sizedPod("latency-sensitive", map[string]any{
		"command": []any{"java", "-Xmx1g", "-jar", "a.jar"}, "resources": resources("100m", "", "2Gi"),
	}, map[string]any{"runtime.headroom.dev/app": "jvm version=21"})
	sizing, err := newEngine(t).Size(t.Context(), Review{Manifest: pod, Measured: measured})
	if err != nil || sizing.Object == nil {
		t.Fatal(sizing, err)
	}
	c := sizing.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	words := fmt.Sprint(c["command"])
	for _, v := range sizing.Containers[0].Values {
		if v.Name == "-Xmx" && v.Wanted != "1024m" && strings.Contains(words, " -Xmx"+v.Wanted+" ") {
			return
		}
	}
	t.Errorf("%v with %s", sizing.Containers[0].Values, words)
}

// TestSizeConverges: what is sized passes lint, and is sized no further. Where a value is not given, the reason is.
func TestSizeConverges(t *testing.T) {
	e := newEngine(t)
	random := rand.New(rand.NewPCG(search.Seed(t, 7), 11))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	milli := func(least, most int) string { return strconv.Itoa(least+random.IntN(most-least)) + "m" }
	tried := 0
	rounds := search.Rounds(1500)
	for range rounds {
		average := 10 + random.IntN(2000)
		measured := use(strconv.Itoa(average)+"m", strconv.Itoa(average+random.IntN(2000))+"m", strconv.Itoa(20+random.IntN(3000))+"Mi")
		m := measured["app"]
		m.OOMKills, m.Samples = random.IntN(2), 61+random.IntN(2000)
		measured["app"] = m
		container := map[string]any{"resources": resources(milli(1, 3000), pick("", milli(1, 4000)), strconv.Itoa(50+random.IntN(5000))+"Mi")}
		annotations := map[string]any{"headroom.dev/cpu-allocation": pick("", "4")}
		switch random.IntN(4) {
		case 0:
			container["image"] = "eclipse-temurin:17" // what it sets is known
			heap := 100 + random.IntN(3000)
			container["command"] = []any{"java", "-Xmx" + strconv.Itoa(heap) + "m", "-jar", "a.jar"}
			if random.IntN(2) == 0 {
				m.Runtime = toldOf(float64(heap<<20), random.Float64()*0.9, random.Float64()/5)
				measured["app"] = m
			}
			annotations["runtime.headroom.dev/app"] = "jvm version=" + pick("8u312", "11", "17", "21")
		case 1:
			container["image"] = "eclipse-temurin:17"
			container["command"] = []any{"java", "-XX:MaxRAMPercentage=" + pick("25.0", "50.0", "75.0", "90.0"), "-jar", "a.jar"}
			annotations["runtime.headroom.dev/app"] = "jvm version=17"
		case 2:
			annotations["runtime.headroom.dev/app"] = "go version=" + pick("1.20", "1.25")
		}
		pod := sizedPod(pick("latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"), container, annotations)
		first, err := e.Size(t.Context(), Review{Manifest: pod, Measured: measured})
		if err != nil {
			t.Fatal(err)
		}
		object := first.Object
		if object == nil {
			object = pod
		}
		again, err := e.Size(t.Context(), Review{Manifest: object, Measured: measured})
		if err != nil {
			t.Fatal(err)
		}
		if again.Patch != nil {
			t.Errorf("%v\nsized to %v\nis sized again: %v", pod, object, again.Patch)
		}
		if len(first.Containers[0].Unsized) > 0 {
			continue
		}
		tried++
		for _, f := range first.Remains {
			if sizedRules[f.Rule] {
				t.Errorf("%v\nsized to %v has %s: %s %s", pod, object, f.Rule, f.Message, f.Expected)
			}
		}
	}
	if tried < rounds/10 {
		t.Errorf("only %d were sized in all values", tried)
	}
}

// What sizes is total, as the rules are: each container that runs gets its sizes, or the reason why not, whatever the
// manifest is and whatever was measured.
func TestSizeTotalOnBrokenManifests(t *testing.T) {
	e := newEngine(t)
	var seeds []any
	for _, class := range []string{"latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"} {
		for _, command := range [][]any{nil, {"java", "-Xmx512m", "-jar", "a.jar"}, {"gunicorn", "--workers=8", "a"}} {
			pod := sizedPod(class, map[string]any{"resources": resources("1", "2", "1Gi"), "command": command}, nil)
			seeds = append(seeds, map[string]any{"manifest": pod, "scaler": map[string]any{
				"metadata": map[string]any{"name": "cart"},
				"spec": map[string]any{
					"scaleTargetRef": map[string]any{"kind": "Pod", "name": "cart"},
					"metrics": []any{map[string]any{"type": "Resource", "resource": map[string]any{
						"name": "cpu", "target": map[string]any{"averageUtilization": 50.0},
					}}},
				},
			}})
		}
	}
	told := map[string]bool{}
	seed := search.Seed(t, usualSeed)
	for round := range search.Rounds(4000) {
		random := rand.New(rand.NewPCG(seed, uint64(round)))
		input := DeepCopy(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(3) {
			breakOne(random, &input)
		}
		object, _ := input.(map[string]any)
		manifest, _ := object["manifest"].(map[string]any)
		scaler, _ := object["scaler"].(map[string]any)
		around, err := NewContext("", map[string][]map[string]any{"autoscalers": {scaler}})
		if err != nil {
			t.Fatal(err)
		}
		measured := use("1", "1500m", []string{"", "800Mi", "2Gi"}[random.IntN(3)])
		m := measured["app"]
		m.OOMKills, m.MemoryGrowth, m.Samples = random.IntN(2), float64(random.IntN(2)*(1<<28)), random.IntN(100)
		measured["app"] = m
		review := Review{Manifest: manifest, Around: around, Measured: measured}
		sizing, err := e.Size(t.Context(), review)
		if err != nil {
			if !told[err.Error()] {
				t.Errorf("round %d: %v\n%v", round, err, input)
			}
			told[err.Error()] = true
			continue
		}
		explained, err := e.Explain(t.Context(), review, ExplainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		running := 0
		for i := range explained {
			if explained[i].Skipped == "" && explained[i].Role != "init" {
				running++
			}
		}
		if len(sizing.Containers) != running && manifest["kind"] == any("Pod") {
			t.Errorf("round %d: %d of %d containers have sizes\n%v", round, len(sizing.Containers), running, input)
		}
	}
}
