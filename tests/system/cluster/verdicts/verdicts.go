// Package verdicts holds what a cluster's policies say of an object against what the engine
// says of it.
package verdicts

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Judge is the engine, less the rules that are not written in CEL.
type Judge struct {
	// NoInfos leaves out infos where BySeverity names findings: not all policies warn of them.
	NoInfos bool
	engine  *engine.Engine
	rules   map[string]bool
}

// New makes a judge with the default settings, which the policies have too.
func New(ctx context.Context) (*Judge, error) {
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return nil, err
	}
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	j := &Judge{engine: e, rules: map[string]bool{}}
	for _, rule := range rules {
		j.rules[rule.ID] = rule.Kyverno
	}
	return j, nil
}

func around(namespace map[string]any) (*engine.Context, error) {
	if namespace == nil {
		return nil, nil
	}
	return engine.NewContext("", map[string][]map[string]any{"namespaces": {namespace}})
}

// Findings are what the CEL should find in an object. The namespace may be nil.
func (j *Judge) Findings(ctx context.Context, object, namespace map[string]any) ([]engine.Finding, error) {
	c, err := around(namespace)
	if err != nil {
		return nil, err
	}
	result, err := j.engine.Evaluate(ctx, engine.Review{Manifest: object, Around: c})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(result.Findings, func(f engine.Finding) bool { return !j.rules[f.Rule] }), nil
}

// BySeverity names the findings that are errors, and the others.
func (j *Judge) BySeverity(ctx context.Context, object, namespace map[string]any) (errs, others []string, err error) {
	findings, err := j.Findings(ctx, object, namespace)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range findings {
		switch {
		case f.Severity == "error":
			errs = append(errs, named(f.Rule, f.Container))
		case f.Severity == "warning" || !j.NoInfos:
			others = append(others, named(f.Rule, f.Container))
		}
	}
	return sorted(errs), sorted(others), nil
}

// Fix is what the webhook would make of an object.
func (j *Judge) Fix(ctx context.Context, object, namespace map[string]any) (engine.Fixed, error) {
	c, err := around(namespace)
	if err != nil {
		return engine.Fixed{}, err
	}
	return j.engine.Fix(ctx, engine.Review{Manifest: object, Around: c})
}

// Of names findings as Said does: "HR202 app", and "HR104 the workload" where no container is
// at fault. It is sorted, and has each once.
func Of(findings []engine.Finding) []string {
	var list []string
	for _, f := range findings {
		list = append(list, named(f.Rule, f.Container))
	}
	return sorted(list)
}

func named(rule, container string) string {
	if container == "" {
		container = "the workload"
	}
	return rule + " " + container
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

var (
	message  = regexp.MustCompile(`\b(HR\d{3}) [a-z0-9-]+: (?:container [a-z0-9.-]+|the workload): `)
	finding  = regexp.MustCompile(`(?:^|[:|] )(?:container ([a-z0-9.-]+)|the workload): `)
	mistaken = regexp.MustCompile(`(?i)resulted in error|policy [a-z0-9-]+ error|no such key|no such overload|failed to evaluate`)
)

// Said reads the messages of policies, one or several in a text. Texts that are about
// something else are left out; a policy that could not be evaluated is an error.
func Said(texts ...string) ([]string, error) {
	var list []string
	for _, text := range texts {
		if mistaken.MatchString(text) {
			return nil, fmt.Errorf("a policy failed: %s", text)
		}
		heads := message.FindAllStringSubmatchIndex(text, -1)
		for i, head := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			// Behind the rule's number and name.
			for _, found := range finding.FindAllStringSubmatch(text[head[3]:end], -1) {
				list = append(list, named(text[head[2]:head[3]], found[1]))
			}
		}
	}
	return sorted(list), nil
}
