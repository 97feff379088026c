package collect

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
)

func TestParted(t *testing.T) {
	files := parted("noise\n==> /sys/fs/cgroup/cpu.stat <==\na 1\nb 2\n==> /sys/fs/cgroup/pids/pids.current <==\n7\n" +
		"==> /other/cpu.stat <==\nc 3\n==> /empty <==\n")
	want := map[string]string{"cpu.stat": "a 1\nb 2\n", "pids.current": "7\n", "empty": ""}
	if !maps.Equal(files, want) {
		t.Errorf("%q", files)
	}
}

func TestJavaProcesses(t *testing.T) {
	for out, want := range map[string][]int{
		"1 tini\n7 java\n9 sh\n7 +counters\n":   {7},
		"1 start.sh\n120 java\n8 java\n":        {8, 120},
		"1 elastic\n1 +counters\n5 +counters\n": {1}, // 5 has ended and left its counters
		"1 nginx\n":                             {},
		"garbage\n-4 java\n0 java\nx y z":       {},
	} {
		if got := javaProcesses(out); !slices.Equal(got, want) {
			t.Errorf("%q: %v", out, got)
		}
	}
}

// One jcmd answers all questions in one stream; what real ones said is in the folders.
func TestAnswers(t *testing.T) {
	for _, folder := range []string{"v1-cart-serial", "v1-cart-g1", "v1-cart-zgc"} {
		said := map[string]string{}
		for _, name := range []string{reading.Flags, reading.NativeMemory, reading.HeapInfo} {
			text, err := os.ReadFile(filepath.Join("../testdata", folder, name))
			if err != nil {
				t.Fatal(err)
			}
			said[name] = string(text)
		}
		got := answers("7:\n" + said[reading.Flags] + said[reading.NativeMemory] + said[reading.HeapInfo])
		if !maps.Equal(got, said) {
			t.Errorf("%s: %q", folder, got)
		}
	}
	if got := answers("7:\n-XX:+UseG1GC -XX:OnError=\"mail hunter2\"\njava.lang.IllegalArgumentException"); !maps.Equal(got,
		map[string]string{reading.Flags: "-XX:+UseG1GC\n"}) {
		t.Errorf("an answer that breaks off: %q", got)
	}
}

func TestComplaintsKeepSecrets(t *testing.T) {
	said := "Picked up JAVA_TOOL_OPTIONS: -Dpassword=hunter2\n\n\x1b[31mError: " + strings.Repeat("x", 300)
	got := complaint(said)
	if strings.Contains(got, "hunter2") || strings.Contains(got, "\x1b") || len(got) > 130 || !strings.Contains(got, "Error: x") {
		t.Errorf("%q", got)
	}
}

// loud prints without end.
type loud struct{}

func (loud) Exec(ctx context.Context, _ []string, stdout, _ io.Writer) error {
	for ctx.Err() == nil {
		if _, err := stdout.Write(make([]byte, 4096)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func TestOutputIsBounded(t *testing.T) {
	into := &Collection{}
	if err := Container(t.Context(), loud{}, Options{}, into); err != nil {
		t.Fatal(err)
	}
	if len(into.Problems) != 1 || !strings.Contains(into.Problems[0], "printed more than 1024 KiB") {
		t.Errorf("%q", into.Problems)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Container(ctx, loud{}, Options{}, &Collection{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

const somePod = `{"kind":"Pod","metadata":{"name":"cart","namespace":"shop",
"annotations":{"kubectl.kubernetes.io/default-container":"app"}},
"spec":{"initContainers":[{"name":"proxy","restartPolicy":"Always"}],
"containers":[{"name":"log"},{"name":"app","resources":{"limits":{"memory":"1Gi"}}}]},
"status":{"containerStatuses":[{"name":"app","restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff"}},
"lastState":{"terminated":{"exitCode":137,"finishedAt":"2026-11-20T10:00:00Z"}}}]}}`

func TestOfPod(t *testing.T) {
	c, err := OfPod([]byte(somePod), "")
	if err != nil {
		t.Fatal(err)
	}
	want := API{
		State: "waiting CrashLoopBackOff", Restarts: 2, Reason: "no reason is given", ExitCode: 137,
		Finished: "2026-11-20T10:00:00Z", Limit: 1 << 30,
	}
	if c.Container != "app" || *c.API != want || c.API.Running() {
		t.Errorf("%+v, %+v", c, c.API)
	}
	if c, err = OfPod([]byte(somePod), "proxy"); err != nil || c.API != nil {
		t.Errorf("a sidecar without status: %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		`{"kind":"Deployment","metadata":{"name":"a"}}`: "it is a Deployment",
		`{"kind":"Pod","metadata":{"name":"a"}}`:        "has no containers",
		`[]`:                                            "read the Pod",
	} {
		if _, err := OfPod([]byte(text), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := OfPod([]byte(somePod), "web"); err == nil || !strings.Contains(err.Error(), "it has log, app, proxy") {
		t.Errorf("%v", err)
	}
}
