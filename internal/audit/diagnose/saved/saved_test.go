package saved

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir, yes := t.TempDir(), true
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	c := &collect.Collection{
		Namespace: "shop", Pod: "cart", Container: "app", Node: "node-a", Samples: []time.Time{at, at.Add(time.Minute)},
		Files: map[string]string{"cpu.stat": "a 1\n", "later/cpu.stat": "a 2\n"}, Missing: map[string]string{"cpu.max": "gone"},
		JVM: &yes, API: &collect.API{State: "running", Restarts: 3}, Budget: map[string]any{"complete": true},
		Findings: &collect.Findings{Errors: 1}, Notes: []string{"n"}, Problems: []string{"p"},
	}
	folder, err := Write(dir, c, "v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{dir, folder} {
		all, err := Read(from)
		if err != nil || len(all) != 1 || !reflect.DeepEqual(all[0], c) {
			t.Errorf("%s: %v, %+v", from, err, all)
		}
	}
	if _, err := Write(dir, c, "v1"); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a second reading into the same folder: %v", err)
	}
}

func TestFoldersThatAreNone(t *testing.T) {
	put := func(name, text string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for want, dir := range map[string]string{
		"no such file":       filepath.Join(t.TempDir(), "none"),
		"holds no file":      t.TempDir(),
		"manifest.json":      put("manifest.json", "{"),
		"its schema is":      put("manifest.json", `{"schema":"v9"}`),
		"pod.json":           put("pod.json", "{"),
		"larger than 4 MiB":  put("cpu.stat", strings.Repeat("a", maxBytes+1)),
		"it is a Deployment": put("pod.json", `{"kind":"Deployment"}`),
	} {
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	all, err := Read(put("status", "Threads:\t3\n"))
	if err != nil || len(all) != 1 || all[0].JVM == nil || !*all[0].JVM {
		t.Errorf("a JVM's status alone: %v, %+v", err, all)
	}
}
