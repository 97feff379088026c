//go:build integration

package fix_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/tests/harness/random"
)

// A normal run asks the same each time, so that a change is judged by what it changed.
// -rapid.seed=0 -rapid.checks=10000 looks for what is new.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "20261121"); err != nil {
		panic(err) // rapid has renamed its flag
	}
	os.Exit(m.Run())
}

// TestGenerated holds generated Pods and workloads to every promise of check.
func TestGenerated(t *testing.T) {
	for name, config := range configs {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, config)
			rapid.Check(t, func(t *rapid.T) {
				made := random.New(t)
				g := given{object: made.Object, around: made.Around}
				fixed, err := check(e, g)
				if err != nil {
					text, _ := json.Marshal(g.object)
					around, _ := json.Marshal(g.around)
					patch, _ := json.Marshal(fixed.Patch)
					t.Fatalf("%v\n%s\n%s\npatch %s", err, text, around, patch)
				}
			})
		})
	}
}
