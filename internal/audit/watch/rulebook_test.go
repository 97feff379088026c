package watch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/configfile"
	"github.com/headroom-dev/headroom/policies/engine"
)

const lockDigest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// lockOf is a lock that says what the image example.com/orders:1 starts.
func lockOf(entrypoint string) string {
	return fmt.Sprintf("apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom:\n  image_lock:\n    references:\n"+
		"      example.com/orders:1: %[1]s\n    images:\n      %[1]s: {platform: linux/amd64, entrypoint: %[2]s}\n", lockDigest, entrypoint)
}

// TestMountedLock: a lock in a ConfigMap is a link to a directory that is swapped as a whole. What is broken or gone
// leaves the one before it in force, and the metric says so, also when the config is read anew.
func TestMountedLock(t *testing.T) {
	dir := t.TempDir()
	put := func(version, content string) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "lock"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(version, filepath.Join(dir, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "lock")
	if err := os.Symlink(filepath.Join("..data", "lock"), file); err != nil {
		t.Fatal(err)
	}
	put("..one", lockOf("[java, -Xmx2g]"))
	measured := metrics.New("")
	r := newRules(&Options{ConfigFile: "headroom.yaml", ImageLockFile: file}, measured)
	follow := configfile.File{Path: file, What: "image lock", Log: logr.Discard()}
	first, err := follow.First()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(t.Context(), nil, first); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() { follow.Follow(t.Context(), r.ReloadImages) })
	t.Cleanup(group.Wait)

	kills := func() bool {
		t.Helper()
		result, err := r.current.Load().engine.Evaluate(t.Context(), engine.Review{Around: &engine.Context{}, Manifest: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p"},
			"spec": map[string]any{"containers": []any{map[string]any{
				"name": "app", "image": "example.com/orders:1",
				"resources": map[string]any{"limits": map[string]any{"memory": "1Gi"}},
			}}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Findings {
			if f.Rule == "HR304" {
				return true
			}
		}
		return false
	}
	successful := func(wanted string) bool {
		t.Helper()
		answer := httptest.NewRecorder()
		measured.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		return strings.Contains(answer.Body.String(), "\nheadroom_config_last_reload_successful "+wanted+"\n")
	}
	eventually := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited in vain for %s", what)
			}
		}
	}
	if !kills() {
		t.Fatal("the first is not in force")
	}
	put("..two", lockOf("[java, -Xmx256m]"))
	eventually("the second to be in force", func() bool { return !kills() })
	put("..three", strings.Replace(lockOf("[java, -Xmx2g]"), "platform", "Platform", 1))
	eventually("the third to be refused", func() bool { return successful("0") })
	if kills() {
		t.Error("a lock that was refused is in force")
	}
	// The config is another file, and the lock on the disk is broken still.
	if err := r.Reload(t.Context(), []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n")); err != nil {
		t.Fatal(err)
	}
	if kills() || !successful("0") {
		t.Error("with a new config, the lock that was refused is no longer told of, or in force")
	}
	put("..four", lockOf("[java, -Xmx2g]"))
	eventually("the fourth to be in force", func() bool { return kills() && successful("1") })
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	put("..five", lockOf("[java, -Xmx256m]"))
	if err := r.Reload(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if !kills() || !successful("1") {
		t.Error("a lock that is gone is no longer in force")
	}
}
