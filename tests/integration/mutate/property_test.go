//go:build integration

package mutate_test

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

// TestGenerated holds the mutations to the engine in Pods that nobody wrote.
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
