//go:build integration

package ci

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A download-url of one host may send on to another, as GitHub does, but not to one without https.
func TestActionIsNotSentOnToHTTP(t *testing.T) {
	release := releases(t, "linux_amd64", nil)
	mirror := httptest.NewServer(http.RedirectHandler(release.URL+"/headroom/releases/download/v1.2.3/checksums.txt",
		http.StatusFound))
	t.Cleanup(mirror.Close)
	install(t, mirror, "v1.2.3", nil, nil).expect(t, 2, "checksums.txt could not be downloaded")
}

// A workflow runs what it has pinned, even if the release was moved meanwhile.
func TestActionPinsChecksums(t *testing.T) {
	var sums []byte
	server := releases(t, "linux_amd64", func(files map[string][]byte) { sums = files["checksums.txt"] })
	pinned := fmt.Sprintf("%x", sha256.Sum256(sums))
	install(t, server, "v1.2.3", map[string]string{"checksums-sha256": pinned}, nil).expect(t, 0)
	other := strings.Repeat("0", 64)
	r := install(t, server, "v1.2.3", map[string]string{"checksums-sha256": other}, nil)
	r.expect(t, 2, "not that of checksums-sha256")
	if r.outputs["binary"] != "" {
		t.Errorf("outputs %v", r.outputs)
	}
	for _, inputs := range []map[string]string{{"version": "source"}, {"binary": binary}} {
		inputs["checksums-sha256"] = pinned
		install(t, server, "v1.2.3", inputs, nil).expect(t, 2, "none is downloaded")
	}
}

// contentSum is a folder with a sha256sum that finds no fault with a list of nothing.
func contentSum(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"sha256sum": "#!/bin/sh\ncat >/dev/null\n"})
	if err := os.Chmod(filepath.Join(dir, "sha256sum"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
