//go:build integration

package webhook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
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
	r, judges := watches(t, file) // there is none yet
	if !judges(true)() {
		t.Fatal("the defaults are not in force")
	}
	tlstest.File(t, file, []byte(withoutHR202))
	eventually(t, "the config to be in force", judges(false))

	tlstest.File(t, file, []byte(broken))
	eventually(t, "the bad config to be refused", func() bool {
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
	eventually(t, "the next config to be in force", judges(true))
	if r.metric(t, "headroom_config_last_reload_successful") != "1" {
		t.Error("a good config is not counted as one")
	}
}

// A mounted ConfigMap is a symbolic link to a directory that is swapped as a whole.
func TestMountedConfigMap(t *testing.T) {
	dir := t.TempDir()
	mount := func(version, content string) {
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		tlstest.File(t, filepath.Join(dir, version, "headroom.yaml"), []byte(content))
		if err := os.Symlink(version, filepath.Join(dir, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	mount("..one", empty)
	file := filepath.Join(dir, "headroom.yaml")
	if err := os.Symlink(filepath.Join("..data", "headroom.yaml"), file); err != nil {
		t.Fatal(err)
	}
	_, judges := watches(t, file)
	if !judges(true)() {
		t.Fatal("the first is not in force")
	}
	mount("..two", withoutHR202)
	if err := os.RemoveAll(filepath.Join(dir, "..one")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second to be in force", judges(false))
	mount("..three", empty)
	eventually(t, "the third to be in force", judges(true))
}
