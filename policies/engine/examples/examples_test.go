// Package examples holds the rules to their own example manifests, and the samples to what
// they say of themselves.
package examples

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const root = "../../.."

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e := defaults.Engine(t)
	return e
}

func judge(t *testing.T, e *engine.Engine, text string) *report.Report {
	t.Helper()
	report, err := lint.Run(t.Context(), e, lint.Options{
		Paths:  []string{"-"},
		Source: source.Options{Stdin: strings.NewReader(text)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("line %d: %s", p.Line, p.Message)
	}
	return report
}

// Each rule's bad.yaml gives its ID, its good.yaml nothing at all.
func TestExamplesOfEveryRule(t *testing.T) {
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(root, "policies/rego/headroom/rules/*/*"))
	if err != nil || len(rules) == 0 || len(rules) != len(folders) {
		t.Errorf("%d rules in %d folders: %v", len(rules), len(folders), err)
	}
	e := newEngine(t)
	for _, rule := range rules {
		t.Run(rule.ID, func(t *testing.T) {
			bad := judge(t, e, rule.Bad)
			var others []string
			fires := false
			for _, f := range bad.Findings {
				if f.Rule != rule.ID {
					others = append(others, f.Rule)
					continue
				}
				fires = true
				if f.Severity != rule.Severity {
					t.Errorf("bad.yaml gives severity %s, the rule says %s", f.Severity, rule.Severity)
				}
				if f.Line == 0 || f.Message == "" || f.Expected == "" {
					t.Errorf("incomplete: %+v", f)
				}
			}
			if !fires {
				t.Errorf("bad.yaml does not give %s, only %v", rule.ID, others)
			}
			if len(others) > 0 {
				t.Logf("bad.yaml also gives %v", others)
			}
			for _, f := range judge(t, e, rule.Good).Findings {
				t.Errorf("good.yaml gives %s: %s", f.Rule, f.Message)
			}
		})
	}
}

// What each sample that is wrong is there to show: rule and container.
var wrong = map[string][]string{
	"wrong/article-service.yaml": {
		"HR202 article-service", "HR203 article-service", "HR302 article-service", "HR304 article-service",
		"HR307 article-service", "HR403 article-service", "HR404 article-service", "HR407 article-service", "HR408 article-service",
		"HR413 article-service",
	},
	"wrong/nginx-proxy.yaml":    {"HR205 nginx-proxy", "HR208 recommendation", "HR209"},
	"wrong/nightly-report.yaml": {"HR206 report", "HR306 report", "HR306 report"},
	"wrong/search-indexer.yaml": {
		"HR103", "HR203 search-indexer", "HR204 search-indexer", "HR302 search-indexer",
		"HR503 search-indexer",
	},
	"wrong/tenant-api.yaml": {"HR104", "HR207 api", "HR502 api"},
}

func TestSamples(t *testing.T) {
	e := newEngine(t)
	report, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{filepath.Join(root, "samples")}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	severities := map[string]bool{}
	for _, f := range report.Findings {
		file, err := filepath.Rel(filepath.Join(root, "samples"), f.File)
		if err != nil {
			t.Fatal(err)
		}
		severities[f.Severity] = true
		got[file] = append(got[file], strings.TrimSpace(f.Rule+" "+f.Container))
	}
	if len(severities) != 3 {
		t.Errorf("the samples show only the severities %v", slices.Collect(maps.Keys(severities)))
	}
	for file, findings := range got {
		slices.Sort(findings)
		if !slices.Equal(findings, wrong[file]) {
			t.Errorf("%s:\n got %q\nwant %q", file, findings, wrong[file])
		}
	}
	for file := range wrong {
		if got[file] == nil {
			t.Errorf("%s gives nothing", file)
		}
	}
}
