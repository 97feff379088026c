//go:build integration

// Package total breaks every field of a manifest, of its surroundings and of what diagnose
// reads, in Rego: the policies must answer all the same. A search takes half a minute.
package total

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

func TestSearches(t *testing.T) {
	modules, err := regotest.Load(repo.Path("policies/rego"), ".")
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := regotest.Compile(modules)
	if err != nil {
		t.Fatal(err)
	}
	results, err := regotest.Run(t.Context(), compiler, regotest.Options{Filter: `search_test\.`})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 {
		t.Errorf("%d searches ran, not 3", len(results))
	}
	for _, r := range results {
		if !r.Pass() {
			t.Errorf("%s: %s: %v", r.Location, r, r.Error)
		}
	}
}
