//go:build integration

package release

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const registryProgram = "github.com/google/go-containerregistry/cmd/registry"

var serving = regexp.MustCompile(`serving on port (\d+)`)

// startRegistry starts go-containerregistry's registry as a process of its own, and gives its
// address.
func startRegistry(t *testing.T) string {
	t.Helper()
	server := exec.CommandContext(t.Context(), compiled(t, registryProgram), "-port", "0")
	said, err := server.StderrPipe()
	check(t, err)
	check(t, server.Start())
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			return "localhost:" + found[1]
		}
	}
	t.Fatalf("the registry does not serve: %v", lines.Err())
	return ""
}

// front stands before the registry and does to requests what a test wants.
func front(t *testing.T, registry string, handle func(http.ResponseWriter, *http.Request, http.Handler)) string {
	t.Helper()
	next := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: registry})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, next) }))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// login writes what `docker login` writes.
func login(t *testing.T, registry, user, password string) {
	t.Helper()
	auths := map[string]any{}
	if user != "" {
		auths[registry] = map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte(user + ":" + password))}
	}
	content, err := json.Marshal(map[string]any{"auths": auths})
	check(t, err)
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "config.json"), content, 0o600))
	t.Setenv("DOCKER_CONFIG", dir)
}

// waitFor asks until the answer is there.
func waitFor(t *testing.T, what string, ask func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if ask() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
