//go:build integration

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// known is what a run with a baseline reports.
type known struct {
	Summary struct{ Errors, Known, Stale int } `json:"summary"`
}

// held runs lint with a baseline and expects an exit code and counts.
func held(t *testing.T, dir string, code, errs, kept, stale int, arguments ...string) {
	t.Helper()
	o := headroom(t, dir, "", append([]string{"lint", "-o", "json"}, arguments...)...)
	var r known
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("%v: %v\n%s%s", arguments, err, o.stdout, o.stderr)
	}
	s := r.Summary
	if o.code != code || s.Errors != errs || s.Known != kept || s.Stale != stale {
		t.Errorf("%v: exit code %d, %d errors, %d known, %d stale; want %d, %d, %d, %d\n%s",
			arguments, o.code, s.Errors, s.Known, s.Stale, code, errs, kept, stale, o.stderr)
	}
}

func rewrite(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBaseline(t *testing.T) {
	other := strings.ReplaceAll(limited, "cart", "shop")
	for _, file := range []string{"headroom-baseline.yaml", "known.json"} {
		dir := write(t, map[string]string{"deploy/a/cart.yaml": limited, "deploy/b/shop.yaml": sound})
		rewrite(t, dir, "deploy/b/shop.yaml", strings.ReplaceAll(sound, "cart", "shop"))
		// HR202 of cart is written down, and no longer fails.
		held(t, dir, 0, 0, 1, 0, "deploy", "--baseline", file, "--write-baseline")
		held(t, dir, 0, 0, 1, 0, "deploy", "--baseline", file)
		// It moves.
		if err := os.Rename(filepath.Join(dir, "deploy/a/cart.yaml"), filepath.Join(dir, "deploy/b/cart.yaml")); err != nil {
			t.Fatal(err)
		}
		held(t, dir, 0, 0, 1, 0, "deploy", "--baseline", file, "--strict-baseline")
		// Another one is new.
		rewrite(t, dir, "deploy/b/shop.yaml", other)
		held(t, dir, 1, 1, 1, 0, "deploy", "--baseline", file)
		// A run over a part knows nothing of the rest.
		held(t, dir, 1, 1, 0, 0, "deploy/b/shop.yaml", "--baseline", file, "--strict-baseline")
		// What a person wrote stays when a part is written anew.
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		reasoned := strings.Replace(string(text), "severity: error,", "severity: error, reason: the vendor's,", 1)
		reasoned = strings.Replace(reasoned, `"severity": "error",`, `"severity": "error", "reason": "the vendor's",`, 1)
		rewrite(t, dir, file, reasoned)
		held(t, dir, 0, 0, 1, 0, "deploy/b/shop.yaml", "--write-baseline="+file)
		text, err = os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), "the vendor's") || strings.Count(string(text), "HR202") != 2 {
			t.Fatalf("%v\n%s", err, text)
		}
		held(t, dir, 0, 0, 2, 0, "deploy", "--baseline", file, "--strict-baseline")
		// Fixed, it is stale, as is what is gone.
		rewrite(t, dir, "deploy/b/cart.yaml", sound)
		held(t, dir, 0, 0, 1, 1, "deploy", "--baseline", file)
		held(t, dir, 1, 0, 1, 1, "deploy", "--baseline", file, "--strict-baseline")
		if err := os.Remove(filepath.Join(dir, "deploy/b/shop.yaml")); err != nil {
			t.Fatal(err)
		}
		held(t, dir, 1, 0, 0, 2, "deploy", "--baseline", file, "--strict-baseline")
	}
}

func TestBaselineMistakes(t *testing.T) {
	dir := write(t, map[string]string{
		"cart.yaml": limited, "broken.yaml": "a: [", "wrong.yaml": "schema: headroom.dev/baseline/v1\nfindigns: []\n",
	})
	for _, c := range []struct {
		says      string
		arguments []string
	}{
		{`wrong.yaml:2: unknown key "findigns"`, []string{"cart.yaml", "--baseline", "wrong.yaml"}},
		{`wrong.yaml:2: unknown key "findigns"`, []string{"cart.yaml", "--write-baseline=wrong.yaml"}},
		{"the baseline none.yaml: no such file or folder", []string{"cart.yaml", "--baseline", "none.yaml"}},
		{"--strict-baseline needs --baseline", []string{"cart.yaml", "--strict-baseline"}},
		{"headroom-baseline.yaml is not written", []string{"cart.yaml", "broken.yaml", "--write-baseline"}},
		{"no/b.yaml", []string{"cart.yaml", "--write-baseline=no/b.yaml"}},
	} {
		o := headroom(t, dir, "", append([]string{"lint"}, c.arguments...)...)
		if o.code != 2 || !strings.Contains(o.stderr, c.says) {
			t.Errorf("%v: exit code %d, %q, want 2 and %q", c.arguments, o.code, o.stderr, c.says)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "headroom-baseline.yaml")); err == nil {
		t.Error("a baseline was written without what could not be read")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "wrong.yaml")); err != nil || !strings.Contains(string(text), "findigns") {
		t.Errorf("a file that is no baseline was written over: %v %s", err, text)
	}
}
