package lint

import (
	"fmt"
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
		rule, ok := ruleNamed(rules, strings.TrimSpace(name))
		switch {
		case !ok:
			return nil, fmt.Errorf("there is no rule %q%s; `headroom rules` lists them", name, meant(rules, name))
		case !rule.Fixable:
			return nil, fmt.Errorf("%s %s has no fix: what is right is for a person to say; `headroom rules %s` tells more",
				rule.ID, rule.Slug, rule.ID)
		}
		set[rule.ID] = true
	}
	return set, nil
}

func ruleNamed(rules []engine.Rule, name string) (engine.Rule, bool) {
	for _, r := range rules {
		if strings.EqualFold(r.ID, name) || strings.EqualFold(r.Slug, name) {
			return r, true
		}
	}
	return engine.Rule{}, false
}

// meant asks whether another name was meant, where one is near.
func meant(rules []engine.Rule, name string) string {
	best, distance := "", len(name)/2+1
	for _, r := range rules {
		for _, candidate := range []string{r.ID, r.Slug} {
			if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(candidate)); d < distance {
				best, distance = r.ID+" "+r.Slug, d
			}
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}
