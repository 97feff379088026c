//go:build integration

package diagnose_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/cage"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// judged collects once and gives the checks by name.
func judged(t *testing.T, x collect.Executor, o collect.Options) (map[string]engine.Check, *collect.Collection) {
	t.Helper()
	into := &collect.Collection{Pod: "p", Container: "c"}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Minute)
	if err := collect.Container(t.Context(), x, o, into); err != nil {
		t.Fatal(err)
	}
	report, err := diagnose.Judge(t.Context(), defaults.Engine(t), into)
	if err != nil {
		t.Fatal(err)
	}
	checks := map[string]engine.Check{}
	for _, check := range report.Checks {
		checks[check.Check] = check
	}
	return checks, into
}

// Two busy processes on a fifth of a core stand still in nearly every period.
func TestThrottledBetweenSamples(t *testing.T) {
	c := start(t, cage.Limits{MemoryBytes: 64 << 20, MilliCPU: 200}, nil,
		"timeout", "600", "sh", "-c", "while :; do :; done")
	if c == nil {
		return
	}
	checks, into := judged(t, c, collect.Options{Interval: 2 * time.Second})
	throttled := checks["cpu-throttled"]
	if throttled.Status != engine.StatusError || !strings.Contains(throttled.Message, " periods in ") {
		t.Errorf("%+v", throttled)
	}
	if len(into.Samples) != 2 {
		t.Errorf("%d samples", len(into.Samples))
	}
	if into.JVM == nil || *into.JVM || checks["heap-after-gc"].Check != "" {
		t.Errorf("a shell is taken for a JVM: %v", checks)
	}
}

func TestRealKill(t *testing.T) {
	// The kernel is to take the process that asks for memory, never the container's first.
	c := start(t, cage.Limits{MemoryBytes: 24 << 20}, nil, "timeout", "600", "sh", "-c", `while :; do
		(echo 1000 >/proc/self/oom_score_adj && head -c 100m /dev/zero | tail >/dev/null)
		sleep 1
	done`)
	if c == nil {
		return
	}
	for { // the kernel kills when it comes to it; the test binary's own limit ends a wait in vain
		checks, _ := judged(t, c, collect.Options{})
		if checks["oom-kills"].Status == engine.StatusError {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// lacking is a container whose image lacks programs: what runtimes say then cannot be had here.
type lacking struct {
	collect.Executor
	programs []string
}

func (l lacking) Exec(ctx context.Context, command []string, stdout, stderr io.Writer) error {
	if slices.Contains(l.programs, command[0]) {
		return errors.New(`OCI runtime exec failed: exec: "` + command[0] + `": executable file not found in $PATH: unknown`)
	}
	return l.Executor.Exec(ctx, command, stdout, stderr)
}

func TestImagesWithoutAShell(t *testing.T) {
	c := start(t, cage.Limits{MemoryBytes: 64 << 20, MilliCPU: 500}, nil, "sleep", "600")
	if c == nil {
		return
	}
	checks, into := judged(t, lacking{c, []string{"sh"}}, collect.Options{})
	if checks["memory"].Status != engine.StatusOK || len(into.Problems) > 0 {
		t.Errorf("with cat alone: %+v, %q", checks["memory"], into.Problems)
	}
	if c := checks["jvm"]; !strings.Contains(c.Message, "no shell to look for a JVM") {
		t.Errorf("with cat alone: %+v", c)
	}
	checks, into = judged(t, lacking{c, []string{"sh", "cat"}}, collect.Options{})
	if len(into.Files) > 0 || len(into.Problems) > 0 || len(into.Notes) != 1 {
		t.Errorf("distroless: files %q, problems %q, notes %q", into.Files, into.Problems, into.Notes)
	}
	if c := checks["memory"]; c.Status != engine.StatusUnknown || !strings.Contains(c.Message, "neither a shell nor cat") {
		t.Errorf("distroless: %+v", c)
	}
}

// stuck is a container in which no command ends.
type stuck struct{ collect.Executor }

func (s stuck) Exec(ctx context.Context, _ []string, stdout, stderr io.Writer) error {
	return s.Executor.Exec(ctx, []string{"sleep", "600"}, stdout, stderr)
}

func TestCommandsEndInTime(t *testing.T) {
	c := start(t, cage.Limits{}, nil, "sleep", "600")
	if c == nil {
		return
	}
	checks, into := judged(t, stuck{c}, collect.Options{Timeout: time.Millisecond})
	if len(into.Problems) != 1 || !strings.Contains(into.Problems[0], "no answer in 1ms") {
		t.Errorf("problems %q", into.Problems)
	}
	if checks["memory"].Status != engine.StatusUnknown {
		t.Errorf("%+v", checks["memory"])
	}
}
