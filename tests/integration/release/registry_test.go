//go:build integration

package release

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func publish(t *testing.T, folder, registry string, more ...string) (string, error) {
	t.Helper()
	arguments := append([]string{"-from", folder, "-registry", registry}, more...)
	out, err := command(t, t.TempDir(), compiled(t, module+"/tools/release/publish"), arguments...).CombinedOutput()
	return string(out), err
}

// Whatever digests.txt names is in the registry afterwards; a second time nothing is pushed.
func TestPublish(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	out, err := publish(t, folder, registry+"/dev", "-dry-run")
	if err != nil || strings.Count(out, " would be pushed\n") != 6 {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err = publish(t, folder, registry+"/dev"); err != nil || strings.Count(out, " pushed\n") != 6 {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(read(t, folder, "digests.txt"))) {
		what, wanted, _ := strings.Cut(strings.TrimSpace(line), "@")
		tag, err := name.NewTag(registry + "/dev/" + what)
		check(t, err)
		found, err := remote.Get(tag)
		check(t, err)
		if found.Digest.String() != wanted || !strings.Contains(out, line) && !strings.Contains(out, wanted) {
			t.Errorf("%s is %s, digests.txt has %s", what, found.Digest, wanted)
		}
		if strings.HasPrefix(what, "headroom:") {
			index, err := found.ImageIndex()
			check(t, err)
			check(t, validate.Index(index))
		}
	}
	if out, err = publish(t, folder, registry+"/dev"); err != nil || strings.Count(out, " is there already\n") != 6 {
		t.Errorf("the second time: %v\n%s", err, out)
	}
}

// A version that is there with another content is never replaced, and nothing else is pushed.
func TestPublishedStays(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	index, err := name.NewTag(registry + "/dev/headroom:" + releaseVersion(t, folder))
	check(t, err)
	check(t, remote.Write(index, empty.Image))
	out, err := publish(t, folder, registry+"/dev")
	if err == nil || !strings.Contains(out, "is in the registry with another content, sha256:") ||
		!strings.Contains(out, "a version that was published is not replaced") {
		t.Errorf("%v\n%s", err, out)
	}
	if left := catalog(t, registry); left != "dev/headroom" {
		t.Errorf("pushed %s", left)
	}
}

func catalog(t *testing.T, registry string) string {
	t.Helper()
	where, err := name.NewRegistry(registry)
	check(t, err)
	all, err := remote.Catalog(t.Context(), where)
	check(t, err)
	return strings.Join(all, " ")
}

// A file that is not the one that was released is not published.
func TestPublishHoldsToSums(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "release")
	check(t, os.CopyFS(dir, os.DirFS(ofHost(t))))
	file := filepath.Join(dir, "headroom-kyverno.tar.gz")
	check(t, os.WriteFile(file, append(read(t, file), 0), 0o644))
	registry := startRegistry(t)
	out, err := publish(t, dir, registry+"/dev")
	if err == nil || !strings.Contains(out, "headroom-kyverno.tar.gz is not the file that was released: its SHA-256 is ") {
		t.Errorf("%v\n%s", err, out)
	}
	if left := catalog(t, registry); left != "" {
		t.Errorf("pushed %s", left)
	}
	out, err = publish(t, t.TempDir(), registry)
	if err == nil || !strings.Contains(out, "`make release` makes a release") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A push that breaks off leaves no tag to half an artifact; the next one finishes it.
func TestInterruptedPush(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	cut := true
	var tried atomic.Int32
	var lost atomic.Bool
	through := front(t, registry, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		// The policies' layers are small; the third repository is theirs.
		if cut && r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/headroom/policies/") {
			tried.Add(1)
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = connection.Close()
			}
			return
		}
		if r.Method == http.MethodPatch && lost.CompareAndSwap(true, false) {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
	out, err := publish(t, folder, through+"/dev")
	if err == nil || !strings.Contains(out, "push "+through+"/dev/headroom/policies:") ||
		!strings.Contains(out, "2 of 6 were pushed before it; run this again") {
		t.Fatalf("%v\n%s", err, out)
	}
	// Each of hundreds of layers tried three times, with waits, would keep people waiting for minutes.
	if n := tried.Load(); n < 2 || n > 30 {
		t.Errorf("it was tried %d times", n)
	}
	tag, err := name.NewTag(registry + "/dev/headroom/policies:" + releaseVersion(t, folder))
	check(t, err)
	if _, err := remote.Head(tag); err == nil {
		t.Error("half of the policies has a tag")
	}
	// A connection that is lost once is no reason to give up.
	cut = false
	lost.Store(true)
	if out, err = publish(t, folder, through+"/dev"); err != nil || strings.Count(out, " is there already\n") != 2 ||
		strings.Count(out, " pushed\n") != 4 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A registry that keeps something else than it was sent is found out.
func TestDigestMismatch(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	through := front(t, registry, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/manifests/") {
			next.ServeHTTP(w, r)
			return
		}
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		other := strings.Replace(recorded.Body.String(), "{", "{ ", 1)
		w.Header().Set("Content-Type", recorded.Header().Get("Content-Type"))
		w.WriteHeader(recorded.Code)
		_, _ = w.Write([]byte(other))
	})
	out, err := publish(t, folder, through+"/dev")
	if err == nil || !strings.Contains(out, "and the registry gives out sha256:") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Without credentials, with wrong ones and with those of somebody who may not write, the
// message says which of these it is, and nothing is pushed.
func TestCredentials(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	through := front(t, registry, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		user, password, given := r.BasicAuth()
		switch {
		case !given || password != "right":
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			http.Error(w, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`, http.StatusUnauthorized)
		case user == "reader" && r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, `{"errors":[{"code":"DENIED","message":"requested access is denied"}]}`, http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
	for _, test := range []struct{ name, user, password, wanted string }{
		{"none", "", "", "the registry does not know you, or not with this password: `docker login " + through + "`"},
		{"wrong", "owner", "wrong", "the registry does not know you, or not with this password"},
		{"reader", "reader", "right", "the registry knows you, and does not let you write there"},
		{"owner", "owner", "right", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			login(t, through, test.user, test.password)
			out, err := publish(t, folder, through+"/dev")
			if (err == nil) != (test.wanted == "") || !strings.Contains(out, test.wanted) {
				t.Errorf("%v\n%s", err, out)
			}
			if strings.Contains(out, test.password+"\"") {
				t.Errorf("the password is in %s", out)
			}
			if left := catalog(t, registry); (left == "") != (test.wanted != "") {
				t.Errorf("pushed %q", left)
			}
		})
	}
}
