//go:build integration

package webhook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

const (
	withoutHR202 = "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules:\n  HR202: {severity: \"off\"}\n"
	broken       = "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: 7\n"
	empty        = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
)

// watches makes a replica that follows a config, and gives what tells whether HR202 is on.
func watches(t *testing.T, file string) (*replica, func(bool) func() bool) {
	t.Helper()
	r := ready(t, func(o *Options) { o.ConfigFile = file })
	client := r.client()
	return r, func(on bool) func() bool {
		return func() bool {
			answer, err := ask(client, r.address)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Contains(answer, "[HR202]") == on
		}
	}
}

func TestConfigIsFollowed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headroom.yaml")
	r, judges := watches(t, file) // the file does not exist yet
	if !judges(true)() {
		t.Fatal("the defaults are not in force")
	}
	tlstest.File(t, file, []byte(withoutHR202))
	wait.For(t, "the config to be in force", judges(false))

	tlstest.File(t, file, []byte(broken))
	wait.For(t, "the bad config to be refused", func() bool {
		return r.metric(t, "headroom_config_last_reload_successful") == "0"
	})
	if !judges(false)() {
		t.Error("a bad config put the good one out of force")
	}
	line := r.log.find("config refused")
	if line == nil || line["level"] != "ERROR" || !strings.Contains(line["err"].(string), "rules") {
		t.Errorf("log line %v", line)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	tlstest.File(t, file, []byte(empty))
	wait.For(t, "the next config to be in force", judges(true))
	if r.metric(t, "headroom_config_last_reload_successful") != "1" {
		t.Error("a good config is not counted as one")
	}
}

// mounted makes a directory as a mounted ConfigMap is: a file is a link into a directory that is swapped as a whole, which
// the function that it gives does.
func mounted(t *testing.T, dir, name string) func(version, content string) {
	t.Helper()
	if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	return func(version, content string) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		tlstest.File(t, filepath.Join(dir, version, name), []byte(content))
		if err := os.Symlink(version, filepath.Join(dir, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMountedConfigMap(t *testing.T) {
	dir := t.TempDir()
	mount := mounted(t, dir, "headroom.yaml")
	mount("..one", empty)
	file := filepath.Join(dir, "headroom.yaml")
	_, judges := watches(t, file)
	if !judges(true)() {
		t.Fatal("the first is not in force")
	}
	mount("..two", withoutHR202)
	if err := os.RemoveAll(filepath.Join(dir, "..one")); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the second to be in force", judges(false))
	mount("..three", empty)
	wait.For(t, "the third to be in force", judges(true))
}

// A lock of images is mounted beside the config. What is refused or gone leaves the one before it in force.
func TestMountedImageLock(t *testing.T) {
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	lockOf := func(entrypoint string) string {
		return "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom:\n  image_lock:\n    references:\n      example.com/app:1: " +
			digest + "\n    images:\n      " + digest + ": {platform: linux/amd64, entrypoint: " + entrypoint + "}\n"
	}
	dir := t.TempDir()
	put := mounted(t, dir, "headroom-images.yaml")
	put("..one", lockOf("[nginx]"))
	file := filepath.Join(dir, "headroom-images.yaml")
	r := ready(t, func(o *Options) { o.ImageLockFile = file })
	client := r.client()
	java := func(is bool) func() bool {
		return func() bool {
			answer, err := ask(client, r.address)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Contains(answer, "[HR406]") == is
		}
	}
	if !java(false)() {
		t.Fatal("the first is not in force")
	}
	put("..two", lockOf("[java]"))
	wait.For(t, "the second to be in force", java(true))
	put("..three", lockOf("nginx"))
	wait.For(t, "the third to be refused", func() bool {
		return r.metric(t, "headroom_config_last_reload_successful") == "0"
	})
	line := r.log.find("image lock refused")
	if line == nil || line["level"] != "ERROR" || !strings.Contains(line["err"].(string), "headroom-images.yaml:8: ") {
		t.Errorf("log line %v", line)
	}
	if !java(true)() {
		t.Error("a lock that was refused put the one before it out of force")
	}
	put("..four", lockOf("[nginx]"))
	wait.For(t, "the fourth to be in force", java(false))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the log to have that it is gone", func() bool { return r.log.find("image lock is gone") != nil })
	if !java(false)() || r.metric(t, "headroom_config_last_reload_successful") != "1" {
		t.Error("a lock that is gone is no longer in force")
	}
}
