package gatekeeper

import (
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies/engine"
)

type match struct {
	Kinds              []kinds  `yaml:"kinds"`
	ExcludedNamespaces []string `yaml:"excludedNamespaces,omitempty,flow"`
}

type kinds struct {
	APIGroups []string `yaml:"apiGroups,flow"`
	Kinds     []string `yaml:"kinds,flow"`
}

// besides are kinds without a pod template that rules look at all the same. These are the
// annotations of a Namespace (HR105), a PodTemplate (HR002), and the file of a kubelet (HR601). No
// API server ever gets the last one, but gator may read it.
var besides = map[string][]string{
	"":                      {"Namespace", "PodTemplate"},
	"kubelet.config.k8s.io": {"KubeletConfiguration"},
}

// newMatch matches every kind whose pod template the policies know.
func newMatch(modules []*ast.Module, excluded []string) (match, error) {
	paths, err := constant[map[string]any](modules, "_template_paths")
	if err != nil {
		return match{}, err
	}
	later, err := constant[map[string]any](modules, "_later_versions")
	if err != nil {
		return match{}, err
	}
	byGroup := map[string]map[string]bool{}
	add := func(group, kind string) {
		if byGroup[group] == nil {
			byGroup[group] = map[string]bool{}
		}
		byGroup[group][kind] = true
	}
	for group, names := range besides {
		for _, name := range names {
			add(group, name)
		}
	}
	for version, known := range paths {
		for name := range known.(map[string]any) {
			add(engine.Resource{APIVersion: version}.Group(), name)
		}
	}
	for earlier, version := range later {
		for name := range paths[version.(string)].(map[string]any) {
			add(engine.Resource{APIVersion: earlier}.Group(), name)
		}
	}
	m := match{ExcludedNamespaces: excluded}
	for _, group := range slices.Sorted(maps.Keys(byGroup)) {
		m.Kinds = append(m.Kinds, kinds{
			APIGroups: []string{group}, Kinds: slices.Sorted(maps.Keys(byGroup[group])),
		})
	}
	return m, nil
}

// constant is the value of a rule that the policies write down as it is.
func constant[T any](modules []*ast.Module, name string) (T, error) {
	var none T
	for _, module := range modules {
		for _, rule := range module.Rules {
			if string(rule.Head.Name) != name || rule.Head.Value == nil {
				continue
			}
			value, err := ast.JSON(rule.Head.Value.Value)
			if err != nil {
				return none, fmt.Errorf("read %s of the policies: %w", name, err)
			}
			if found, ok := value.(T); ok {
				return found, nil
			}
		}
	}
	return none, fmt.Errorf("the policies have no %s", name)
}
