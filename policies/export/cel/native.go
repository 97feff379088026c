package cel

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

const apiVersion = "admissionregistration.k8s.io/v1"

// Labels mark every object that is generated.
var Labels = map[string]string{"app.kubernetes.io/name": "headroom", "app.kubernetes.io/component": "policies"}

// Metadata is that of a generated object.
type Metadata struct {
	Name        string            `yaml:"name"`
	Labels      map[string]string `yaml:"labels,omitempty"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

type document struct {
	APIVersion string   `yaml:"apiVersion"`
	Kind       string   `yaml:"kind"`
	Metadata   Metadata `yaml:"metadata"`
	Spec       any      `yaml:"spec"`
}

type validatingSpec struct {
	FailurePolicy   string           `yaml:"failurePolicy"`
	Match           Match            `yaml:"matchConstraints"`
	MatchConditions []MatchCondition `yaml:"matchConditions"`
	Variables       []Variable       `yaml:"variables"`
	Validations     []Validation     `yaml:"validations"`
}

// Validation is one expression that has to be true, and what is said where it is not.
type Validation struct {
	Expression string `yaml:"expression"`
	Message    string `yaml:"message"`
	MessageOf  string `yaml:"messageExpression"`
	Reason     string `yaml:"reason,omitempty"`
}

type bindingSpec struct {
	PolicyName     string          `yaml:"policyName"`
	Actions        []string        `yaml:"validationActions,omitempty,flow"`
	MatchResources *matchResources `yaml:"matchResources,omitempty"`
}

type matchResources struct {
	NamespaceSelector selector `yaml:"namespaceSelector"`
}

type selector struct {
	Labels      map[string]string `yaml:"matchLabels,omitempty"`
	Expressions []requirement     `yaml:"matchExpressions,omitempty"`
}

type requirement struct {
	Key      string   `yaml:"key"`
	Operator string   `yaml:"operator"`
	Values   []string `yaml:"values"`
}

// modeLabel is the Namespace's label that says how much headroom may do there.
const modeLabel = "headroom.dev/mode"

// Validating is the set as one ValidatingAdmissionPolicy that warns of errors and warnings, and a binding for every
// namespace whose mode is not off. An evaluation that fails, for its cost say, warns too.
func (s *Set) Validating() ([]byte, error) {
	var told []Rule
	for _, rule := range s.Rules {
		if rule.Severity != "info" {
			told = append(told, rule)
		}
	}
	return s.validating("headroom", told, bindingSpec{
		PolicyName: "headroom", Actions: []string{"Warn", "Audit"},
		MatchResources: &matchResources{selector{Expressions: []requirement{{modeLabel, "NotIn", []string{"off"}}}}},
	}, noInfos)
}

// Denying is the policy of the rules that are errors, bound to the namespaces in enforce.
func (s *Set) Denying() ([]byte, error) {
	var errs []Rule
	for _, rule := range s.Rules {
		if rule.Severity == "error" {
			errs = append(errs, rule)
		}
	}
	return s.validating("headroom-enforce", errs, bindingSpec{
		PolicyName: "headroom-enforce", Actions: []string{"Deny", "Audit"},
		MatchResources: &matchResources{selector{Labels: map[string]string{modeLabel: "enforce"}}},
	}, ErrorsOnly)
}

func (s *Set) validating(name string, rules []Rule, binding bindingSpec, finding func(Rule) Variable) ([]byte, error) {
	variables, validations := make([]Variable, 0, len(rules)), make([]Validation, 0, len(rules))
	var expressions []string
	for _, rule := range rules {
		v := finding(rule)
		expressions = append(expressions, v.Expression)
		variables = append(variables, v)
		validations = append(validations, rule.Validation())
	}
	return yamlOf(
		document{apiVersion, "ValidatingAdmissionPolicy", Metadata{Name: name, Labels: Labels}, validatingSpec{
			FailurePolicy: "Fail", Match: matchOf(rules), MatchConditions: Changed,
			Variables: append(Needs(s.Model, expressions...), variables...), Validations: validations,
		}},
		document{apiVersion, "ValidatingAdmissionPolicyBinding", Metadata{Name: name, Labels: Labels}, binding},
	)
}

// noInfos leaves out what no warning tells of in the webhook either.
func noInfos(rule Rule) Variable { return only(rule, "f.severity != 'info'") }

// ErrorsOnly holds the findings of a rule that are errors. A rule can have lesser findings too: without a
// class, a finding that is not certain is a warning.
func ErrorsOnly(rule Rule) Variable { return only(rule, "f.severity == 'error'") }

func only(rule Rule, finding string) Variable {
	v := rule.Variable()
	v.Expression = "(" + v.Expression + ").filter(f, " + finding + ")"
	return v
}

// Validation holds where the rule found nothing.
func (r Rule) Validation() Validation {
	return Validation{Expression: "variables." + r.Variable().Name + ".size() == 0", Message: fmt.Sprintf("%s %s: %s. %s", r.ID, r.Slug, r.Title, r.Advice()), MessageOf: r.Message()}
}

// yamlOf writes documents; expressions of several lines come as blocks that people can read.
func yamlOf(documents ...document) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(Notice)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	for _, d := range documents {
		if err := encoder.Encode(d); err != nil {
			return nil, fmt.Errorf("write %s %s: %w", d.Kind, d.Metadata.Name, err)
		}
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("write policies: %w", err)
	}
	return out.Bytes(), nil
}

// Notice heads every file of policies.
const Notice = "# Written by headroom from the metadata of its rules and from their CEL. Do not edit.\n"
