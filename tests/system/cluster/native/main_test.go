//go:build system

// Package native applies the API server's own admission policies to a real one, and holds it to
// the engine's verdicts: no webhook runs.
package native

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
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
		file := filepath.Join(t.TempDir(), "policies.yaml")
		write := exec.CommandContext(t.Context(), program.Headroom(t), "policies", "native", "--enforce", "--mutate", "-o", file)
		if out, err := write.CombinedOutput(); err != nil {
			t.Fatalf("write the policies: %v\n%s", err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if !strings.Contains(document, "\nkind: ValidatingAdmissionPolicy\n") {
				continue
			}
			if err := join(t.Context(), document); err != nil {
				t.Fatal(err)
			}
		}
		cluster.Must(t, "apply", "--server-side", "-f", file)
	})
	suite := verdicts.NewSuite(t, cluster)
	suite.Judge.NoInfos = true
	return suite
}
