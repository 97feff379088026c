package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies"
)

// Rule is what a rule's METADATA block says of it. Docs, the README table, SARIF and
// `headroom rules` are made from it.
type Rule struct {
	ID          string      `json:"rule"`
	Slug        string      `json:"slug"`
	Category    string      `json:"category"` // directory under rules/
	Title       string      `json:"title"`
	Description string      `json:"description"` // why, in Markdown
	Remediation string      `json:"remediation"` // how to fix it, in Markdown
	Severity    string      `json:"severity"`    // default severity
	Harm        string      `json:"harm"`        // what it leads to: one of Harms
	Certain     bool        `json:"certain"`     // an error for any workload, with or without a class
	Size        string      `json:"size"`        // what findings are measured in, the larger the worse; "" for not at all
	Fixable     bool        `json:"fixable"`     // the webhook and `headroom fix` can fix it
	Kyverno     bool        `json:"kyverno"`     // there is a Kyverno policy of the same name
	Facts       []string    `json:"facts"`       // numbers of the facts that it rests on, as on docs/facts
	References  []Reference `json:"references"`
	Bad         string      `json:"bad"`  // example manifest that is reported, YAML
	Good        string      `json:"good"` // the same as it should be
}

// Harms are what findings lead to, the worst first: the container does not start, is OOMKilled,
// evicted, throttled or starved of CPU. Or it takes what its neighbours need, has more threads than
// CPU, has long GC pauses, costs more than it has to, or none of these.
var Harms = []string{
	"start", "OOMKilled", "evicted", "throttled", "starved", "neighbours", "threads", "pauses", "cost", "style",
}

// Reference is a link to read on.
type Reference struct {
	URL         string `json:"url"`
	Description string `json:"description"`
}

// Rules reads the rules from their directories, sorted by ID. It reads annotations, which
// evaluation does not, and so stands apart from New.
func Rules() ([]Rule, error) {
	files, err := moduleFiles()
	if err != nil {
		return nil, err
	}
	var ruleFiles []string
	for _, file := range files {
		if path.Base(file) == "rule.rego" {
			ruleFiles = append(ruleFiles, file)
		}
	}
	modules, err := parseModules(ruleFiles, true)
	if err != nil {
		return nil, err
	}
	rules := make([]Rule, 0, len(modules))
	for file, module := range modules {
		rule, err := ruleOf(file, module)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		rules = append(rules, rule)
	}
	slices.SortFunc(rules, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules, onceEach(rules)
}

// onceEach is an error where two rules have one ID.
func onceEach(rules []Rule) error {
	slugs := map[string]string{}
	for _, rule := range rules {
		if other, ok := slugs[rule.ID]; ok {
			return fmt.Errorf("rule ID %s stands in two directories: %s and %s", rule.ID, other, rule.Slug)
		}
		slugs[rule.ID] = rule.Slug
	}
	return nil
}

func ruleOf(file string, module *ast.Module) (Rule, error) {
	dir := path.Dir(file)
	rule := Rule{Slug: path.Base(dir), Category: path.Base(path.Dir(dir))}
	for _, a := range module.Annotations {
		if a.Scope != "package" {
			continue
		}
		rule.Title = a.Title
		rule.Description = strings.TrimSpace(a.Description)
		rule.ID, _ = a.Custom["id"].(string)
		rule.Severity, _ = a.Custom["severity"].(string)
		rule.Harm, _ = a.Custom["harm"].(string)
		rule.Certain, _ = a.Custom["certain"].(bool)
		rule.Size, _ = a.Custom["size"].(string)
		rule.Fixable, _ = a.Custom["fixable"].(bool)
		rule.Kyverno, _ = a.Custom["kyverno"].(bool)
		facts, _ := a.Custom["facts"].([]any)
		rule.Facts = make([]string, 0, len(facts))
		for _, fact := range facts {
			number, _ := fact.(string)
			if factNumber().FindString(number) != number || number == "" {
				return Rule{}, fmt.Errorf("custom.facts of the METADATA block: %v is no number of a fact", fact)
			}
			rule.Facts = append(rule.Facts, number)
		}
		remediation, _ := a.Custom["remediation"].(string)
		rule.Remediation = strings.TrimSpace(remediation)
		for _, r := range a.RelatedResources {
			rule.References = append(rule.References, Reference{URL: r.Ref.String(), Description: r.Description})
		}
	}
	for name, value := range map[string]string{
		"title": rule.Title, "description": rule.Description, "custom.id": rule.ID,
		"custom.severity": rule.Severity, "custom.remediation": rule.Remediation,
	} {
		if value == "" {
			return Rule{}, fmt.Errorf("the METADATA block has no %s", name)
		}
	}
	if !slices.Contains(Harms, rule.Harm) {
		return Rule{}, fmt.Errorf("custom.harm of the METADATA block is %q, want one of %s", rule.Harm, strings.Join(Harms, ", "))
	}
	for name, into := range map[string]*string{"good.yaml": &rule.Good, "bad.yaml": &rule.Bad} {
		example, err := policies.Files.ReadFile(path.Join(dir, name))
		if err != nil {
			return Rule{}, fmt.Errorf("read example: %w", err)
		}
		*into = string(example)
	}
	return rule, nil
}
