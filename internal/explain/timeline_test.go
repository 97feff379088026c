package explain

import (
	"math"
	"strings"
	"testing"
	"time"
)

// drawn gives the timeline of the only container.
func drawn(t *testing.T, manifest string, o Options) *Timeline {
	t.Helper()
	o.Timeline = true
	r := explained(t, manifest, o)
	if len(r.Problems) > 0 || len(r.Workloads) != 1 || len(r.Workloads[0].Containers) != 1 {
		t.Fatalf("%+v", r)
	}
	return r.Workloads[0].Containers[0].Timeline
}

const gc25 = "env: [{name: JAVA_TOOL_OPTIONS, value: -XX:ParallelGCThreads=25}]"

// TestTimeline holds the workload's own figures to the arithmetic of T3: what is left of the quota,
// divided by the threads, is when everything stands still.
func TestTimeline(t *testing.T) {
	// 8 threads use 70 ms, the average of a period; of 200 ms 130 are left for 25 threads.
	line := drawn(t, jvm(limits, gc25), Options{})
	at := 8.75 + 130.0/25
	frozen := -1.0
	for _, s := range line.Result.Segments {
		if s.Frozen && frozen < 0 {
			frozen = milliseconds(s.From)
		}
	}
	if math.Abs(frozen-at) > 0.001 {
		t.Errorf("frozen at %v ms, not %v", frozen, at)
	}
	if end := milliseconds(line.Result.Finished[1]); math.Abs(end-206.8) > 0.001 || line.Result.Throttled != 2 {
		t.Errorf("done at %v ms after %d throttled periods", end, line.Result.Throttled)
	}
	assumed := strings.Join(line.Assumed, "; ")
	says(t, assumed, "a pause of 20 ms", "8 application threads", "25 processors free")
}

// TestTimelineOfT3 is the case of the facts: 18 ms of 8 threads, then 25 threads for 20 ms.
func TestTimelineOfT3(t *testing.T) {
	manifest := strings.Replace(jvm(limits, gc25), "headroom.dev/cpu-average: 700m", `headroom.dev/cpu-average: "1.44"`, 1)
	line := drawn(t, manifest, Options{Pause: 20 * time.Millisecond, Workers: 8})
	if at := line.Loads[1].Start; at != 18*time.Millisecond {
		t.Errorf("the collection begins at %s", at)
	}
	for _, s := range line.Result.Segments {
		if s.Frozen {
			if s.From != 20240*time.Microsecond {
				t.Errorf("frozen at %s, not 20.24 ms", s.From)
			}
			break
		}
	}
	if len(line.Assumed) != 1 {
		t.Errorf("assumes %q though threads and pause were given", line.Assumed)
	}
}

func TestTimelineWithoutLimit(t *testing.T) {
	line := drawn(t, jvm("resources: {requests: {cpu: '1', memory: 4Gi}, limits: {memory: 4Gi}}", gc25), Options{})
	if line.Quota != 0 || line.Result.Frozen != 0 || line.Result.Finished[1]-line.Loads[1].Start != 20*time.Millisecond {
		t.Errorf("%+v", line.Result)
	}
	var out strings.Builder
	r := explained(t, jvm("resources: {requests: {cpu: '1'}}", gc25), Options{Timeline: true})
	if err := writeText(&out, r, false, 100); err != nil {
		t.Fatal(err)
	}
	says(t, out.String(), "Without a CPU limit nothing is frozen")
}

func TestTimelineOfOtherPeriods(t *testing.T) {
	line := drawn(t, jvm(limits, gc25), Options{Period: 20 * time.Millisecond})
	if line.Quota != 40*time.Millisecond || line.Period != 20*time.Millisecond {
		t.Errorf("quota %s in %s", line.Quota, line.Period)
	}
	// The average is a share of the period: 14 ms of 20.
	if line.Loads[0].Work != 1750*time.Microsecond {
		t.Errorf("each thread works %s", line.Loads[0].Work)
	}
	words := cpuWords(t, jvm(limits, gc25), Options{Period: 20 * time.Millisecond})
	says(t, strings.Join(words, "\n"), "40 ms of CPU time in each 20 ms")
}

func cpuWords(t *testing.T, manifest string, o Options) []string {
	t.Helper()
	var list []string
	for _, line := range cpuLines(&explained(t, manifest, o).Workloads[0].Containers[0].Explanation) {
		list = append(list, line[1])
	}
	return list
}

// TestTimelineOfPools: 8 workers on a limit of 2 use up 200 ms in 25 (T12).
func TestTimelineOfPools(t *testing.T) {
	line := drawn(t, strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[puma, -w, "8"]`, 1), Options{})
	if s := line.Result.Segments[1]; !s.Frozen || s.From != 25*time.Millisecond || s.To != 100*time.Millisecond {
		t.Errorf("%+v", line.Result.Segments)
	}
	if line = drawn(t, strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[nginx]`, 1), Options{}); line.Missing == "" {
		t.Error("draws threads of which nothing is known")
	}
	line = drawn(t, strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[nginx]`, 1), Options{Workers: 4})
	if line.Missing != "" || line.Loads[0].Threads != 4 {
		t.Errorf("%+v", line)
	}
}

// The serial collector is one thread; with it the JVM of a small container is drawn too.
func TestTimelineOfSerial(t *testing.T) {
	serial := "env: [{name: JAVA_TOOL_OPTIONS, value: -XX:+UseSerialGC}]"
	line := drawn(t, jvm(limits, serial), Options{})
	if line.Missing != "" || line.Loads[1].Threads != 1 {
		t.Errorf("%s %+v", line.Missing, line.Loads)
	}
	says(t, drawn(t, jvm(limits, strings.Replace(serial, "Serial", "Epsilon", 1)), Options{}).Missing, "Epsilon")
	line = drawn(t, jvm(limits, strings.Replace(gc25, "25", "9000", 1)), Options{})
	says(t, line.Missing, "9000 threads")
}

// TestTimelineOfAbsurdFigures: whatever is annotated or asked, there is a drawing or a reason.
func TestTimelineOfAbsurdFigures(t *testing.T) {
	for _, average := range []string{"9E", "9000", "1n"} {
		manifest := strings.Replace(jvm(limits, gc25), "cpu-average: 700m", `cpu-average: "`+average+`"`, 1)
		for _, o := range []Options{{}, {Pause: 1e15}, {Workers: math.MaxInt64}, {Pause: math.MaxInt64, Period: time.Second}} {
			line := drawn(t, manifest, o)
			if (line.Missing == "") == (len(line.Result.Segments) == 0) || strings.Contains(line.Missing, "-") {
				t.Errorf("%s, %+v: %q", average, o, line.Missing)
			}
		}
	}
	pool := strings.Replace(jvm(limits, `env: [{name: WEB_CONCURRENCY, value: "8"}]`), "[java, -jar, a.jar]", "[puma]", 1)
	pool = strings.Replace(pool, "headroom.dev/cpu-average: 700m", `cores-per-worker.headroom.dev/app: "9E"`, 1)
	if line := drawn(t, pool, Options{}); strings.Contains(line.Missing, "-") {
		t.Error(line.Missing)
	}
}

// TestTriedPause: a pause that is tried is drawn, whatever --gc-pause says of the present.
func TestTriedPause(t *testing.T) {
	r := explained(t, jvm(limits, gc25), Options{
		Timeline: true, Pause: 10 * time.Millisecond, WhatIf: changes(t, "pause=30ms"),
	})
	c := r.Workloads[0].Containers[0]
	now, then := c.Timeline.Loads[1].Work, c.WhatIf.Timeline.Loads[1].Work
	if now != 10*time.Millisecond || then != 30*time.Millisecond {
		t.Errorf("a pause of %s, then of %s", now, then)
	}
}

// The quota is the kubelet's: of the period that was asked for, and no less than 1 ms.
func TestQuotaWords(t *testing.T) {
	small := `resources: {limits: {cpu: 5m, memory: 1Gi}}`
	says(t, strings.Join(cpuWords(t, jvm(small), Options{}), "\n"), "1 ms of CPU time in each 100 ms")
	nginx := strings.Replace(jvm(limits), "[java, -jar, a.jar]", `[nginx]`, 1)
	says(t, strings.Join(cpuWords(t, nginx, Options{Period: 20 * time.Millisecond}), "\n"), "40 ms of CPU time in each 20 ms")
}
