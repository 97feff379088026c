//go:build integration

package ci

import (
	"archive/zip"
	"bytes"
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
		"headroom.mk":      read(t, filepath.Join(root, "packaging", "make", "headroom.mk")),
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

// go install takes the module from its proxy: with its own go.mod, and a program that stands in for headroom,
// whose sources take a minute to compile.
func TestMakeInstallsWithGo(t *testing.T) {
	proxy := t.TempDir()
	const at = "github.com/headroom-dev/headroom"
	requirements := read(t, filepath.Join(root, "go.mod"))
	var zipped bytes.Buffer
	w := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"go.mod": requirements, "cmd/headroom/main.go": handsOn} {
		entry, err := w.Create(at + "@v1.2.3/" + name)
		if err == nil {
			_, err = entry.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(proxy, filepath.FromSlash(at), "@v"), map[string]string{
		"list": "v1.2.3\n", "v1.2.3.info": `{"Version": "v1.2.3"}`, "v1.2.3.mod": requirements,
		"v1.2.3.zip": zipped.String(),
	})
	cache := strings.TrimSpace(start(t, root, os.Environ(), "go", "env", "GOCACHE").output)
	for name, settings := range map[string]string{"beside": "", "elsewhere": "HEADROOM_DIR := " + t.TempDir() + "\n"} {
		dir := mine(t, settings+"HEADROOM_VERSION := v1.2.3\nHEADROOM_INSTALL := go\nHEADROOM_PATHS := deploy")
		environment := append(clean(t), "GOCACHE="+cache, "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw -mod=vendor",
			"GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "CGO_ENABLED=0", "HEADROOM_OF_THIS_TEST="+binary,
			"GOOS=plan9") // somebody's Makefile builds for other systems, and from what it has vendored
		if p := start(t, dir, environment, "make", "headroom-lint"); p.code != 2 || !strings.Contains(p.output, "HR302") {
			t.Errorf("%s: exit code %d:\n%s", name, p.code, p.output)
		}
		environment = append(environment, "GOPROXY=off") // what is there is not installed again
		if p := start(t, dir, environment, "make", "headroom-check"); p.code != 2 ||
			!strings.Contains(p.output, "deploy/cart.yaml") {
			t.Errorf("%s: exit code %d:\n%s", name, p.code, p.output)
		}
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
	if files, _ := filepath.Glob(filepath.Join(dir, ".headroom", "v*")); len(files) > 0 {
		t.Errorf("kept: %v", files)
	}
	// A release that is whole, and another than the one that was seen.
	server = releases(t, platform, nil)
	dir = mine(t, "HEADROOM_VERSION := v1.2.3\nHEADROOM_URL := "+server.URL+"/headroom\nHEADROOM_SHA256 := "+
		strings.Repeat("0", 64))
	if p := start(t, dir, clean(t), "make", "headroom-lint"); p.code != 2 ||
		!strings.Contains(p.output, "checksums.txt: FAILED") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
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
