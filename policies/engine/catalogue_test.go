package engine

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies"
)

func TestRulesAreSorted(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	rules, err := Rules()
	if err != nil {
		t.Fatal(err)
	}
	if now := runtime.GOMAXPROCS(0); now != processors {
		t.Errorf("%d processors became %d", processors, now)
	}
	for i, rule := range rules {
		if rule.ID == "" || i > 0 && rules[i-1].ID >= rule.ID {
			t.Errorf("%d: %q", i, rule.ID)
		}
	}
}

func TestRuleOf(t *testing.T) {
	const (
		dir  = bundleRoot + "/rules/cpu/latency-cpu-limit"
		file = dir + "/rule.rego"
		text = `# METADATA
# title: T
# description: "D\n"
# related_resources:
# - ref: https://example.com/a
#   description: R
# custom:
#   id: HR1
#   severity: error
#   harm: throttled
#   certain: true
#   size: ms
#   facts: [T1, M1]
#   fixable: true
#   remediation: "M\n"
package a

# METADATA
# title: of a rule
# scope: rule
b := 1
`
	)
	read := func(text string) (Rule, error) {
		module, err := ast.ParseModuleWithOpts(file, text, ast.ParserOptions{ProcessAnnotation: true})
		if err != nil {
			t.Fatal(err)
		}
		return ruleOf(file, module)
	}
	good, err := policies.Files.ReadFile(dir + "/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	bad, err := policies.Files.ReadFile(dir + "/bad.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := Rule{
		ID: "HR1", Slug: "latency-cpu-limit", Category: "cpu", Title: "T", Description: "D", Remediation: "M",
		Severity: "error", Harm: "throttled", Certain: true, Size: "ms", Fixable: true, Facts: []string{"T1", "M1"},
		References: []Reference{{URL: "https://example.com/a", Description: "R"}}, Good: string(good), Bad: string(bad),
	}
	if got, err := read(text); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nnot %+v", got, err, want)
	}
	for _, tc := range []struct{ from, to, want string }{
		{"title: T\n", "title: \"\"\n", "the METADATA block has no title"},
		{`"D\n"`, `" "`, "the METADATA block has no description"},
		{"id: HR1", "id: 1", "the METADATA block has no custom.id"},
		{"severity: error", "severity: [error]", "the METADATA block has no custom.severity"},
		{`"M\n"`, `""`, "the METADATA block has no custom.remediation"},
		{
			"harm: throttled", "harm: slow",
			`custom.harm of the METADATA block is "slow", want one of start, OOMKilled, evicted, throttled, starved, neighbours, threads, pauses, cost, style`,
		},
		{"M1", `""`, "custom.facts of the METADATA block:  is no number of a fact"},
		{"M1", "T0", "custom.facts of the METADATA block: T0 is no number of a fact"},
		{"M1", `"T1 "`, "custom.facts of the METADATA block: T1  is no number of a fact"},
		{"M1", "7", "custom.facts of the METADATA block: 7 is no number of a fact"},
	} {
		if got, err := read(strings.Replace(text, tc.from, tc.to, 1)); err == nil || err.Error() != tc.want {
			t.Errorf("%s: %+v, %v", tc.to, got, err)
		}
	}
	module, err := ast.ParseModuleWithOpts(file, text, ast.ParserOptions{ProcessAnnotation: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ruleOf(bundleRoot+"/rules/cpu/none/rule.rego", module); err == nil || !strings.HasPrefix(err.Error(), "read example: ") {
		t.Error(err)
	}
}

func TestPageAndTextOfARule(t *testing.T) {
	r := Rule{
		ID: "HR1", Slug: "slug", Category: "cpu", Title: "Title", Severity: "error", Fixable: true, Kyverno: true,
		Description: "Why `a`.\n\nMore.", Remediation: "Do it.", Bad: "\nbad: 1\n", Good: "good: 1\n\n",
		References: []Reference{{URL: "https://example.com/a"}, {URL: "https://example.com/b", Description: "B"}},
	}
	const text = `HR1  Title

  Name            slug
  Severity        error; warning while no class is set
  Category        cpu
  Fixable         yes, where it can do no harm
  Kyverno policy  yes

Why

  Why ` + "`a`" + `.

  More.

What to do

  Do it.

Reported

  bad: 1

Right

  good: 1

Read on

  https://example.com/a
  https://example.com/b
`
	if got := r.Text(); got != text {
		t.Errorf("%s\nnot\n%s", got, text)
	}
	page := r.Page()
	for _, part := range []string{
		"policies/rego/headroom/rules/cpu/slug. Do not edit. -->\n\n# HR1: Title\n\n| | |\n|---|---|\n| Rule | HR1 |\n| Name | slug |\n",
		"| Kyverno policy | yes |\n\n## Why\n\nWhy `a`.\n\nMore.\n\n## What to do\n\nDo it.\n\n## Example\n",
		"```yaml\nbad: 1\n```\n\nThis is right:\n\n```yaml\ngood: 1\n```\n\n## Exempt a workload\n",
		"ignore.headroom.dev/HR1: \"the reason\"", "  HR1: {severity: \"off\"}\n```\n\n## Read on\n\n",
		"- [https://example.com/a](https://example.com/a)\n- [B](https://example.com/b)\n",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in\n%s", part, page)
		}
	}
	tagged := Rule{Description: "annotate a.dev/<container>, or `b.dev/<container>`"}
	if page := tagged.Page(); !strings.Contains(page, "annotate a.dev/&lt;container>, or `b.dev/<container>`\n") {
		t.Errorf("a reader takes <container> for a tag and shows nothing: %s", page)
	}
	none := Rule{ID: "HR2", Slug: "s", Severity: "info", Title: "T"}
	r.Certain = true
	if page := none.Page() + r.Page(); strings.Contains(page, "no class is set") || !strings.Contains(page, "| Severity | error |\n") {
		t.Error(page)
	}
	if strings.Contains(none.Page()+none.Text(), "Read on") || !strings.Contains(none.Text(), "Fixable         no\n") {
		t.Errorf("%s%s", none.Page(), none.Text())
	}
	want := "| rule | name | severity | fires when | fix | Kyverno |\n|---|---|---|---|---|---|\n" +
		"| [HR1](docs/HR1.md) | slug | error | Title | ✓ | ✓ |\n| [HR2](docs/HR2.md) | s | info | T |  |  |\n"
	if got := Table([]Rule{r, none}, "docs/"); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if got := r.HelpURI(); got != docsURL+"HR1.md" {
		t.Error(got)
	}
}
