// Package gatekeeper packs the Rego that decides into a ConstraintTemplate, and writes the
// Constraints that ask it.
package gatekeeper

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Actions are what Gatekeeper can do about a violation.
var Actions = []string{"warn", "deny", "dryrun"}

// ExcludedNamespaces are those that only the cluster itself deploys to: a refusal there
// could keep it from starting.
var ExcludedNamespaces = []string{"kube-system", "kube-public", "kube-node-lease", "gatekeeper-system"}

// kind is what the Constraints are called. Gatekeeper wants the template to have the same
// name in lower case.
const kind = "Headroom"

// Options say what is written.
type Options struct {
	// Config is the content of a headroom.yaml, nil for the defaults. The caller has
	// checked it against the schema.
	Config map[string]any
	// Action is one of Actions. With deny, warnings and infos get a Constraint of their
	// own: Gatekeeper knows one action for a Constraint.
	Action string
	// Excluded are the namespaces that are not judged.
	Excluded []string
}

// Write writes the ConstraintTemplate and the Constraints as YAML documents.
func Write(w io.Writer, o Options) error {
	if !slices.Contains(Actions, o.Action) {
		return fmt.Errorf("--enforce %q is not one of %s", o.Action, strings.Join(Actions, ", "))
	}
	modules, err := parseModules()
	if err != nil {
		return err
	}
	template, err := newTemplate(modules)
	if err != nil {
		return err
	}
	matched, err := newMatch(modules, o.Excluded)
	if err != nil {
		return err
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(template); err != nil {
		return fmt.Errorf("write the ConstraintTemplate: %w", err)
	}
	for _, c := range constraints(o, matched) {
		if err := encoder.Encode(c); err != nil {
			return fmt.Errorf("write a Constraint: %w", err)
		}
	}
	return encoder.Close()
}

// meta is an object's metadata.
type meta struct {
	Name        string            `yaml:"name"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

type constraint struct {
	APIVersion string         `yaml:"apiVersion"`
	Kind       string         `yaml:"kind"`
	Metadata   meta           `yaml:"metadata"`
	Spec       constraintSpec `yaml:"spec"`
}

type constraintSpec struct {
	EnforcementAction string     `yaml:"enforcementAction"`
	Match             match      `yaml:"match"`
	Parameters        parameters `yaml:"parameters"`
}

type parameters struct {
	Severities []string       `yaml:"severities,flow"`
	Config     map[string]any `yaml:"config"`
}

func constraints(o Options, matched match) []constraint {
	// As in headroom.yaml, less what names the file.
	config := maps.Clone(o.Config)
	delete(config, "apiVersion")
	delete(config, "kind")
	if config == nil {
		config = map[string]any{}
	}
	of := func(name, action string, severities ...string) constraint {
		return constraint{
			APIVersion: "constraints.gatekeeper.sh/v1beta1",
			Kind:       kind,
			Metadata:   meta{Name: name},
			Spec: constraintSpec{
				EnforcementAction: action,
				Match:             matched,
				Parameters:        parameters{Severities: severities, Config: config},
			},
		}
	}
	if o.Action == "deny" {
		return []constraint{
			of("headroom", "deny", engine.SeverityError),
			of("headroom-advice", "warn", engine.SeverityWarning, engine.SeverityInfo),
		}
	}
	return []constraint{of("headroom", o.Action, engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo)}
}
