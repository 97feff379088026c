package cel

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Set is the CEL of a config: the model that the rules share, and the rules.
type Set struct {
	Config map[string]any // nil for the defaults
	Model  []Variable
	Rules  []Rule
	// Mutations are what can be fixed.
	Mutations []Mutation
}

// Rule is a rule whose CEL is there. Findings gives a list of {container, text, severity},
// less what is exempted.
type Rule struct {
	engine.Rule
	Severity string // as configured, else the rule's
	Findings string
}

// Dialect is what differs between those who evaluate CEL.
type Dialect struct {
	// Now is the expression for today as YYYY-MM-DD, "" without a clock.
	Now string
	// Rewrite, where there is one, says an expression in the words of the dialect.
	Rewrite func(expression string) string
}

// Native is the API server, which has no clock for its policies. Each request leaves its time
// in the object's managed fields, though.
var Native = Dialect{Now: `[object.metadata.?managedFields.orValue([]).filter(m, has(m.time)).map(m, string(m.time))]` +
	`.map(times, times.size() == 0 ? '' : times.max().substring(0, 10))[0]`}

// New assembles the CEL for a config, nil for the defaults. The caller has checked it against
// the schema.
func New(ctx context.Context, config map[string]any, d Dialect) (*Set, error) {
	e, err := engine.New(ctx, engine.Options{Config: config})
	if err != nil {
		return nil, err
	}
	settings, err := e.Value(ctx, "data.headroom.config.settings")
	if err != nil {
		return nil, err
	}
	// An API server measures nothing, and what its policies carry is paid for with each request.
	if all, ok := settings.(map[string]any); ok {
		delete(all, "measured")
	}
	rules, err := exported()
	if err != nil {
		return nil, err
	}
	parts, err := newFragments(ctx, e, rules)
	if err != nil {
		return nil, err
	}
	model, err := parts.model("export/cel/model")
	if err != nil {
		return nil, err
	}
	say := d.Rewrite
	if say == nil {
		say = func(expression string) string { return expression }
	}
	for i := range model {
		model[i].Expression = say(model[i].Expression)
	}
	set := &Set{Config: config, Model: append([]Variable{
		{"config", Literal(settings)},
		{"now", d.Now},
	}, model...)}
	for _, rule := range rules {
		configured, err := configured(ctx, e, rule)
		if err != nil {
			return nil, err
		}
		if configured == "off" {
			continue
		}
		findings, err := parts.read(fileOf(rule))
		if err != nil {
			return nil, err
		}
		judged := exempted(rule, findings, severityOf(rule, configured, findings))
		set.Rules = append(set.Rules, Rule{rule, cmp.Or(configured, rule.Severity), say(judged)})
	}
	return set, set.mutations(parts, say)
}

// exported are the rules that have CEL. Nothing that is written here depends on the others.
func exported() ([]engine.Rule, error) {
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(rules, func(r engine.Rule) bool { return !r.Kyverno || !exists(fileOf(r)) }), nil
}

func fileOf(rule engine.Rule) string { return "export/cel/rules/" + rule.Slug + ".cel" }

// configured is the severity that the config gives to all findings of a rule, "" for none.
func configured(ctx context.Context, e *engine.Engine, rule engine.Rule) (string, error) {
	value, err := e.Value(ctx, fmt.Sprintf("data.headroom.config.severity(%q, %q, %q)", rule.ID, rule.Slug, ""))
	if err != nil {
		return "", err
	}
	severity, ok := value.(string)
	if !ok {
		return "", fmt.Errorf("%s has severity %v", rule.ID, value)
	}
	return severity, nil
}

// severityOf is the severity of a finding f: the config's or, as judge.rego has it, the finding's own.
// That is a warning instead of an error if no class is named and the rule is not certain.
func severityOf(rule engine.Rule, configured, findings string) string {
	if configured != "" {
		return text(configured)
	}
	const lowered = "f.container in variables.unsaid ? 'warning' : "
	loud := text(engine.SeverityError)
	own := text(rule.Severity)
	if !strings.Contains(findings, "'severity'") {
		if own == loud && !rule.Certain {
			return lowered + own
		}
		return own
	}
	given := fmt.Sprintf("f[?'severity'].orValue(%s)", own)
	if rule.Certain || own != loud && !strings.Contains(findings, loud) {
		return given
	}
	return given + " == 'error' && " + lowered + given
}

// exempted leaves out what the workload's annotations or the config exempt, and says how severe
// the rest is.
func exempted(rule engine.Rule, findings, severity string) string {
	return fmt.Sprintf("'%s' in variables.ignored ? [] :\n  (\n%s\n  ).filter(f, !(('%s/' + f.container) in variables.ignored_containers))\n"+
		"  .map(f, {'container': f.container, 'text': f.text, 'severity': %s})",
		rule.ID, "    "+strings.ReplaceAll(findings, "\n", "\n    "), rule.ID, severity)
}

var used = regexp.MustCompile(`\bvariables\.(\w+)`)

// Needs are the variables of a model that expressions use, in the model's order.
func Needs(model []Variable, expressions ...string) []Variable {
	needed := map[string]bool{}
	for todo := expressions; len(todo) > 0; {
		expression := todo[0]
		todo = todo[1:]
		for _, match := range used.FindAllStringSubmatch(expression, -1) {
			i := slices.IndexFunc(model, func(v Variable) bool { return v.Name == match[1] })
			if i >= 0 && !needed[match[1]] {
				needed[match[1]] = true
				todo = append(todo, model[i].Expression)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(model), func(v Variable) bool { return !needed[v.Name] })
}
