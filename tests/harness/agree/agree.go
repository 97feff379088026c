// Package agree holds what other engines say to what headroom lint says.
package agree

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Findings are those of headroom lint; a problem fails the test.
func Findings(t *testing.T, config map[string]any, paths ...string) []engine.Finding {
	t.Helper()
	e, err := engine.New(t.Context(), engine.Options{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	report, err := lint.Run(t.Context(), e, lint.Options{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("problem: %+v", p)
	}
	return report.Findings
}

// Lines tells of the lines that one of the two does not say.
func Lines(t *testing.T, other string, got, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Error("nothing to compare")
	}
	for _, l := range want {
		if !slices.Contains(got, l) {
			t.Errorf("only headroom lint says: %s", l)
		}
	}
	for _, l := range got {
		if !slices.Contains(want, l) {
			t.Errorf("only %s says: %s", other, l)
		}
	}
}
