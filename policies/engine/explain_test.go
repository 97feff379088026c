package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/plan"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// explainedPod has T2's JVM, and a pool of workers (T12).
var explainedPod = map[string]any{
	"apiVersion": "v1", "kind": "Pod",
	"metadata": map[string]any{"name": "cart", "annotations": map[string]any{
		"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "1",
		"jvm.headroom.dev/app": "version=17 pause=18ms",
	}},
	"spec": map[string]any{
		"containers": []any{
			map[string]any{
				"name": "app", "image": "eclipse-temurin:17",
				"command":   []any{"java", "-XX:ParallelGCThreads=25", "-Xmx1g", "-Dpassword=hunter2", "-jar", "cart.jar"},
				"env":       []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:MaxRAMPercentage=75.0"}},
				"resources": map[string]any{"limits": map[string]any{"cpu": "2", "memory": "4Gi"}},
			},
			map[string]any{
				"name": "web", "command": []any{"gunicorn", "-w", "8"},
				"resources": map[string]any{"limits": map[string]any{"cpu": "1", "memory": "1Gi"}},
			},
		},
		"ephemeralContainers": []any{map[string]any{"name": "debug"}},
	},
}

func TestExplain(t *testing.T) {
	e := newEngine(t)
	found, err := e.Explain(context.Background(), Review{Manifest: explainedPod}, ExplainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 {
		t.Fatalf("%d containers explained", len(found))
	}
	app, web, debug := found[0], found[1], found[2]
	if app.Container != "app" || app.Budget == nil || app.Path != "/spec/containers/0" || app.Class != "batch" {
		t.Errorf("app: %+v", app)
	}
	if line := (ResourceLine{"requests.cpu", "2", "its own limit, since it has no request"}); app.Resources[0] != line {
		t.Errorf("resources: %+v", app.Resources)
	}
	lost := FlagLine{
		Name: "MaxRAMPercentage", Text: "-XX:MaxRAMPercentage=75.0", Source: "JAVA_TOOL_OPTIONS",
		Path: "/spec/containers/0/env/0/value", Note: "-Xmx1g (command line) wins, in whatever order they stand",
	}
	if len(app.Flags) != 3 || app.Flags[0] != lost || !app.Flags[1].Wins || app.PropertiesHidden != 1 {
		t.Errorf("flags: %+v, %d", app.Flags, app.PropertiesHidden)
	}
	if app.JVM == nil || app.JVM.MaxHeapMiB != (ValueLine{"1024", "-Xmx1g (command line)"}) {
		t.Errorf("JVM: %+v", app.JVM)
	}
	if b := app.Burst; b == nil || b.UsedMS != 550 || b.QuotaMS != 200 || b.ThrottleMS != 350 || b.StallMS != 193.5 {
		t.Errorf("burst: %+v", b)
	}
	if web.JVM != nil || web.Pool == nil || web.Pool.Workers != 8 || web.Workers.ThrottleMS != 87.5 {
		t.Errorf("web: %+v", web)
	}
	if !strings.HasPrefix(web.Passing.Block, "resources:\n") || web.Passing.LargestHeapMiB.Why != "no JVM" {
		t.Errorf("passing: %+v", web.Passing)
	}
	if debug.Container != "debug" || debug.Skipped == "" {
		t.Errorf("debug: %+v", debug)
	}
	if text, _ := json.Marshal(found); strings.Contains(string(text), "hunter2") {
		t.Error("a system property is shown")
	}
}

func TestExplainWhatIsAskedFor(t *testing.T) {
	o := ExplainOptions{PauseMS: 10, PeriodMS: 20, Workers: 2}
	around := &Context{Namespace: "news"}
	found, err := newEngine(t).Explain(context.Background(), Review{Manifest: explainedPod, Around: around}, o)
	if err != nil {
		t.Fatal(err)
	}
	if b := found[0].Burst; b.PauseMS != 10 || b.QuotaMS != 40 || b.PeriodMS != 20 || math.Abs(b.StallMS-111.2) > 0.001 {
		t.Errorf("burst: %+v", b)
	}
	if w := found[1].Workers; w.Threads != 2 || w.QuotaMS != 20 || w.ThrottleMS != 10 {
		t.Errorf("workers: %+v", w)
	}
}

// What explains is total, as the rules are: see TestTotalOnBrokenManifests.
func TestExplainTotalOnBrokenManifests(t *testing.T) {
	e := newEngine(t)
	seeds := append(manifests(t, os.DirFS("../rego/headroom/rules")), any(explainedPod))
	seeds = append(seeds, withMeasurements(seeds)...)
	breaks(t, seeds, search.Seed(t, usualSeed), int64(search.Rounds(7000)), func(input any) error { return explains(e, input) })
}

// explains asks for any input, and checks that each container has its explanation.
func explains(e *Engine, input any) error {
	value, err := plan.FromGo(input)
	if err != nil {
		return fmt.Errorf("convert the input: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	details, err := e.detail(ctx, value)
	if err != nil {
		return err
	}
	found, err := e.explanations(ctx, value, ExplainOptions{})
	if err != nil {
		return err
	}
	judged := 0
	for _, x := range found {
		switch {
		case x.Skipped != "":
			continue
		case judged >= len(details) || x.Container != details[judged].Container:
			return errors.New("the explanations are not in the order of the details")
		case len(x.Resources) != 4 || x.Passing.Block == "" && x.Passing.BlockNote == "":
			return fmt.Errorf("half an explanation: %+v", x)
		}
		judged++
	}
	if judged != len(details) {
		return fmt.Errorf("%d explanations of %d containers", judged, len(details))
	}
	if text, _ := json.Marshal(found); strings.Contains(string(text), "%!") {
		return fmt.Errorf("badly worded: %s", text)
	}
	return nil
}
