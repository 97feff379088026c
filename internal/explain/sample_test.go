package explain

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
)

// TestGoldens renders a report whose every word stands here, so that only what this package does
// shows in the files.
func TestGoldens(t *testing.T) {
	for name, columns := range map[string]int{"wide": 100, "narrow": 60} {
		golden.Check(t, filepath.Join("testdata", name+".txt"), text(t, sample(), "text", columns))
	}
	golden.Check(t, filepath.Join("testdata", "sample.json"), text(t, sample(), "json", 0))
	golden.Check(t, filepath.Join("testdata", "sample.svg"), text(t, sample(), "svg", 0))
}

// sample has everything that an explanation may have.
func sample() *Report {
	now := jvmSample("app", 9192, 4096)
	then := jvmSample("app", 2888, 4096)
	then.Budget.Terms[0].MiB, then.Budget.Terms[0].Source = 2048, "-Xmx2g"
	then.Budget.Terms[3].MiB, then.Burst.UsedMS, then.Burst.ThrottleMS, then.Burst.StallMS = 256, 80, 0, 20
	then.JVM.ParallelGCThreads.Value = "4"
	found := []engine.Finding{
		{Rule: "HR307", Slug: "jvm-region-unbounded", Severity: "warning", Message: "No bound.", Expected: "a bound"},
		{Rule: "HR304", Slug: "jvm-heap-reaches-limit", Severity: "error", Line: 26, Message: "Too large."},
	}
	return &Report{
		Version: "v1.2.3", Free: 0.2,
		Problems: []report.Problem{{File: "deploy/cart.yaml", Line: 7, Message: "mapping values are not allowed here"}},
		Notes:    []string{"its ConfigMaps may not be read, so what they hold is not known"},
		Workloads: []Workload{{
			Resource: engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "cart"},
			File:     "deploy/cart.yaml", Line: 3,
			Containers: []Container{
				{Explanation: now, Findings: found, WhatIf: &WhatIf{
					Done: []Step{{What: "JAVA_TOOL_OPTIONS", Old: "-Xmx4g", New: "-Xmx2g"}}, Then: &then,
					Lost: found[1:], Kept: found[:1],
				}},
				{Explanation: sidecarSample()},
				{Explanation: engine.Explanation{Detail: engine.Detail{Container: "win"}, Skipped: "it runs on Windows"}},
			},
		}},
	}
}

func jvmSample(name string, total, limit float64) engine.Explanation {
	return engine.Explanation{
		Detail: engine.Detail{
			Container: name, CPU: engine.CPUDetail{Request: 1000, Limit: 2000, Average: 700, Cores: 2},
			Budget: &engine.Budget{
				LimitMiB: limit, TotalMiB: total, LeftMiB: limit - total, Headroom: (limit - total) / limit, Complete: true, Grade: "assumed",
				Terms: []engine.Term{
					{Name: "heap", MiB: 4096, LeastMiB: 4096, BoundMiB: 4096, Source: "-Xmx4g", Grade: "declared"},
					{Name: "metaspace", MiB: 256, LeastMiB: 25, BoundMiB: 256, Source: "assumed", Grade: "assumed", Assumed: true},
					{Name: "code cache", MiB: 240, LeastMiB: 16, BoundMiB: 240, Source: "JVM default", Grade: "assumed", Assumed: true},
					{Name: "direct", MiB: 4096, LeastMiB: 8, BoundMiB: 4096, Source: "as much as the heap, JVM default", Grade: "assumed", Assumed: true},
					{Name: "stacks", MiB: 250, LeastMiB: 12, BoundMiB: 250, Source: "250 threads of 1024 KiB", Grade: "assumed", Assumed: true},
					{Name: "native", MiB: 254, LeastMiB: 75, BoundMiB: 254, Source: "G1", Grade: "assumed", Assumed: true},
				},
			},
		},
		Role: "app", Path: "/spec/template/spec/containers/0",
		Class: "latency-sensitive", ClassEvidence: "annotation headroom.dev/workload-class of the pod template",
		Weaker:  []string{"The Namespace says batch, which counts less."},
		Runtime: "jvm", RuntimeEvidence: "its command runs java",
		Resources: []engine.ResourceLine{
			{Name: "requests.cpu", Value: "1", Source: "container"},
			{Name: "limits.cpu", Value: "2", Source: "LimitRange shop/limits"},
			{Name: "requests.memory"},
			{Name: "limits.memory", Value: "4Gi", Source: "container"},
		},
		Flags: []engine.FlagLine{
			{Name: "MaxHeapSize", Text: "-Xmx1g", Source: "JAVA_TOOL_OPTIONS", Note: "-Xmx4g (command line) wins"},
			{Name: "MaxHeapSize", Text: "-Xmx4g", Source: "command line", Wins: true},
		},
		PropertiesHidden: 2,
		JVM: &engine.JVMLine{
			Version:           engine.ValueLine{Value: "8, 11, 17, 21 and 25", Source: "not declared; each of these is considered"},
			Collector:         engine.ValueLine{Value: "G1", Source: "JVM default"},
			ParallelGCThreads: engine.ValueLine{Value: "25", Source: "-XX:ParallelGCThreads=25"},
			MaxHeapMiB:        engine.ValueLine{Value: "4096", Source: "-Xmx4g"},
			WillNotStart:      []string{"It does not start: two collectors are chosen."},
		},
		Quota: &engine.QuotaLine{MS: 200, PeriodMS: 100},
		Burst: &engine.BurstLine{
			Threads: 25, ThreadsSource: "-XX:ParallelGCThreads=25", PauseMS: 20, PauseSource: "assumed", UsedMS: 500,
			QuotaMS: 200, PeriodMS: 100, ThrottleMS: 300, StallMS: 320,
			Text: "25 GC threads for 20 ms: 500 ms, 300 ms too many.",
		},
		Passing: engine.Passing{
			SmallestLimitMiB: engine.ValueOrWhy{Value: 6720}, LargestHeapMiB: engine.ValueOrWhy{Value: 2100},
			LargestPercentage: engine.ValueOrWhy{Value: 51},
			LargestThreads:    engine.ValueOrWhy{Why: "the other regions take more than there is"},
			CPURequest:        700, CPURequestWhy: "its average use", CPULimitWhy: "class latency-sensitive asks for none",
			Block:     "resources:\n  requests:\n    cpu: 700m\n    memory: 6720Mi\n  limits:\n    memory: 6720Mi\n",
			BlockNote: "with the flags as below", ToolOptions: "-XX:MaxDirectMemorySize=256m",
			ToolOptionsNote: "in front of what is there",
		},
		Unknown: []string{"Its release is not declared: jvm.headroom.dev/app: version=21 says it."},
	}
}

func sidecarSample() engine.Explanation {
	return engine.Explanation{
		Detail: engine.Detail{
			Container: "proxy", CPU: engine.CPUDetail{Average: 100},
			Memory: engine.MemoryDetail{Limit: 256 << 20, Peak: 230 << 20},
		},
		Role: "sidecar", Class: "sidecar", ClassEvidence: "a native sidecar",
		Pool:    &engine.PoolLine{Workers: 4, CoresEach: 1, Source: "WEB_CONCURRENCY=4"},
		Passing: engine.Passing{CPURequest: -1, CPURequestWhy: "nobody measured it", CPULimit: -1},
	}
}

// TestHostileNames: whatever a manifest is called, a terminal obeys none of it, and page, picture
// and JSON stay what they are.
func TestHostileNames(t *testing.T) {
	evil := "\x1b[31m</script><script>alert(1)</script>\u202e\"'&<svg/onload=x>\x00]]>\n::error::{{.}}"
	r := sample()
	w := &r.Workloads[0]
	w.Resource.Name, w.Resource.Kind, w.File = evil, evil, evil
	r.Notes, r.Problems[0].Message, r.Version = []string{evil}, evil, evil
	c := &w.Containers[0]
	c.Container, c.Class, c.ClassEvidence, c.Runtime, c.RuntimeEvidence = evil, evil, evil, evil, evil
	c.Weaker, c.Unknown, c.Role = []string{evil}, []string{evil}, evil
	c.Flags[0] = engine.FlagLine{Name: evil, Text: evil, Source: evil, Note: evil}
	c.Resources[0] = engine.ResourceLine{Name: evil, Value: evil, Source: evil}
	c.JVM.Collector = engine.ValueLine{Value: evil, Source: evil}
	c.JVM.WillNotStart = []string{evil}
	c.Budget.Terms[0].Name, c.Budget.Terms[0].Source = evil, evil
	c.Passing.Block, c.Passing.BlockNote, c.Passing.ToolOptions = evil, evil, evil
	c.Burst.Text, c.Burst.ThreadsSource = evil, evil
	c.Findings[0] = engine.Finding{Rule: evil, Slug: evil, Severity: evil, Message: evil, Expected: evil}
	c.Timeline = &Timeline{Missing: evil, Assumed: []string{evil}}

	out := text(t, r, "text", 80)
	if strings.ContainsAny(out, "\x1b\x00\u202e") {
		t.Errorf("the terminal would obey a name:\n%q", out)
	}
	html := text(t, r, "html", 0)
	if strings.Contains(html, "<script") || strings.Contains(html, "<svg/onload") ||
		strings.ContainsAny(html, "\x1b\x00\u202e") {
		t.Error("the page holds what a name brought")
	}
	picture := text(t, r, "svg", 0)
	if strings.Contains(picture, "<script") {
		t.Error("the picture holds what a name brought")
	}
	wellFormed(t, picture)
	var back map[string]any
	if err := json.Unmarshal([]byte(text(t, r, "json", 0)), &back); err != nil {
		t.Error(err)
	}
}

func wellFormed(t *testing.T, picture string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPageLoadsNothing: no script, and no address but those of the rules' pages.
func TestPageLoadsNothing(t *testing.T) {
	html := text(t, sample(), "html", 0)
	for _, never := range []string{"<script", "src=", "@import", "style=\"", "url(http", "javascript:"} {
		if strings.Contains(html, never) {
			t.Errorf("the page has %q", never)
		}
	}
	says(t, html, "default-src &#39;none&#39;", "<s>-Xmx1g</s>", "6720Mi", "over the limit by 5096 MiB",
		"Deployment shop/cart")
}

// TestPageKeepsFlagsWhole: no line of the page ends within a flag, after its hyphen.
func TestPageKeepsFlagsWhole(t *testing.T) {
	says(t, text(t, explained(t, jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}]"), Options{}), "html", 0),
		`set <span class="flag">-XX:MaxDirectMemorySize</span> and <span class="flag">-XX:ReservedCodeCacheSize</span>`)
}
