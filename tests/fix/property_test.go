package fix_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestGenerated holds generated Pods and workloads to every promise of check.
func TestGenerated(t *testing.T) {
	for name, config := range configs {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, config)
			rapid.Check(t, func(t *rapid.T) {
				g := generated(t)
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
