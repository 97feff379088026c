//go:build integration

package fix_test

import (
	"encoding/json"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/tests/harness/random"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261121)
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
