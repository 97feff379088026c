package kyverno

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/cel"
)

// mutationTest holds a mutation to the fixes of its rules in the Pods of their examples.
func mutationTest(ctx context.Context, set *cel.Set, m cel.Mutation) ([]File, error) {
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(ctx, engine.Options{Config: fixing(set.Config, rules, m.Rules)})
	if err != nil {
		return nil, err
	}
	t := newTest(m.Name)
	t.Variables = "values.yaml"
	v := values{APIVersion: "cli.kyverno.io/v1alpha1", Kind: "Values"}
	v.Metadata.Name = "values"
	var given, patched []any
	for _, rule := range rules {
		if !slices.Contains(m.Rules, rule.ID) {
			continue
		}
		for _, example := range []struct{ name, text string }{{"good", rule.Good}, {"bad", rule.Bad}} {
			objects, err := decode(example.text)
			if err != nil {
				return nil, err
			}
			// A namespace for each, so that none gets another's annotations.
			namespace := map[string]any{"name": rule.Slug + "-" + example.name, "labels": map[string]any{"headroom.dev/mutate": "enabled"}}
			for _, object := range objects {
				if metadata, ok := object["metadata"].(map[string]any); ok && object["kind"] == "Namespace" && metadata["annotations"] != nil {
					namespace["annotations"] = metadata["annotations"]
				}
			}
			v.Namespaces = append(v.Namespaces, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": namespace})
			for i, object := range objects {
				pod := podOf(object)
				if pod == nil {
					continue
				}
				name, _ := namespace["name"].(string)
				pod["metadata"].(map[string]any)["namespace"] = name //nolint:forcetypeassert // podOf makes it
				where := rename(pod, fmt.Sprintf("pod-%d", i+1))
				after, err := fixed(ctx, e, pod, v.Namespaces[len(v.Namespaces)-1])
				if err != nil {
					return nil, fmt.Errorf("%s of %s: %w", example.name, rule.ID, err)
				}
				given, patched = append(given, pod), append(patched, after)
				t.Results = append(t.Results, result{
					Mutating: true, Policy: "headroom-" + m.Name, Kind: "Pod", Resources: []string{where},
					Patched: "patched.yaml", Missing: true, Result: "pass",
				})
			}
		}
	}
	files, err := testFiles(m.Name, t, v, given)
	if err != nil {
		return nil, err
	}
	text, err := yamlOf(patched...)
	return append(files, File{path.Join(m.Name, ".kyverno-test", "patched.yaml"), text}), err
}

// fixing is a config in which no rules are fixed but some.
func fixing(config map[string]any, rules []engine.Rule, some []string) map[string]any {
	config = maps.Clone(config)
	if config == nil {
		config = map[string]any{}
	}
	severities, _ := config["rules"].(map[string]any)
	severities = maps.Clone(severities)
	if severities == nil {
		severities = map[string]any{}
	}
	for _, rule := range rules {
		if rule.Fixable && !slices.Contains(some, rule.ID) {
			severities[rule.ID] = map[string]any{"severity": "off"}
		}
	}
	config["rules"] = severities
	return config
}

// podOf is the Pod of a workload, nil for what has none.
func podOf(object map[string]any) map[string]any {
	if object["kind"] == "Pod" {
		return object
	}
	spec, _ := object["spec"].(map[string]any)
	owner, _ := object["kind"].(string)
	if job, ok := spec["jobTemplate"].(map[string]any); ok {
		spec, _ = job["spec"].(map[string]any)
	}
	template, _ := spec["template"].(map[string]any)
	if template == nil {
		return nil
	}
	metadata := map[string]any{}
	if own, ok := template["metadata"].(map[string]any); ok && own["annotations"] != nil {
		metadata["annotations"] = own["annotations"]
	}
	if outer, ok := object["metadata"].(map[string]any); ok && outer["annotations"] != nil && metadata["annotations"] == nil {
		metadata["annotations"] = outer["annotations"]
	}
	if owner == "Job" || owner == "CronJob" {
		name := "job"
		if owner == "CronJob" {
			name = "job-29000000" // as its controller calls it
		}
		metadata["ownerReferences"] = []any{map[string]any{
			"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": "00000000-0000-0000-0000-000000000000", "controller": true,
		}}
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
}

// fixed is a Pod as the engine would make it.
func fixed(ctx context.Context, e *engine.Engine, pod, namespace map[string]any) (any, error) {
	around, err := engine.NewContext("default", map[string][]map[string]any{"namespaces": {namespace}})
	if err != nil {
		return nil, err
	}
	done, err := e.Fix(ctx, engine.Review{Manifest: pod, Around: around})
	if err != nil || len(done.Patch) == 0 {
		return pod, err
	}
	steps, err := done.Recorded(pod)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(pod)
	if err != nil {
		return nil, fmt.Errorf("write a Pod: %w", err)
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return nil, fmt.Errorf("write a patch: %w", err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("read a patch: %w", err)
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, fmt.Errorf("apply a patch: %w", err)
	}
	// JSON is YAML, whose numbers stay whole.
	objects, err := decode(string(after))
	if err != nil || len(objects) != 1 {
		return nil, fmt.Errorf("read what was patched: %w", err)
	}
	return objects[0], nil
}
