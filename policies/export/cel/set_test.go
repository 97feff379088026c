package cel

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

func newSet(t *testing.T, config map[string]any) *Set {
	t.Helper()
	set, err := New(t.Context(), config, Native)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestEveryRuleMarkedKyvernoHasItsCEL(t *testing.T) {
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	set := newSet(t, nil)
	for _, rule := range rules {
		there := slices.ContainsFunc(set.Rules, func(r Rule) bool { return r.ID == rule.ID })
		if there != rule.Kyverno {
			t.Errorf("%s: kyverno is %t in its metadata, and its CEL is there: %t", rule.ID, rule.Kyverno, there)
		}
	}
}

// Adding a rule without CEL must not rewrite the policies of the others.
func TestTheCELNamesNoRuleWithoutCEL(t *testing.T) {
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	set := newSet(t, nil)
	expressions := slices.Clone(set.Model)
	for _, rule := range set.Rules {
		expressions = append(expressions, rule.Variable())
	}
	for _, rule := range rules {
		for _, v := range expressions {
			if !rule.Kyverno && strings.Contains(v.Expression, "'"+rule.Slug+"'") {
				t.Errorf("variable %s names %s", v.Name, rule.ID)
			}
		}
	}
	if ids, slugs := namesOf(rules[:1]); ids != "['HR001']" || slugs != "{'quantity-invalid': 'HR001'}" {
		t.Errorf("names of a rule: %s, %s", ids, slugs)
	}
}

func TestConfigDecides(t *testing.T) {
	set := newSet(t, map[string]any{
		"tolerance": 0.5,
		"rules": map[string]any{
			"HR202":          map[string]any{"severity": "off"},
			"memory-missing": map[string]any{"severity": "info"},
		},
	})
	severities, infos := map[string]string{}, 0
	for _, rule := range set.Rules {
		severities[rule.ID] = rule.Severity
		if rule.Severity == "info" {
			infos++
		}
	}
	if _, there := severities["HR202"]; there || severities["HR301"] != "info" || severities["HR302"] != "error" {
		t.Errorf("severities: %v", severities)
	}
	if !strings.Contains(set.Model[0].Expression, "'tolerance': dyn(0.5)") {
		t.Errorf("config: %s", set.Model[0].Expression)
	}
	denied, err := set.Denying()
	if err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[string]bool{"HR202": false, "HR301": false, "HR101": false, "HR302": true} {
		if strings.Contains(string(denied), rule+" ") != want {
			t.Errorf("%s refused: want %t", rule, want)
		}
	}
	warned, err := set.Validating()
	if err != nil {
		t.Fatal(err)
	}
	// No rule that is an info, and no info of another.
	for text, want := range map[string]int{"HR301 ": 0, ".filter(f, f.severity != 'info')": len(set.Rules) - infos} {
		if got := strings.Count(string(warned), text); got != want {
			t.Errorf("%s: %d times, not %d", text, got, want)
		}
	}
}

// A finding is an error as judge.rego has it: where somebody named a class, where the rule is certain,
// or where the config says so.
func TestSeverities(t *testing.T) {
	find := func(set *Set, id string) string {
		for _, rule := range set.Rules {
			if rule.ID == id {
				_, severity, _ := strings.Cut(rule.Findings, "'severity': ")
				for strings.Contains(severity, "'severity': ") {
					_, severity, _ = strings.Cut(severity, "'severity': ")
				}
				return strings.TrimSuffix(severity, "})")
			}
		}
		t.Fatalf("no %s", id)
		return ""
	}
	set, configured := newSet(t, nil), newSet(t, map[string]any{"rules": map[string]any{
		"HR302": map[string]any{"severity": "error"}, "HR303": map[string]any{"severity": "warning"},
	}})
	for _, c := range []struct {
		set      *Set
		id, want string
	}{
		{set, "HR302", "f.container in variables.unsaid ? 'warning' : 'error'"},
		{set, "HR208", "'error'"},
		{set, "HR101", "'warning'"},
		{set, "HR403", "f[?'severity'].orValue('warning')"},
		{set, "HR303", "f[?'severity'].orValue('error') == 'error' && f.container in variables.unsaid ? 'warning' : f[?'severity'].orValue('error')"},
		{configured, "HR302", "'error'"},
		{configured, "HR303", "'warning'"},
	} {
		if got := find(c.set, c.id); got != c.want {
			t.Errorf("%s: %s, want %s", c.id, got, c.want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for want, value := range map[string]any{
		`{'a': dyn(1), 'b': dyn('x')}`: map[string]any{"b": "x", "a": 1.0},
		`{'a': 1, 'b': 2}`:             map[string]any{"b": 2.0, "a": 1.0},
		`[dyn(1), dyn(0.5)]`:           []any{1.0, 0.5},
		`['a', "it's"]`:                []any{"a", "it's"},
		`r"^\d+$"`:                     `^\d+$`,
		`"\x01\\s"`:                    "\x01\\s",
		`[dyn({'a': [1]}), dyn({'a': []})]`: []any{
			map[string]any{"a": []any{1.0}}, map[string]any{"a": []any{}},
		},
		`null`: nil,
	} {
		if got := Literal(value); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
