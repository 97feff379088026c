//go:build integration

package fix_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
	"github.com/headroom-dev/headroom/tests/harness/wanted"
)

// onMemory are the rules whose wanted is followed here.
var onMemory = []string{"HR303", "HR304", "HR305", "HR306", "HR307", "HR406"}

// followed does what each of the findings on memory wants, way by way. It says where the finding stays, or
// where another one of at least the same severity comes of it.
func followed(e *engine.Engine, g given) (int, error) {
	review, err := g.review()
	if err != nil {
		return 0, err
	}
	before, err := e.Evaluate(context.Background(), review)
	if err != nil {
		return 0, err
	}
	raw, err := json.Marshal(g.object)
	if err != nil {
		return 0, err
	}
	ways := 0
	for _, f := range before.Findings {
		if !slices.Contains(onMemory, f.Rule) {
			continue
		}
		for _, way := range wanted.Ways(f.Expected) {
			ways++
			if review.Manifest, err = decode(raw); err != nil {
				return ways, err
			}
			wanted.Follow(review.Manifest, f.Container, way)
			after, err := e.Evaluate(context.Background(), review)
			if err != nil {
				return ways, err
			}
			if way.Flags == nil && way.Facts != nil {
				if after, err = named(e, review, after, f); err != nil {
					return ways, fmt.Errorf("%s wants %q: %w", f.Rule, f.Expected, err)
				}
			}
			if err := noWorse(before, after, f); err != nil {
				then, _ := json.Marshal(review.Manifest)
				return ways, fmt.Errorf("%s wants %q, and with %v %w\n%s", f.Rule, f.Expected, way, err, then)
			}
		}
	}
	return ways, nil
}

// named follows a finding again once the annotation stands there that it asked for: then it names numbers, or is gone.
func named(e *engine.Engine, review engine.Review, annotated engine.Result, f engine.Finding) (engine.Result, error) {
	for _, now := range annotated.Findings {
		if now.Rule != f.Rule || now.Container != f.Container {
			continue
		}
		all := wanted.Ways(now.Expected)
		if len(all) != 1 || all[0].Flags == nil {
			return annotated, fmt.Errorf("with the annotation it names no number: %s", now.Expected)
		}
		wanted.Follow(review.Manifest, f.Container, all[0])
		return e.Evaluate(context.Background(), review)
	}
	return annotated, nil
}

func noWorse(before, after engine.Result, f engine.Finding) error {
	worst := map[string]int{}
	for _, b := range append(slices.Clone(before.Findings), before.Exempted...) {
		worst[b.Rule+" "+b.Container] = max(worst[b.Rule+" "+b.Container], weights[b.Severity])
		// One of the two speaks of a budget: HR304 where the heap alone is as large as the limit.
		for _, rule := range []string{"HR303", "HR304"} {
			if b.Rule == "HR303" || b.Rule == "HR304" {
				worst[rule+" "+b.Container] = max(worst[rule+" "+b.Container], weights[b.Severity])
			}
		}
	}
	for _, a := range after.Findings {
		switch {
		case worst["HR402 "+a.Container]+worst["HR401 "+a.Container] > 0 && (a.Rule == "HR403" || a.Rule == "HR404"):
			// With more memory another collector may run, and the node's cores are its threads until these are followed.
		case a.Rule == "HR406" && f.Rule == "HR307":
			// No cap changes the heap: a variable that only a JVM reads has shown that there is one.
		case a.Rule == "HR307" && f.Rule == "HR406" && a.Severity == engine.SeverityInfo:
			// A larger heap leaves less room for what has no bound. That is possible, and not expected.
		case strings.Contains(f.Message, "This does not apply if ") && a.Container == f.Container && strings.HasPrefix(a.Rule, "HR4"):
			// What a Secret may have set stands in plain text now: the rest is told of a JVM that is sure.
		case a.Rule == "HR410":
			// Where a start script makes the flag of a variable, it is overridden here, and not changed there.
		case a.Rule == f.Rule && a.Container == f.Container && a.Path == f.Path:
			return fmt.Errorf("is not rid of it: %s", a.Message)
		case weights[a.Severity] >= weights[f.Severity] && weights[a.Severity] > worst[a.Rule+" "+a.Container]:
			return fmt.Errorf("has %s, %s: %s", a.Rule, a.Severity, a.Message)
		}
	}
	return nil
}

func TestWhatIsWantedConvergesOnEveryManifest(t *testing.T) {
	e := newEngine(t, nil)
	ways := 0
	for _, g := range everything(t) {
		n, err := followed(e, g)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
		}
		ways += n
	}
	if ways < 50 {
		t.Errorf("only %d ways were followed", ways)
	}
	t.Logf("%d ways were followed", ways)
}

func TestWhatIsWantedConvergesOnAnything(t *testing.T) {
	e := newEngine(t, nil)
	ways := 0
	rapid.Check(t, func(t *rapid.T) {
		made := random.New(t)
		n, err := followed(e, given{object: made.Object, around: made.Around})
		if err != nil {
			around, _ := json.Marshal(made.Around)
			t.Fatalf("%v\n%s", err, around)
		}
		ways += n
	})
	if ways < 50 {
		t.Errorf("only %d ways were followed", ways)
	}
	t.Logf("%d ways were followed", ways)
}

// Real flags at edges, each alone and with facts, under limits at which rules for the heap and the collector change.
func TestWhatIsWantedConvergesOnJVMs(t *testing.T) {
	e := newEngine(t, nil)
	ways := 0
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		flags := strings.Join([]string{
			pick("heap", "", "", "-Xmx100m", "-Xmx333m", "-Xmx1g", "-Xmx3g", "-Xms1g", "-Xms512m -Xmx512m", "-XX:MaxRAMPercentage=30.0",
				"-XX:MaxRAMPercentage=70.0", "-XX:MaxRAMPercentage=80.0", "-XX:MaxRAMPercentage=100.0", "-XX:MinRAMPercentage=80.0",
				"-XX:MaxRAMFraction=1", "-XX:MaxRAM=2g", "-XX:-UseContainerSupport"),
			pick("collector", "", "", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC"),
			pick("direct", "", "", "-XX:MaxDirectMemorySize=0", "-XX:MaxDirectMemorySize=64m", "-XX:MaxDirectMemorySize=512m"),
			pick("metaspace", "", "", "-XX:MaxMetaspaceSize=64m", "-XX:MaxMetaspaceSize=256m"),
			pick("stack", "", "-Xss256k", "-Xss2m"),
			pick("more", "", "", "", "-Drocksdb.cache=1", "-Dio.netty.tryReflectionSetAccessible=true"),
		}, " ")
		limit := fmt.Sprint(rapid.SampledFrom([]int{1, 64, 128, 249, 250, 300, 512, 700, 1024, 1500, 1791, 1792, 2048, 8192}).Draw(t, "limit"), "Mi")
		limits, requests := map[string]any{"memory": limit}, map[string]any{"cpu": "1"}
		if cpu := pick("cpu", "", "500m", "1", "2", "4"); cpu != "" {
			limits["cpu"] = cpu
		}
		if rapid.Bool().Draw(t, "requested") {
			requests["memory"] = limit
		}
		annotations := map[string]any{
			"headroom.dev/workload-class": "batch",
			"jvm.headroom.dev/app": pick("facts", "version=17", "version=21 threads=20", "version=11 native=300Mi", "version=17 classes=30000",
				"version=8 threads=10 native=10Mi classes=500"),
		}
		// A limit for the peak may end what MinRAMPercentage decides. Then no heap is set, or a share counts.
		if peak := pick("peak", "", "", "", "500Mi", "1000Mi"); peak != "" && !strings.Contains(flags, "RAM") {
			annotations["memory-peak.headroom.dev/app"] = peak
		}
		g := given{object: map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": "app", "annotations": annotations},
			"spec": map[string]any{"containers": []any{map[string]any{
				"name": "app", "image": "registry.example.com/app:1", "command": []any{"java", "-jar", "app.jar"},
				"env":       []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": flags}},
				"resources": map[string]any{"requests": requests, "limits": limits},
			}}},
		}}
		n, err := followed(e, g)
		if err != nil {
			t.Fatal(err)
		}
		ways += n
	})
	if ways < 100 {
		t.Errorf("only %d ways were followed", ways)
	}
	t.Logf("%d ways were followed", ways)
}
