package engine

import (
	"context"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const readsConfigMaps = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {
	"containers": [{
		"name": "app", "image": "a:1", "command": ["java", "-jar", "/a.jar"],
		"envFrom": [{"configMapRef": {"name": "env"}}],
		"volumeMounts": [{"name": "settings", "mountPath": "/etc/app"}]
	}, {
		"name": "web", "image": "nginx:1", "resources": {"limits": {"cpu": "1"}},
		"volumeMounts": [{"name": "web", "mountPath": "/etc/nginx"}]
	}],
	"volumes": [
		{"name": "settings", "configMap": {"name": "settings"}}, {"name": "web", "configMap": {"name": "web"}},
		{"name": "ca", "configMap": {"name": "kube-root-ca.crt"}}
	]
}}`

var someMaps = map[string]map[string]any{
	"env": {"metadata": map[string]any{"name": "env"}, "data": map[string]any{"JAVA_TOOL_OPTIONS": "-XX:+UseNothing"}},
	"web": {"metadata": map[string]any{"name": "web"}, "data": map[string]any{"nginx.conf": "worker_processes 77;"}},
}

// What the policies look into is read, each once, and no other; by OPA's evaluator all are.
func TestLater(t *testing.T) {
	pod := decodeJSON(t, readsConfigMaps).(map[string]any)
	opas := must(with(opaFrom(compiledPolicies), Options{}))(t)
	for name, c := range map[string]struct {
		engine *Engine
		want   []string
	}{"plan": {newEngine(t), []string{"env", "web"}}, "OPA": {opas, []string{"env", "settings", "web"}}} {
		var read []string
		around := (&Context{Namespace: "n"}).Later(ConfigMapsNamed(pod), func(_ context.Context, names []string) []map[string]any {
			read = append(read, names...)
			var found []map[string]any
			for _, name := range names {
				if someMaps[name] != nil {
					found = append(found, someMaps[name])
				}
			}
			return found
		}).On(Node{Name: "one"})
		for range 2 {
			result := must(c.engine.Evaluate(t.Context(), Review{Manifest: pod, Around: around}))(t)
			for _, held := range []string{"UseNothing", "77"} {
				if !strings.Contains(jsonOf(t, result.Findings), held) {
					t.Errorf("%s: %s of a ConfigMap is not known: %s", name, held, jsonOf(t, result.Findings))
				}
			}
			if _, err := c.engine.Details(t.Context(), Review{Manifest: pod, Around: around}); err != nil {
				t.Error(err)
			}
		}
		if slices.Sort(read); !slices.Equal(read, c.want) {
			t.Errorf("%s: %q are read, not %q", name, read, c.want)
		}
	}
	broken := (&Context{}).Later([]string{"env", "web"}, func(context.Context, []string) []map[string]any {
		return []map[string]any{{"data": make(chan int)}}
	})
	if _, err := newEngine(t).Evaluate(t.Context(), Review{Manifest: pod, Around: broken}); err == nil {
		t.Error("what cannot be read is no error")
	}
}

// filled is a ConfigMap that has whatever may be looked for in one.
func filled(name string) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name}, "data": map[string]any{
		"JAVA_OPTS": "-Xmx64g", "JAVA_TOOL_OPTIONS": "-Xmx3g -XX:+UseZGC", "WEB_CONCURRENCY": "64", "GOMAXPROCS": "64",
		"GOMEMLIMIT": "64GiB", "NODE_OPTIONS": "--max-old-space-size=90000", "nginx.conf": "worker_processes 64;",
		"haproxy.cfg": "global\n  nbthread 64\n", "ready": "exec java -Xmx5g -jar a.jar", "jvm.options": "-Xmx7g",
	}}
}

// Whether ConfigMaps are there from the beginning or read when they are asked for, every answer is the same.
func TestLaterChangesNothing(t *testing.T) {
	ctx, e := t.Context(), newEngine(t)
	var judge func(value any)
	named, unread := 0, 0
	judge = func(value any) {
		object, _ := value.(map[string]any)
		for _, key := range []string{"items", "object"} {
			if list, ok := object[key].([]any); ok {
				for _, item := range list {
					judge(item)
				}
			}
			if nested, ok := object[key].(map[string]any); ok {
				judge(nested)
			}
		}
		names := ConfigMapsNamed(object)
		if object["items"] != nil || len(names) == 0 {
			return
		}
		var all []map[string]any
		for _, name := range names {
			all = append(all, filled(name))
		}
		whole := must(must(NewContext("", nil))(t).With(all))(t)
		for what, ask := range map[string]func(*Context) (any, error){
			"verdict": func(c *Context) (any, error) { return e.Evaluate(ctx, Review{Manifest: object, Around: c}) },
			"details": func(c *Context) (any, error) { return e.Details(ctx, Review{Manifest: object, Around: c}) },
			"size":    func(c *Context) (any, error) { return e.Size(ctx, Review{Manifest: object, Around: c}) },
			"explanation": func(c *Context) (any, error) {
				return e.Explain(ctx, Review{Manifest: object, Around: c}, ExplainOptions{})
			},
		} {
			left := len(names)
			later := (&Context{}).Later(names, func(_ context.Context, names []string) []map[string]any {
				var some []map[string]any
				for _, name := range names {
					some, left = append(some, filled(name)), left-1
				}
				return some
			})
			got, want := must(ask(later))(t), must(ask(whole))(t)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %s: %s\nnot %s", what, ResourceOf(object).Name, jsonOf(t, got), jsonOf(t, want))
			}
			named, unread = named+len(names), unread+left
		}
	}
	for _, dir := range []string{"policies/rego/headroom/rules", "policies/engine/testdata", "tests/manifests", "samples"} {
		for _, manifest := range manifests(t, os.DirFS(repo.Path(dir))) {
			judge(manifest)
		}
	}
	if named < 40 || unread == 0 || unread == named {
		t.Errorf("of %d ConfigMaps that are named, %d are not read", named, unread)
	}
}

// The policies look at ConfigMaps in one place alone, and by name: what is read later rests on that.
func TestConfigMapsAreAskedFor(t *testing.T) {
	var found []string
	err := fs.WalkDir(policies.Files, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".rego" || strings.HasSuffix(file, "_test.rego") {
			return err
		}
		text, err := fs.ReadFile(policies.Files, file)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "config_maps") {
				found = append(found, path.Base(file)+": "+strings.TrimSpace(line))
			}
		}
		return err
	})
	want := []string{
		"config_maps.rego: found := _config_maps(name, c)",
		"config_maps.rego: count(_config_maps(name, c)) == 0",
		"config_maps.rego: _config_maps(name, c) := [d | some d in found] if {",
		`config_maps.rego: found := {object.get(m, "data", {}) | some m in c.beside.config_maps; m.metadata.name == name}`,
		`containers.rego: "config_maps": context.config_maps,`,
		`context.rego: "config_maps": [],`,
		`kinds.rego: "ConfigMap": "config_maps",`,
	}
	slices.Sort(found)
	slices.Sort(want)
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("%v: ConfigMaps are looked at elsewhere than by %s:\n%s", err, ofConfigMaps, strings.Join(found, "\n"))
	}
}
