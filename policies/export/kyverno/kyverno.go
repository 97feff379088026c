// Package kyverno writes the CEL policies as Kyverno's: one ValidatingPolicy a rule, the
// MutatingPolicies, the kustomizations that put them together, and a test beside each.
package kyverno

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/cel"
)

// Dialect is Kyverno's: it has a clock, and an orValue of its own.
var Dialect = cel.Dialect{Now: "string(time.now()).substring(0, 10)", Rewrite: cel.WithoutOrValue}

// File is a file of the set, by its path below the set's folder.
type File struct {
	Path string
	Text []byte
}

const apiVersion = "policies.kyverno.io/v1"

type document struct {
	APIVersion string       `yaml:"apiVersion"`
	Kind       string       `yaml:"kind"`
	Metadata   cel.Metadata `yaml:"metadata"`
	Spec       any          `yaml:"spec"`
}

type validatingSpec struct {
	Actions         []string             `yaml:"validationActions,flow"`
	FailurePolicy   string               `yaml:"failurePolicy"`
	Autogen         autogen              `yaml:"autogen"`
	Evaluation      evaluation           `yaml:"evaluation"`
	Match           cel.Match            `yaml:"matchConstraints"`
	MatchConditions []cel.MatchCondition `yaml:"matchConditions"`
	Variables       []cel.Variable       `yaml:"variables"`
	Validations     []cel.Validation     `yaml:"validations"`
}

// autogen is off: the policies look into every kind's template themselves.
type autogen struct {
	PodControllers struct {
		Controllers []string `yaml:"controllers,flow"`
	} `yaml:"podControllers"`
}

func noAutogen() (a autogen) {
	a.PodControllers.Controllers = []string{}
	return a
}

// evaluation has what is there already in Kyverno's reports too.
type evaluation struct {
	Background struct {
		Enabled bool `yaml:"enabled"`
	} `yaml:"background"`
}

func inBackground() (e evaluation) {
	e.Background.Enabled = true
	return e
}

// wanted leaves out the namespaces whose mode is off, and updates that change nothing judged. One
// condition for both, as it names the Namespace: what does not, Kyverno hands to the API server, with
// a webhook for each policy.
var wanted = []cel.MatchCondition{{
	Name: "judged",
	Expression: "(dyn(namespaceObject) == null ? dyn(object) : dyn(namespaceObject)).?metadata.?labels[?'headroom.dev/mode'].orValue('') != 'off' &&\n(" +
		cel.Changed[0].Expression + ")",
}}

// told are the severities of the findings that a policy tells.
var told = cel.Variable{Name: "told", Expression: "['error', 'warning', 'info']"}

// denying is what the overlay changes in the policies of rules that are errors. A lesser finding of such
// a rule is no reason to refuse.
const denying = `- {op: replace, path: /spec/validationActions, value: [Deny, Audit]}
- {op: replace, path: /spec/failurePolicy, value: Fail}
- {op: replace, path: /spec/variables/0/expression, value: "['error']"}
`

const severityKey = "policies.kyverno.io/severity"

var severities = map[string]string{"error": "high", "warning": "medium", "info": "low"}

// Policies are the policies and the kustomizations of a set.
func Policies(set *cel.Set) ([]File, error) {
	var files []File
	for _, rule := range set.Rules {
		folder, err := policyFolder(rule.Slug, validating(set, rule))
		if err != nil {
			return nil, err
		}
		files = append(files, folder...)
	}
	more, err := kustomizations(set)
	if err != nil {
		return nil, err
	}
	mutations, err := mutations(set)
	return slices.Concat(files, more, mutations), err
}

// Tests are what `kyverno test` holds the policies of a set to.
func Tests(ctx context.Context, set *cel.Set) ([]File, error) {
	e, err := engine.New(ctx, engine.Options{Config: set.Config})
	if err != nil {
		return nil, err
	}
	var files []File
	for _, rule := range set.Rules {
		tests, err := ruleTest(e, rule)
		if err != nil {
			return nil, fmt.Errorf("test of %s: %w", rule.ID, err)
		}
		files = append(files, tests...)
	}
	for _, m := range set.Mutations {
		tests, err := mutationTest(ctx, set, m)
		if err != nil {
			return nil, fmt.Errorf("test of %s: %w", m.Name, err)
		}
		files = append(files, tests...)
	}
	return files, nil
}

// policyFolder is one policy as a folder that kustomize can take alone.
func policyFolder(name string, policy document) ([]File, error) {
	text, err := yamlOf(policy)
	if err != nil {
		return nil, err
	}
	alone, err := yamlOf(newKustomization([]string{"policy.yaml"}))
	return []File{{path.Join(name, "policy.yaml"), text}, {path.Join(name, "kustomization.yaml"), alone}}, err
}

func validating(set *cel.Set, rule cel.Rule) document {
	finding := rule.Variable()
	finding.Expression = "(" + finding.Expression + ").filter(f, f.severity in variables." + told.Name + ")"
	return document{apiVersion, "ValidatingPolicy", metadata(rule), validatingSpec{
		Actions: []string{"Warn", "Audit"}, FailurePolicy: "Ignore", Autogen: noAutogen(), Evaluation: inBackground(),
		Match: rule.Match(), MatchConditions: wanted,
		Variables:   slices.Concat([]cel.Variable{told}, cel.Needs(set.Model, finding.Expression), []cel.Variable{finding}),
		Validations: []cel.Validation{rule.Validation()},
	}}
}

func metadata(rule cel.Rule) cel.Metadata {
	return cel.Metadata{
		Name: "headroom-" + rule.Slug, Labels: cel.Labels,
		Annotations: map[string]string{
			"policies.kyverno.io/title":       rule.Title,
			"policies.kyverno.io/category":    "headroom: " + strings.ToUpper(rule.Category[:1]) + rule.Category[1:],
			severityKey:                       severities[rule.Severity],
			"policies.kyverno.io/subject":     "Pod, Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController, Job, CronJob",
			"policies.kyverno.io/description": rule.Description,
			"headroom.dev/rule":               rule.ID,
			"headroom.dev/remediation":        rule.Remediation,
		},
	}
}

func yamlOf(values ...any) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(cel.Notice)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	for _, value := range values {
		if err := encoder.Encode(value); err != nil {
			return nil, fmt.Errorf("write YAML: %w", err)
		}
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
}

type kustomization struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Resources  []string `yaml:"resources"`
	Patches    []patch  `yaml:"patches,omitempty"`
}

type patch struct {
	Target struct {
		Kind        string `yaml:"kind"`
		Annotations string `yaml:"annotationSelector"`
	} `yaml:"target"`
	Patch string `yaml:"patch"`
}

func newKustomization(resources []string) kustomization {
	return kustomization{APIVersion: "kustomize.config.k8s.io/v1beta1", Kind: "Kustomization", Resources: resources}
}

// kustomizations are the set that warns, and beside it the overlay that denies what is an error. An
// overlay cannot build upon the folder that it stands in, so each names the policies' folders.
func kustomizations(set *cel.Set) ([]File, error) {
	var folders, above []string
	for _, rule := range set.Rules {
		folders = append(folders, rule.Slug)
		above = append(above, path.Join("../..", rule.Slug))
	}
	base, err := yamlOf(newKustomization(folders))
	if err != nil {
		return nil, err
	}
	deny := newKustomization(above)
	p := patch{Patch: denying}
	p.Target.Kind, p.Target.Annotations = "ValidatingPolicy", severityKey+"="+severities[engine.SeverityError]
	deny.Patches = []patch{p}
	overlay, err := yamlOf(deny)
	if err != nil {
		return nil, err
	}
	return []File{{"kustomization.yaml", base}, {"overlays/deny/kustomization.yaml", overlay}}, nil
}
