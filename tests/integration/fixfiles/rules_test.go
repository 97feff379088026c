//go:build integration

package fixfiles_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Each rule alone: its fixes and no others are made, nothing is left of it, and no object gets
// a finding that it did not have.
func TestRules(t *testing.T) {
	s := with(t, eager)
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for name, text := range manifests(t, "../../../policies/rego/headroom/rules", "bad") {
		files[strings.ReplaceAll(name, "/", "-")] = text
	}
	done := 0
	for _, rule := range rules {
		if !rule.Fixable {
			continue
		}
		options := lint.FixOptions{Rules: []string{rule.Slug}, Paths: []string{folderOf(t, t.TempDir(), files)}}
		before := s.findings(t, options.Paths)
		result, err := lint.Fix(t.Context(), s.engine, options)
		if err != nil {
			t.Fatal(err)
		}
		applied := 0
		for _, file := range result.Files {
			for _, o := range file.Objects {
				for _, a := range o.Applied {
					applied++
					if a.Rule != rule.ID {
						t.Errorf("%s: %+v is made, too", rule.ID, a)
					}
				}
			}
			if err := os.WriteFile(filepath.FromSlash(file.Name), file.After, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if applied > 0 {
			done++
		}
		for key, severity := range s.findings(t, options.Paths) {
			if key.rule == rule.ID && key.fixable {
				t.Errorf("%s: %+v is left", rule.ID, key)
			}
			key.fixable = !key.fixable
			other := before[key]
			key.fixable = !key.fixable
			if weights[severity] > max(weights[before[key]], weights[other]) {
				t.Errorf("%s: %+v, %s, is new", rule.ID, key, severity)
			}
		}
		if result.Dropped > 0 {
			t.Errorf("%s: %d fixes were left out", rule.ID, result.Dropped)
		}
	}
	if done < 10 {
		t.Errorf("%d rules had something to fix", done)
	}
}

var weights = map[string]int{engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}

type about struct {
	rule, file, name, container string
	fixable                     bool
}

// findings are those of the linter, with their severities.
func (s *setup) findings(t tester, paths []string) map[about]string {
	t.Helper()
	report, err := lint.Run(context.Background(), s.engine, lint.Options{Paths: paths, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	all := map[about]string{}
	for i := range report.Findings {
		f := &report.Findings[i]
		key := about{f.Rule, filepath.Base(f.File), f.Resource.Name, f.Container, f.Fixable}
		if weights[f.Severity] > weights[all[key]] {
			all[key] = f.Severity
		}
	}
	return all
}
