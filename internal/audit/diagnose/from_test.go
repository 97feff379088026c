package diagnose_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/golden"
)

// The folders: v1-* were read from real JVMs in cgroups of Linux 6.18, v2-* have cgroup files
// after the kernel's documentation (admin-guide/cgroup-v2.rst) around a real JVM's.
func TestFolders(t *testing.T) {
	e := defaults.Engine(t)
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(entry os.DirEntry) bool { return !entry.IsDir() })
	if len(entries) < 9 {
		t.Fatalf("%d folders", len(entries))
	}
	for _, entry := range entries {
		folder := filepath.Join("testdata", entry.Name())
		t.Run(entry.Name(), func(t *testing.T) {
			reports, err := diagnose.From(t.Context(), e, folder, diagnose.Target{})
			if err != nil {
				t.Fatal(err)
			}
			var table bytes.Buffer
			if err := diagnose.WriteTable(&table, reports, false, 100); err != nil {
				t.Fatal(err)
			}
			file := folder + ".txt"
			golden.Check(t, file, table.String())
			for line := range strings.Lines(table.String()) {
				if len([]rune(line)) > 101 {
					t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
				}
			}
		})
	}
}

// statuses of the checks of one folder, by name.
func statuses(t *testing.T, folder string) map[string]engine.Check {
	t.Helper()
	reports, err := diagnose.From(t.Context(), defaults.Engine(t), filepath.Join("testdata", folder), diagnose.Target{})
	if err != nil {
		t.Fatal(err)
	}
	checks := map[string]engine.Check{}
	for _, check := range reports[0].Checks {
		checks[check.Check+" "+check.Status] = check
	}
	return checks
}

// The figures of T5: 19 of 600 periods are 3.2 %, and 750 ms in 19 periods are 39.5 ms each.
func TestFiguresOfTheFacts(t *testing.T) {
	checks := statuses(t, "v2-cart")
	if c := checks["cpu-throttled warning"]; c.Value != "3.2 %" || !strings.HasPrefix(c.Message, "19 of 600 periods in 60 s") {
		t.Errorf("throttled: %+v", c)
	}
	if c := checks["cpu-mean-throttle warning"]; c.Value != "at most 39.5 ms" {
		t.Errorf("mean: %+v", c)
	}
	// 3500 MiB less 110 MiB of cache, of 4096: the kubelet's working set.
	if c := checks["memory warning"]; c.Value != "82.8 %" {
		t.Errorf("memory: %+v", c)
	}
}

func TestGarbageIsNoHealth(t *testing.T) {
	reports, err := diagnose.From(t.Context(), defaults.Engine(t), "testdata/garbage", diagnose.Target{})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, c := range reports[0].Checks {
		switch {
		case c.Check == "file" && c.Status == engine.StatusError:
			named[c.Value] = true
		case c.Status != engine.StatusUnknown:
			t.Errorf("made of garbage: %+v", c)
		}
	}
	entries, err := os.ReadDir("testdata/garbage")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !named[entry.Name()] {
			t.Errorf("%s is not named as broken", entry.Name())
		}
	}
}

func TestJSON(t *testing.T) {
	reports, err := diagnose.From(t.Context(), defaults.Engine(t), "testdata", diagnose.Target{Pod: "cart-5d9c7b8f6-x2x7k"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := diagnose.WriteJSON(&out, reports); err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Schema     string
		Summary    diagnose.Summary
		Containers []struct {
			Pod    string
			Checks []engine.Check
			Lint   map[string]int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Schema != diagnose.Schema || len(decoded.Containers) != 1 || decoded.Containers[0].Lint["errors"] != 2 {
		t.Errorf("%s", out.String())
	}
	if decoded.Summary != diagnose.Count(reports) || decoded.Summary.Errors != 1 {
		t.Errorf("summary: %+v", decoded.Summary)
	}
}
