//go:build integration

package mutate_test

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

// TestGenerated compares the mutations with the engine's in generated Pods.
func TestGenerated(t *testing.T) {
	p := newPair(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		pods := podOf(random.New(t).Object)
		if len(pods) != 1 {
			return
		}
		var pod map[string]any
		if err := json.Unmarshal([]byte(text(pods[0])), &pod); err != nil {
			t.Fatal(err)
		}
		pod, _ = whole(pod).(map[string]any)
		p.check(t, given{name: "generated", pod: pod, cautious: caution(pod)})
	})
}
