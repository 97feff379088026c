package kyverno

import (
	"path"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

// built is what kustomize makes of a folder of the set: specs by policy.
func built(t *testing.T, config map[string]any, folder string) map[string]map[string]any {
	t.Helper()
	set, err := cel.New(t.Context(), config, Dialect)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Policies(set)
	if err != nil {
		t.Fatal(err)
	}
	disk := filesys.MakeFsInMemory()
	for _, f := range files {
		if err := disk.WriteFile(path.Join("set", f.Path), f.Text); err != nil {
			t.Fatal(err)
		}
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, path.Join("set", folder))
	if err != nil {
		t.Fatal(err)
	}
	specs := map[string]map[string]any{}
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		var policy struct{ Spec map[string]any }
		if err := yaml.Unmarshal(text, &policy); err != nil {
			t.Fatal(err)
		}
		specs[resource.GetName()] = policy.Spec
	}
	return specs
}

func actions(spec map[string]any) string {
	var all []string
	for _, action := range spec["validationActions"].([]any) {
		all = append(all, action.(string))
	}
	return strings.Join(all, " ")
}

func TestTheSetWarns(t *testing.T) {
	specs := built(t, nil, ".")
	if len(specs) < 24 {
		t.Errorf("%d policies", len(specs))
	}
	for name, spec := range specs {
		if actions(spec) != "Warn Audit" || spec["failurePolicy"] != "Ignore" {
			t.Errorf("%s: %s, %v", name, actions(spec), spec["failurePolicy"])
		}
	}
}

func TestTheOverlayDeniesErrors(t *testing.T) {
	specs := built(t, map[string]any{"rules": map[string]any{
		"HR302": map[string]any{"severity": "warning"}, "HR208": map[string]any{"severity": "off"},
	}}, "overlays/deny")
	for name, want := range map[string]string{
		"latency-cpu-limit": "Deny Audit", "jvm-headroom": "Deny Audit",
		"class-missing": "Warn Audit", "memory-request-not-limit": "Warn Audit",
	} {
		spec := specs["headroom-"+name]
		if actions(spec) != want {
			t.Errorf("%s: %s, want %s", name, actions(spec), want)
		}
	}
	if _, there := specs["headroom-limit-below-request"]; there {
		t.Error("a rule that is off has a policy")
	}
	// HR303 has warnings too, which are no reason to refuse.
	variables := specs["headroom-jvm-headroom"]["variables"].([]any)
	first, last := variables[0].(map[string]any), variables[len(variables)-1].(map[string]any)
	if first["name"] != "told" || first["expression"] != "['error']" {
		t.Errorf("the findings that are told: %v", first)
	}
	if last["name"] != "hr303" || !strings.HasSuffix(last["expression"].(string), ".filter(f, f.severity in variables.told)") {
		t.Errorf("the findings of HR303: %v", last)
	}
}
