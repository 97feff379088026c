package gatekeeper

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

type template struct {
	APIVersion string       `yaml:"apiVersion"`
	Kind       string       `yaml:"kind"`
	Metadata   meta         `yaml:"metadata"`
	Spec       templateSpec `yaml:"spec"`
}

type templateSpec struct {
	CRD     map[string]any `yaml:"crd"`
	Targets []target       `yaml:"targets"`
}

type target struct {
	Target string `yaml:"target"`
	Code   []code `yaml:"code"`
}

type code struct {
	Engine string `yaml:"engine"`
	Source source `yaml:"source"`
}

type source struct {
	Version string   `yaml:"version"`
	Rego    string   `yaml:"rego"`
	Libs    []string `yaml:"libs"`
}

func newTemplate(modules []*ast.Module) (template, error) {
	schema, err := parameterSchema()
	if err != nil {
		return template{}, err
	}
	packed := source{Version: "v1"}
	if packed.Rego, err = adapter(); err != nil {
		return template{}, err
	}
	for _, module := range modules {
		lib, err := asLibrary(module)
		if err != nil {
			return template{}, err
		}
		packed.Libs = append(packed.Libs, lib)
	}
	return template{
		APIVersion: "templates.gatekeeper.sh/v1",
		Kind:       "ConstraintTemplate",
		Metadata: meta{
			Name: strings.ToLower(kind),
			Annotations: map[string]string{
				"metadata.gatekeeper.sh/title": "CPU and memory headroom",
				"description": "Requests, limits, memory headroom and JVM flags that suit the kind of workload, " +
					"with the arithmetic.",
			},
		},
		Spec: templateSpec{
			CRD: map[string]any{"spec": map[string]any{
				"names":      map[string]any{"kind": kind},
				"validation": map[string]any{"openAPIV3Schema": schema},
			}},
			Targets: []target{{
				Target: "admission.k8s.gatekeeper.sh",
				Code:   []code{{Engine: "Rego", Source: packed}},
			}},
		},
	}, nil
}
