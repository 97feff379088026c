package engine

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// prometheus is use as it is read from there, over a week.
func prometheus(average, peak, memory string) Measured {
	return Measured{
		Source: "Prometheus", Window: 7 * 24 * time.Hour, Samples: 10080, Age: 40 * time.Second,
		CPUAverage: average, CPUPeak: peak, MemoryPeak: memory,
		Periods: -1, Throttled: -1, ThrottledSeconds: -1, OOMKills: -1, Restarts: -1,
	}
}

const byPrometheus = "measured by Prometheus: 10 080 samples over 7d, newest 40s old"

// A batch JVM, a sidecar that is annotated, and an init container.
const workload = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "orders", "namespace": "shop"},
"spec": {"template": {"metadata": {"annotations": {
	"headroom.dev/workload-class": "batch", "class.headroom.dev/proxy": "sidecar",
	"cpu-average.headroom.dev/app": "500m", "memory-peak.headroom.dev/app": "1Gi",
	"cpu-average.headroom.dev/proxy": "100m", "cpu-peak.headroom.dev/proxy": "200m"}},
"spec": {"containers": [
	{"name": "app", "command": ["java", "-Xmx1g", "-XX:MaxMetaspaceSize=128m", "-XX:MaxDirectMemorySize=128m",
		"-XX:ReservedCodeCacheSize=128m", "-Xss512k", "-jar", "app.jar"],
	 "resources": {"requests": {"cpu": "500m", "memory": "2Gi"}, "limits": {"cpu": "1", "memory": "2Gi"}}},
	{"name": "proxy",
	 "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "200m", "memory": "64Mi"}}}],
"initContainers": [
	{"name": "migrate",
	 "resources": {"requests": {"cpu": "1", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "64Mi"}}}]
}}}}`

// asked gives what is found under "rule container", and the details by container.
func asked(t *testing.T, e *Engine, measured map[string]Measured) (map[string]Finding, map[string]Detail) {
	t.Helper()
	review := Review{Manifest: decodeJSON(t, workload).(map[string]any), Measured: measured}
	result, err := e.Evaluate(t.Context(), review)
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.Details(t.Context(), review)
	if err != nil {
		t.Fatal(err)
	}
	found, details := map[string]Finding{}, map[string]Detail{}
	for _, f := range result.Findings {
		found[f.Rule+" "+f.Container] = f
	}
	var inResult, inDetails []string
	for _, c := range result.Objects[0].Containers {
		inResult = append(inResult, c.Name)
	}
	for _, d := range list {
		details[d.Container] = d
		inDetails = append(inDetails, d.Container)
	}
	if !slices.Equal(inResult, inDetails) {
		t.Errorf("details of %v beside verdicts on %v", inDetails, inResult)
	}
	return found, details
}

func TestMeasuredTakesThePlaceOfAnnotations(t *testing.T) {
	e := newEngine(t)
	found, details := asked(t, e, nil)
	for _, silent := range []string{"HR203 app", "HR204 app", "HR305 app", "HR205 proxy"} {
		if f, ok := found[silent]; ok {
			t.Errorf("without a measurement: %+v", f)
		}
	}
	if d := details["app"]; d.Evidence != "" || d.CPU.Average != 500 || d.Memory.Peak != 1<<30 {
		t.Errorf("as annotated: %+v", d)
	}

	app := prometheus("1200m", "1900m", "1900Mi")
	app.Periods, app.Throttled, app.OOMKills = 1000, 100, 3
	found, details = asked(t, e, map[string]Measured{
		"app": app, "proxy": prometheus("", "450m", ""), "migrate": prometheus("2", "2", ""),
	})
	for rule, want := range map[string]string{
		"HR203 app": "requests.cpu is 500m; its average use is 1200m (" + byPrometheus + ").",
		"HR204 app": "limits.cpu is 1; its average use is 1200m (" + byPrometheus + ").",
		"HR305 app": "The peak is 1900Mi of a limit of 2Gi (" + byPrometheus +
			"): 92.8 %, and 80 % is the most that leaves room. Less than 10 % of the limit is left. At the limit it is OOMKilled, as it did 3 times in 7d.",
		"HR205 proxy": "limits.cpu is 200m; its peak is 450m (" + byPrometheus + ").",
	} {
		f := found[rule]
		if !strings.HasPrefix(f.Message, want) {
			t.Errorf("%s says %q\nnot %q", rule, f.Message, want)
		}
		evidence := map[string]any{
			"source": "Prometheus", "window_seconds": 604800.0, "samples": 10080.0, "age_seconds": 40.0,
		}
		if !reflect.DeepEqual(f.Figures["measured"], evidence) {
			t.Errorf("%s has figures %v", rule, f.Figures)
		}
	}
	// No row judges an init container.
	if f, ok := found["HR203 migrate"]; ok {
		t.Errorf("%+v", f)
	}
	d := details["app"]
	if want := (CPUDetail{
		Request: 500, Limit: 1000, Average: 1200, Peak: 1900, Cores: 1, WantedRequest: 1200, WantedLimit: 2400,
	}); d.CPU != want {
		t.Errorf("CPU %+v\nnot %+v", d.CPU, want)
	}
	if want := (MemoryDetail{Request: 2 << 30, Limit: 2 << 30, Peak: 1900 << 20}); d.Memory != want {
		t.Errorf("memory %+v, not %+v", d.Memory, want)
	}
	// 148 of 2048 MiB are left, an exact binary fraction.
	if want := (Harm{OOMKills: 3, ThrottledCores: 0.05, HeadroomLeft: 148.0 / 2048}); d.Harm != want {
		t.Errorf("harm %+v, not %+v", d.Harm, want)
	}
	if d.Evidence != byPrometheus {
		t.Errorf("evidence %q", d.Evidence)
	}
	// The average of the sidecar is its annotation's still.
	if want := (CPUDetail{
		Request: 100, Limit: 200, Average: 100, Peak: 450, Cores: 1, WantedRequest: 100, WantedLimit: 450,
	}); details["proxy"].CPU != want {
		t.Errorf("proxy %+v\nnot %+v", details["proxy"].CPU, want)
	}
	if cpu := details["migrate"].CPU; cpu.Average != 2000 || cpu.WantedRequest != -1 || cpu.WantedLimit != -1 {
		t.Errorf("migrate %+v", cpu)
	}
}

func TestTooFewOrTooOldSamplesAreUnknown(t *testing.T) {
	e := newEngine(t)
	few, old := prometheus("1200m", "1900m", "1900Mi"), prometheus("1200m", "1900m", "1900Mi")
	few.Samples, few.OOMKills = 12, 2
	old.Age = 50 * time.Hour
	for doubt, measured := range map[string]Measured{
		"Prometheus has 12 samples, at least 60 are wanted":                  few,
		"the newest sample of Prometheus is 2.1d old, at most 24h is wanted": old,
	} {
		found, details := asked(t, e, map[string]Measured{"app": measured})
		for _, silent := range []string{"HR203 app", "HR204 app", "HR305 app"} {
			if f, ok := found[silent]; ok {
				t.Errorf("%s: %+v", doubt, f)
			}
		}
		d := details["app"]
		if d.Evidence != doubt || d.CPU.Average != 500 || d.Memory.Peak != 1<<30 {
			t.Errorf("%s: %+v", doubt, d)
		}
		// A kill is a fact, however few the samples.
		if kills := max(0, measured.OOMKills); d.Harm.OOMKills != kills {
			t.Errorf("%s: %d kills, not %d", doubt, d.Harm.OOMKills, kills)
		}
	}
	lenient, err := New(t.Context(), Options{Config: map[string]any{
		"measured": map[string]any{"minSamples": 10, "maxAge": "72h"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, measured := range []Measured{few, old} {
		if _, details := asked(t, lenient, map[string]Measured{"app": measured}); details["app"].CPU.Average != 1200 {
			t.Errorf("by a lenient config: %+v", details["app"])
		}
	}
}

func TestRecommendationsOfTheVPA(t *testing.T) {
	vpa := prometheus("1200m", "", "")
	vpa.Source, vpa.Window, vpa.Samples, vpa.Age = "VerticalPodAutoscaler", 0, -1, -1
	found, details := asked(t, newEngine(t), map[string]Measured{"app": vpa})
	const want = "requests.cpu is 500m; its average use is 1200m (measured by VerticalPodAutoscaler)."
	if f := found["HR203 app"]; !strings.HasPrefix(f.Message, want) {
		t.Errorf("%q", f.Message)
	}
	if d := details["app"]; d.Evidence != "measured by VerticalPodAutoscaler" || d.Memory.Peak != 1<<30 {
		t.Errorf("%+v", d)
	}
}

func TestBudgetOfAJVM(t *testing.T) {
	_, details := asked(t, newEngine(t), nil)
	if details["proxy"].Budget != nil {
		t.Error("a proxy has no heap")
	}
	b := details["app"].Budget
	if b == nil || !b.Complete || b.LimitMiB != 2048 || len(b.Terms) != 6 {
		t.Fatalf("%+v", b)
	}
	sum := 0.0
	for _, term := range b.Terms {
		sum += term.MiB
	}
	if b.LeastMiB >= b.TotalMiB || b.BoundMiB <= b.TotalMiB {
		t.Errorf("%+v", b)
	}
	if sum != b.TotalMiB || b.LeftMiB != b.LimitMiB-sum || math.Abs(b.Headroom-b.LeftMiB/b.LimitMiB) > 1e-9 {
		t.Errorf("%+v", b)
	}
	if want := (Term{Name: "heap", MiB: 1024, LeastMiB: 1024, BoundMiB: 1024, Source: "-Xmx1g", Grade: "declared"}); b.Terms[0] != want {
		t.Errorf("%+v, not %+v", b.Terms[0], want)
	}
	stacks := Term{
		Name: "stacks", MiB: 32, LeastMiB: 2, BoundMiB: 125, Source: "250 threads of 128 KiB, assumed", Grade: "assumed", Assumed: true,
	}
	if b.Terms[4] != stacks {
		t.Errorf("%+v, not %+v", b.Terms[4], stacks)
	}
}

// What is no number, or none that JSON writes, must not stop an evaluation.
func TestMeasuredWithAnyNumbers(t *testing.T) {
	e := newEngine(t)
	for _, wrong := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -7, 1e300, 5e-324, 0} {
		m := prometheus("1200m", "1900m", "1900Mi")
		m.Periods, m.Throttled, m.ThrottledSeconds = wrong, wrong, wrong
		m.OOMKills, m.Restarts = math.MinInt, math.MaxInt
		_, details := asked(t, e, map[string]Measured{"app": m, "": {}, "none": {Age: -time.Hour, Window: -1}})
		if d := details["app"]; d.CPU.Average != 1200 || d.Harm.ThrottledCores < 0 || d.Harm.ThrottledCores > 0.5 {
			t.Errorf("%v: %+v", wrong, d)
		}
	}
}
