//go:build integration

package ci

import (
	"strings"
	"testing"
)

// What is downloaded is run: no template takes it from where anybody on the way could change it.
func TestOnlyHTTPS(t *testing.T) {
	const url = "http://releases.example/headroom"
	for _, shell := range []string{"bash", "sh"} {
		out := gitlab(t, map[string]string{"download-url": url, "version": "v1.2.3"}).run(t, shell, t.TempDir())
		if out.code != 2 || !strings.Contains(out.output, "not https") {
			t.Errorf("GitLab, %s: exit code %d:\n%s", shell, out.code, out.output)
		}
	}
	dir := mine(t, "HEADROOM_VERSION := v1.2.3\nHEADROOM_URL := "+url)
	if p := start(t, dir, clean(t), "make", "headroom-lint"); p.code != 2 || !strings.Contains(p.output, "not https") {
		t.Errorf("make: exit code %d:\n%s", p.code, p.output)
	}
}
