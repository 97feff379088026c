package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// unknownRules are the names in `rules` and `ignore` that are no rule's: a typo there would
// switch nothing off, without a word.
func unknownRules(file string, root *yaml.Node, config map[string]any) error {
	var named [][]string // each the path of a name
	rules, _ := config["rules"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		named = append(named, []string{"rules", name})
	}
	ignore, _ := config["ignore"].([]any)
	for i, entry := range ignore {
		exemption, _ := entry.(map[string]any)
		list, _ := exemption["rules"].([]any)
		for j, name := range list {
			if name != "*" {
				named = append(named, []string{"ignore", strconv.Itoa(i), "rules", strconv.Itoa(j), fmt.Sprint(name)})
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	known, err := ruleNames()
	if err != nil {
		return err
	}
	var found []Problem
	for _, path := range named {
		name := path[len(path)-1]
		if slices.Contains(known, name) {
			continue
		}
		text := fmt.Sprintf("%s: there is no rule %s", path[0], strconv.Quote(name))
		if near := nearestRule(name, known); near != "" {
			text += "; did you mean " + near + "?"
		} else {
			text += "; `headroom rules` lists them"
		}
		found = append(found, Problem{File: file, Line: lineOf(root, path), Message: text})
	}
	if len(found) == 0 {
		return nil
	}
	return yamlfile.Joined(found)
}

// ruleNames are the IDs and the slugs of all rules.
func ruleNames() ([]string, error) {
	text, err := policies.Files.ReadFile("schema/rules.json")
	if err != nil {
		return nil, fmt.Errorf("read the names of the rules: %w", err)
	}
	var slugs map[string]string
	if err := json.Unmarshal(text, &slugs); err != nil {
		return nil, fmt.Errorf("read the names of the rules: %w", err)
	}
	return slices.Concat(slices.Sorted(maps.Keys(slugs)), slices.Sorted(maps.Values(slugs))), nil
}

// nearestRule is the slug or ID that a name is closest to, "" when none is near. Of IDs only
// the case is a slip: HR302 is not HR303 misspelt.
func nearestRule(name string, known []string) string {
	best, distance := "", 4
	for _, rule := range known {
		if strings.EqualFold(rule, name) {
			return rule
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(name), rule); strings.Contains(rule, "-") && d < distance {
			best, distance = rule, d
		}
	}
	return best
}
