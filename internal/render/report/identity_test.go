package report_test

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// TestIdentity names what a finding is known by, and what it is not.
func TestIdentity(t *testing.T) {
	f := engine.Finding{
		Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Class: "latency-sensitive", Resource: sample.Article, Container: "api",
		Path: sample.ContainersAt + "0/resources/limits/cpu", File: "a.yaml", Line: 3, Message: "m", Expected: "e", Fixable: true,
	}
	was := report.Identity(&f)
	// Written down, so that another version of headroom cannot make it another one by accident:
	// each open alert and each note of a bot hangs on it.
	if was != "c54ce78327aff2263d5c478f9e131783" {
		t.Errorf("the identity of a finding is now %s: every alert of every user is closed, and opened again", was)
	}
	for what, change := range map[string]func(f *engine.Finding){
		"line":     func(f *engine.Finding) { f.Line = 99 },
		"file":     func(f *engine.Finding) { f.File = "deep/b.yaml" },
		"words":    func(f *engine.Finding) { f.Message, f.Expected, f.Slug = "other words", "too", "new-name" },
		"figures":  func(f *engine.Finding) { f.Figures = map[string]any{"limit_mib": 3} },
		"severity": func(f *engine.Finding) { f.Severity = "warning" },
		"class":    func(f *engine.Finding) { f.Class = "batch" },
		"fix":      func(f *engine.Finding) { f.Fixable = false },
		"version":  func(f *engine.Finding) { f.Resource.APIVersion = "apps/v1beta1" },
		"place":    func(f *engine.Finding) { f.Path = strings.Replace(f.Path, "containers/0", "containers/12", 1) },
		"List":     func(f *engine.Finding) { f.Path = "/items/4" + f.Path },
	} {
		g := f
		if change(&g); report.Identity(&g) != was {
			t.Errorf("another %s makes another finding of it", what)
		}
	}
	seen := map[string]string{was: "nothing"}
	for what, change := range map[string]func(f *engine.Finding){
		"rule":      func(f *engine.Finding) { f.Rule = "HR203" },
		"group":     func(f *engine.Finding) { f.Resource.APIVersion = "example.org/v1" },
		"kind":      func(f *engine.Finding) { f.Resource.Kind = "StatefulSet" },
		"namespace": func(f *engine.Finding) { f.Resource.Namespace = "" },
		"name":      func(f *engine.Finding) { f.Resource.Name = "b" },
		"container": func(f *engine.Finding) { f.Container = "b" },
		"field":     func(f *engine.Finding) { f.Path = strings.Replace(f.Path, "limits", "requests", 1) },
		"boundary":  func(f *engine.Finding) { f.Resource.Name += f.Container; f.Container = "" },
	} {
		g := f
		change(&g)
		if other, twice := seen[report.Identity(&g)]; twice {
			t.Errorf("another %s is the same finding as another %s", what, other)
		}
		seen[report.Identity(&g)] = what
	}
}
