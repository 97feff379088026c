package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/headroom-dev/headroom/policies/engine"
)

// ruleSet gives the IDs of rules that are named by ID, in any case, or slug; nil for none.
func ruleSet(names []string) (map[string]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, name := range names {
		rule, err := RuleNamed(rules, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !rule.Fixable {
			return nil, fmt.Errorf("%s %s needs a manual fix (headroom rules %s tells more)",
				rule.ID, rule.Slug, rule.ID)
		}
		set[rule.ID] = true
	}
	return set, nil
}

// RuleNamed is the rule of an ID, in any case, or slug. The error names the one that is near.
func RuleNamed(rules []engine.Rule, name string) (engine.Rule, error) {
	for _, r := range rules {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Slug, name) {
			return r, nil
		}
	}
	return engine.Rule{}, fmt.Errorf("there is no rule %q%s (headroom rules lists them)", name, meant(rules, name))
}

// meant asks whether another name was meant, where one is near.
func meant(rules []engine.Rule, name string) string {
	name = strings.ToLower(name)
	best, distance, alike := "", len(name)/3+1, 0
	for _, r := range rules {
		for _, candidate := range []string{r.ID, r.Slug} {
			candidate = strings.ToLower(candidate)
			d := levenshtein.ComputeDistance(name, candidate)
			if letters(name) == letters(candidate) || len(name) > 3 && strings.HasPrefix(candidate, name) {
				d = min(d, 1) // two of them changed places, or the end is missing
			}
			if n := common(name, candidate); d < distance || best != "" && d == distance && n > alike {
				best, distance, alike = r.ID+" "+r.Slug, d, n
			}
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// letters are those of a text, sorted.
func letters(text string) string {
	all := []byte(text)
	slices.Sort(all)
	return string(all)
}

// common is how many letters two texts begin with alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
