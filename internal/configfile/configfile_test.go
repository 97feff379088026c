package configfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
)

// mount is a directory as the kubelet mounts a ConfigMap: links to a directory that is swapped as a whole.
type mount struct{ dir string }

func (m mount) put(t *testing.T, version, content string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(m.dir, version), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, version, "file"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(version, filepath.Join(m.dir, "..data_tmp")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(m.dir, "..data_tmp"), filepath.Join(m.dir, "..data")); err != nil {
		t.Fatal(err)
	}
}

func TestFollow(t *testing.T) {
	m := mount{t.TempDir()}
	m.put(t, "..one", "one")
	file := filepath.Join(m.dir, "file")
	if err := os.Symlink(filepath.Join("..data", "file"), file); err != nil {
		t.Fatal(err)
	}
	var lock sync.Mutex
	var loaded []string
	var log strings.Builder
	f := File{Path: file, What: "image lock", Log: funcr.New(func(_, line string) {
		lock.Lock()
		defer lock.Unlock()
		log.WriteString(line + "\n")
	}, funcr.Options{})}
	content, err := f.First()
	if err != nil || string(content) != "one" {
		t.Fatalf("%q, %v", content, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		f.Follow(ctx, func(_ context.Context, content []byte) error {
			lock.Lock()
			defer lock.Unlock()
			loaded = append(loaded, string(content))
			if strings.HasPrefix(string(content), "bad") {
				return errors.New("line 7")
			}
			return nil
		})
	})
	t.Cleanup(func() { stop(); group.Wait() })
	said := func(wanted string, what ...string) {
		t.Helper()
		for end := time.Now().Add(10 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
			lock.Lock()
			seen, told := strings.Join(loaded, " "), log.String()
			lock.Unlock()
			ok := seen == wanted
			for _, words := range what {
				ok = ok && strings.Contains(told, words)
			}
			if ok {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("loaded %q, wanted %q; the log is\n%s", seen, wanted, told)
			}
		}
	}
	m.put(t, "..two", "two")
	if err := os.RemoveAll(filepath.Join(m.dir, "..one")); err != nil {
		t.Fatal(err)
	}
	said("two", `"image lock loaded"`)
	m.put(t, "..three", "bad")
	said("two bad", `"image lock refused, the one before it stays in force"`, "line 7")
	m.put(t, "..four", "four")
	said("two bad four")
	// The key is no longer in the ConfigMap: the kubelet takes the link away, too.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	said("two bad four", `"image lock is gone, what it said stays in force"`)
	if err := os.Symlink(filepath.Join("..data", "file"), file); err != nil {
		t.Fatal(err)
	}
	m.put(t, "..five", "five")
	said("two bad four five")
	if lock.Lock(); strings.Count(log.String(), "is gone") != 1 {
		t.Errorf("it was not said once that the file is gone:\n%s", log.String())
	}
	lock.Unlock()
}

// A file that was never there is no news.
func TestNoFile(t *testing.T) {
	log := ""
	f := File{Path: filepath.Join(t.TempDir(), "none"), Log: funcr.New(func(_, line string) { log += line }, funcr.Options{})}
	if content, err := f.First(); content != nil || err != nil {
		t.Fatalf("%q, %v", content, err)
	}
	f.look(t.Context(), func(context.Context, []byte) error { return errors.New("loaded") })
	if log != "" {
		t.Errorf("the log has %q", log)
	}
	(&File{}).Follow(t.Context(), nil)
}
