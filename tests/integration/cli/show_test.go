//go:build integration

package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestShow: infos are counted, and shown to users who ask for them or fail on them; programs get them all.
func TestShow(t *testing.T) {
	const info = "info     HR4"
	sample, err := filepath.Abs("../../../samples/wrong/article-service.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for arguments, c := range map[string]struct {
		shown  bool
		hidden string
	}{
		"":                               {false, "infos: --show info)"},
		"--show info":                    {true, ""},
		"--fail-on info":                 {true, ""},
		"--show error":                   {false, "infos: --show info)"},
		"--show error --fail-on warning": {false, "infos: --show info)"},
		"--verbose":                      {false, "infos: --show info)"},
		"--verbose --show info":          {true, ""},
	} {
		got := headroom(t, t.TempDir(), "", append([]string{"lint", sample}, strings.Fields(arguments)...)...)
		if got.code != 1 || strings.Contains(got.stdout, info) != c.shown || !strings.Contains(got.stdout, c.hidden) ||
			c.hidden == "" && strings.Contains(got.stdout, "--show") {
			t.Errorf("lint %s: exit code %d, want infos: %t\n%s%s", arguments, got.code, c.shown, got.stdout, got.stderr)
		}
		if warned := strings.Contains(got.stdout, "\nwarning"); warned == (arguments == "--show error") {
			t.Errorf("lint %s: shows warnings: %t\n%s", arguments, warned, got.stdout)
		}
	}
	if got := headroom(t, t.TempDir(), "", "lint", "--show", "all", sample); got.code != 2 ||
		!strings.Contains(got.stderr, `--show "all" is not one of error, warning, info`) {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	var before int
	for _, show := range []string{"error", "warning", "info"} {
		got := headroom(t, t.TempDir(), "", "lint", "--show", show, "-o", "json", sample)
		var r struct {
			Summary  struct{ Shown, Errors, Warnings, Infos int }
			Findings []any
		}
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
			t.Fatal(err, got.stderr)
		}
		s := r.Summary
		if s.Shown <= before || len(r.Findings) != s.Errors+s.Warnings+s.Infos || s.Infos == 0 {
			t.Errorf("--show %s: %+v, %d findings", show, s, len(r.Findings))
		}
		before = s.Shown
	}
}
