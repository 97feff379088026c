package kyverno

import (
	"strings"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

type mutatingSpec struct {
	FailurePolicy string         `yaml:"failurePolicy"`
	Reinvocation  string         `yaml:"reinvocationPolicy"`
	Autogen       autogen        `yaml:"autogen"`
	Match         mutable        `yaml:"matchConstraints"`
	Variables     []cel.Variable `yaml:"variables"`
	Mutations     []cel.Patch    `yaml:"mutations"`
}

// mutable are new Pods of namespaces that ask for it: a template is never changed, as what
// keeps it in step with a repository would change it back.
type mutable struct {
	Namespaces any                `yaml:"namespaceSelector"`
	Rules      []cel.ResourceRule `yaml:"resourceRules"`
}

// mutations are the MutatingPolicies, each a folder that kustomize can take alone, and the overlay
// of them all. They are no part of the set that warns.
func mutations(set *cel.Set) ([]File, error) {
	var files []File
	var folders []string
	for _, m := range set.Mutations {
		folder, err := policyFolder(m.Name, mutating(set, m))
		if err != nil {
			return nil, err
		}
		files = append(files, folder...)
		folders = append(folders, "../../"+m.Name)
	}
	overlay, err := yamlOf(newKustomization(folders))
	return append(files, File{"overlays/mutate/kustomization.yaml", overlay}), err
}

func mutating(set *cel.Set, m cel.Mutation) document {
	return document{apiVersion, "MutatingPolicy", cel.Metadata{
		Name: "headroom-" + m.Name, Labels: cel.Labels,
		Annotations: map[string]string{
			"policies.kyverno.io/title":       m.Title,
			"policies.kyverno.io/category":    "headroom: Mutations",
			"policies.kyverno.io/subject":     "Pod",
			"policies.kyverno.io/description": m.Description,
			"headroom.dev/rules":              strings.Join(m.Rules, ","),
		},
	}, mutatingSpec{
		FailurePolicy: "Ignore", Reinvocation: "IfNeeded", Autogen: noAutogen(),
		Match:     mutable{cel.Mutable, cel.Pods.Rules},
		Variables: cel.Needs(set.Model, m.Expression), Mutations: m.Patches(),
	}}
}
