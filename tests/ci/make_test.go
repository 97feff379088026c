package ci

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// mine is somebody's Makefile that includes ours.
func mine(t *testing.T, settings string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	write(t, dir, map[string]string{
		"Makefile":         settings + "\ninclude headroom.mk\n",
		"headroom.mk":      read(t, filepath.Join(root, "ci", "make", "headroom.mk")),
		"deploy/cart.yaml": uneven,
	})
	return dir
}

func TestMakeTargets(t *testing.T) {
	server := releases(t, runtime.GOOS+"_"+runtime.GOARCH, nil)
	dir := mine(t, "HEADROOM_VERSION := v1.2.3\nHEADROOM_URL := "+server.URL+"/headroom\nHEADROOM_PATHS := deploy\n"+
		"HEADROOM_FLAGS := --fail-on warning")
	makes := func(target string) process { return start(t, dir, clean(t), "make", target) }
	if p := makes("headroom-lint"); p.code != 2 || !strings.Contains(p.output, "HR302") ||
		!strings.Contains(p.output, ": OK") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	server.Close() // what is there is not downloaded again
	if p := makes("headroom-check"); p.code != 2 || !strings.Contains(p.output, "deploy/cart.yaml") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	if read(t, filepath.Join(dir, "deploy/cart.yaml")) != uneven {
		t.Error("a check has changed a file")
	}
	for _, target := range []string{"headroom-fix", "headroom-check", "headroom-lint"} {
		if p := makes(target); p.code != 0 {
			t.Errorf("%s: exit code %d:\n%s", target, p.code, p.output)
		}
	}
	if text := read(t, filepath.Join(dir, "deploy/cart.yaml")); text != sound {
		t.Errorf("fixed, the file is:\n%s", text)
	}
}

func TestMakeRefusesWhatWasNotReleased(t *testing.T) {
	platform := runtime.GOOS + "_" + runtime.GOARCH
	server := releases(t, platform, func(files map[string][]byte) {
		files["headroom_"+platform+".tar.gz"] = []byte("another")
	})
	dir := mine(t, "HEADROOM_VERSION := v1.2.3\nHEADROOM_URL := "+server.URL+"/headroom\n")
	if p := start(t, dir, clean(t), "make", "headroom-lint"); p.code != 2 || !strings.Contains(p.output, "FAILED") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, ".headroom", "headroom-*")); len(files) > 0 {
		t.Errorf("kept: %v", files)
	}
	dir = mine(t, "")
	if p := start(t, dir, clean(t), "make", "headroom-lint"); p.code != 2 ||
		!strings.Contains(p.output, "set HEADROOM_VERSION") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	// One of one's own needs neither version nor download.
	dir = mine(t, "HEADROOM := "+binary+"\nHEADROOM_PATHS := deploy")
	if p := start(t, dir, clean(t), "make", "headroom-lint"); p.code != 2 || !strings.Contains(p.output, "HR302") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	if _, err := os.Stat(filepath.Join(dir, ".headroom")); err == nil {
		t.Error("something was downloaded")
	}
}
