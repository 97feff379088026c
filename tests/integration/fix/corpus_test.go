//go:build integration

package fix_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// everything is all manifests that there are, each also as the Pod that it makes.
func everything(tb testing.TB) []given {
	tb.Helper()
	var all []given
	for _, root := range append(repo.SaidProjects(tb), repo.Manifests()...) {
		all = append(all, objects(tb, root, "*.yaml")...)
	}
	for _, g := range all[:len(all):len(all)] {
		if pod := podOf(g); pod != nil {
			all = append(all, *pod)
		}
	}
	return all
}

// podOf is the Pod that a controller would make, nil where there is no template. What it
// belongs to stands beside it, as the webhook finds it.
func podOf(g given) *given {
	spec, _ := g.object["spec"].(map[string]any)
	kind, _ := g.object["kind"].(string)
	owners := []map[string]any{owner(kind, g.object)}
	if job, ok := spec["jobTemplate"].(map[string]any); ok {
		spec, _ = job["spec"].(map[string]any)
		owners = append([]map[string]any{owner("Job", job)}, owners...)
	}
	if kind == "Deployment" {
		owners = append([]map[string]any{owner("ReplicaSet", g.object)}, owners...)
	}
	template, _ := spec["template"].(map[string]any)
	if template == nil || kind == "" {
		return nil
	}
	metadata, _ := template["metadata"].(map[string]any)
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{}, "spec": template["spec"],
	}
	if metadata != nil {
		pod["metadata"] = metadata
	}
	around := map[string][]map[string]any{"owners": owners}
	for name, list := range g.around {
		around[name] = list
	}
	return &given{name: g.name + " as Pod", object: pod, around: around}
}

func owner(kind string, object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	return map[string]any{"kind": kind, "annotations": annotations}
}

func TestEveryManifest(t *testing.T) {
	for name, config := range configs {
		e := newEngine(t, config)
		changed := 0
		for _, g := range everything(t) {
			fixed, err := check(e, g)
			if err != nil {
				text, _ := json.Marshal(g.object)
				t.Errorf("%s, config %s: %v\n%+v\n%s", g.name, name, err, fixed.Patch, text)
			}
			if len(fixed.Patch) > 0 {
				changed++
			}
		}
		t.Logf("config %s: %d objects were changed", name, changed)
	}
}

// configs: the defaults, and one that asks for everything.
var configs = map[string]map[string]any{
	"default": nil,
	"caps":    {"jvm": map[string]any{"inject": []any{"metaspace", "direct", "code-cache", "stack"}}},
}

// A Pod gets the verdict that its workload got, but for what only a workload can have.
func TestAPodIsJudgedLikeItsWorkload(t *testing.T) {
	e := newEngine(t, nil)
	for _, g := range everything(t) {
		pod := podOf(g)
		if pod == nil {
			continue
		}
		ours, err := check(e, g)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
		}
		if !ours.Before.Objects[0].Judged {
			continue // HR002 says so
		}
		theirs, err := check(e, *pod)
		if err != nil {
			t.Errorf("%s: %v", pod.name, err)
		}
		// A known sidecar in a Pod may be another webhook's: nothing of it is fixed there.
		key := func(f engine.Finding) string {
			return f.Rule + " " + f.Container + " " + f.Severity + " " + f.Class + fmt.Sprint(f.Fixable && f.Class != "sidecar")
		}
		a, b := map[string]bool{}, map[string]bool{}
		for _, f := range ours.Before.Findings {
			if f.Rule != "HR103" {
				a[key(f)] = true
			}
		}
		for _, f := range theirs.Before.Findings {
			b[key(f)] = true
		}
		for key := range a {
			if !b[key] {
				t.Errorf("%s: the workload has %s, the Pod does not", g.name, key)
			}
		}
		for key := range b {
			if !a[key] {
				t.Errorf("%s: the Pod has %s, the workload does not", g.name, key)
			}
		}
	}
}

// The patches of what is wrong on purpose, to be read by a person: -update writes them.
func TestPatches(t *testing.T) {
	e := newEngine(t, nil)
	var b strings.Builder
	wrong := append(objects(t, "../../../samples/wrong", "*.yaml"),
		objects(t, "../../../policies/rego/headroom/rules", "bad.yaml")...)
	for _, g := range wrong {
		fixed, err := check(e, g)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
		}
		if len(fixed.Patch) == 0 {
			continue
		}
		fmt.Fprintf(&b, "== %s\n", g.name)
		for _, operation := range fixed.Patch {
			text, err := json.Marshal(operation)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", text)
		}
		for _, a := range fixed.Applied {
			text, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "   %s\n", text)
		}
	}
	golden.Check(t, "testdata/patches.txt", b.String())
}
