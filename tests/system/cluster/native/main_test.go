//go:build system

// Package native applies the API server's own admission policies to a real one, and holds it to
// the engine's verdicts: no webhook runs.
package native

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/cluster/verdicts"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true}, &cluster))
}

var apply sync.Once

// start applies every policy. Those whose types are checked come first: the controllers are busy
// with the others for long.
func start(t *testing.T) *verdicts.Suite {
	t.Helper()
	apply.Do(func() {
		for _, file := range []string{"validating.yaml", "enforce.yaml"} {
			if err := join(t.Context(), file); err != nil {
				t.Fatal(err)
			}
		}
		files, err := filepath.Glob(filepath.Join(cluster.Root(), "policies", "export", "cel", "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no policies are there: %v", err)
		}
		for _, file := range files {
			cluster.Must(t, "apply", "--server-side", "-f", file)
		}
	})
	return verdicts.NewSuite(t, cluster)
}
