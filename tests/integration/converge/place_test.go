//go:build integration

package converge_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/policies/engine"
)

// A place is the object in which a finding was made.
type place struct {
	object  map[string]any
	finding *engine.Finding
}

// at gives what a pointer leads to.
func (p place) at(pointer string) (any, error) {
	found, err := jsonpointer.New(pointer)
	if err != nil {
		return nil, err
	}
	value, _, err := found.Get(p.object)
	return value, err
}

// template is the Pod's, with its path.
func (p place) template() (map[string]any, error) {
	paths := []string{"/spec/jobTemplate/spec/template", "/spec/template", ""}
	for _, path := range paths {
		if value, err := p.at(path); err == nil {
			if found, ok := value.(map[string]any); ok && found["spec"] != nil {
				return found, nil
			}
		}
	}
	return nil, errors.New("there is no pod template")
}

// container is the one that the finding names.
func (p place) container() (map[string]any, error) {
	template, err := p.template()
	if err != nil {
		return nil, err
	}
	spec, _ := template["spec"].(map[string]any)
	for _, list := range []string{"containers", "initContainers"} {
		all, _ := spec[list].([]any)
		for _, one := range all {
			if c, _ := one.(map[string]any); c["name"] == p.finding.Container {
				return c, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no container %q", p.finding.Container)
}

// owner is what has the resources that the finding is about: its container or the Pod.
func (p place) owner() (map[string]any, error) {
	if strings.HasSuffix(strings.Split(p.finding.Path, "/resources")[0], "/spec") {
		template, err := p.template()
		if err != nil {
			return nil, err
		}
		spec, _ := template["spec"].(map[string]any)
		return spec, nil
	}
	return p.container()
}
