//go:build integration

package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tools/container/image"
)

// The version stands in one place; one command changes it there and in what follows it.
func TestSetVersion(t *testing.T) {
	dir := stage(t, t.TempDir(), standIn(t))
	old := chartVersion(t)
	changed := strings.Fields(run(t, dir, compiled(t, module+"/tools/release/version"), "7.8.9-rc.1"))
	if len(changed) < 5 {
		t.Errorf("changed %q", changed)
	}
	stat := run(t, dir, "git", "diff", "--name-only")
	if strings.Join(changed, "\n")+"\n" != stat {
		t.Errorf("says %q, git says %s", changed, stat)
	}
	seen := 0
	for _, name := range changed {
		text := string(read(t, dir, name))
		for _, left := range []string{image.Repository + ":" + old, `version: "` + old + `"`, "ersion: " + old} {
			if strings.Contains(text, left) {
				t.Errorf("%s has %s still", name, left)
			}
		}
		seen += strings.Count(text, image.Repository+":7.8.9-rc.1")
	}
	// The chart's annotation, and the Deployments of the kustomizations.
	if seen < 3 {
		t.Errorf("%d images of the new version", seen)
	}
	out := fails(t, dir, compiled(t, module+"/tools/release/version"), "v1")
	if !strings.Contains(out, "usage: version MAJOR.MINOR.PATCH") {
		t.Errorf("said %s", out)
	}
}

// A commit without a tag makes a pre-release of the version that comes.
func TestPrerelease(t *testing.T) {
	folder := ofHost(t)
	hash := strings.TrimSpace(run(t, filepath.Join(folder, "../.."), "git", "rev-parse", "HEAD"))
	if got, wanted := releaseVersion(t, folder), chartVersion(t)+"-dev.g"+hash[:7]; got != wanted {
		t.Errorf("version %s, wanted %s", got, wanted)
	}
	for _, name := range []string{"headroom.yaml", "headroom.rb"} {
		if _, err := os.Stat(filepath.Join(folder, name)); !os.IsNotExist(err) {
			t.Errorf("%s names archives that were not built", name)
		}
	}
}
