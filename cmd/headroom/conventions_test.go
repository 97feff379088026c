package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// refused runs headroom in this process, and is what it says on standard error.
func refused(t *testing.T, arguments ...string) string {
	t.Helper()
	root := rootCommand()
	var out, stderr bytes.Buffer
	root.SetArgs(arguments)
	root.SetOut(&out)
	root.SetErr(&stderr)
	if code := execute(t.Context(), root); code != exitFailed {
		t.Errorf("%q: exit code %d", arguments, code)
	}
	return strings.TrimSpace(stderr.String())
}

func TestMistypedFlags(t *testing.T) {
	for typed, want := range map[string]string{
		"lnt x":              `unknown command "lnt" for "headroom"; did you mean headroom lint?`,
		"explan x":           "did you mean headroom explain?",
		"simul x":            "did you mean headroom simulate?",
		"schema":             `unknown command "schema" for "headroom"; headroom --help lists the commands`,
		"mcp x":              "headroom mcp takes no arguments",
		"lint --fail-onn x":  "did you mean --fail-on?",
		"lint --helmchart x": "did you mean --helm-chart?",
		"lint --base x":      "did you mean --baseline?",
		"rules --outputt x":  "did you mean --output?",
		"lint -f x":          "files are named without a flag: headroom lint FILE",
		"fix --filename=x":   "files are named without a flag: headroom fix FILE",
		"explain -k x":       "a kustomization is named as headroom explain --kustomize DIR",
		"lint -R x":          "leave it out",
		"version -f x":       "headroom version --help lists the flags",
		"lint --zzz":         "headroom lint --help lists the flags",
		"lint -z":            "headroom lint --help lists the flags",
		"lint --max-file-size x": `"x" for "--max-file-size" flag: not a size such as 500000, 500k or 8Mi; ` +
			"headroom lint --help says what it takes",
		"lint --max-file-size -1 x":   "not a size",
		"lint --max-file-size 100m x": "not a size",
	} {
		if got := refused(t, strings.Fields(typed)...); !strings.HasSuffix(got, want) && !strings.Contains(got, ": "+want) {
			t.Errorf("%s: %s", typed, got)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1000": 1000, "1k": 1000, "8Mi": 8 << 20, "1.5Ki": 1536} {
		var size bytesValue
		if err := size.Set(text); err != nil || int64(size) != want {
			t.Errorf("%s is %d: %v", text, size, err)
		}
	}
}

func TestSeparatedOutputs(t *testing.T) {
	formats := []string{"table", "json", "sarif"}
	for text, want := range map[string][]output{
		"table":                       {{"table", ""}},
		"table,json=a.json":           {{"table", ""}, {"json", "a.json"}},
		"json=a,b.json":               {{"json", "a,b.json"}},
		"json=a,b.json,sarif=c,table": {{"json", "a,b.json"}, {"sarif", "c"}, {"table", ""}},
	} {
		got, err := parseOutputs([]string{text}, formats, "json=x")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"table,json", "table,", ",", "tabel,json=x", "table,json="} {
		if got, err := parseOutputs([]string{text}, formats, "json=x"); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestStopped has the exit codes of shells for what a signal stopped, and for nothing else.
func TestStopped(t *testing.T) {
	for _, by := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(interrupted{by})
		for code, want := range map[int]int{exitClean: exitClean, exitFindings: exitFindings, exitFailed: 128 + int(by)} {
			if got := exitCodeOf(ctx, code); got != want {
				t.Errorf("%s: %d becomes %d", by, code, got)
			}
		}
		if err := fmt.Errorf("stopped: %w", context.Cause(ctx)); !errors.Is(err, context.Canceled) {
			t.Error("libraries do not know the end")
		}
		root := rootCommand()
		var stderr bytes.Buffer
		root.SetArgs([]string{"lint", "testdata", "--no-config", "--no-progress"})
		root.SetOut(&stderr)
		root.SetErr(&stderr)
		if code := execute(ctx, root); code != 128+int(by) {
			t.Errorf("%s: exit code %d, %s", by, code, stderr.String())
		}
	}
	if got := exitCodeOf(t.Context(), exitFailed); got != exitFailed {
		t.Errorf("without a signal: %d", got)
	}
}

func TestVersionAsJSON(t *testing.T) {
	root := rootCommand()
	var out bytes.Buffer
	root.SetArgs([]string{"version", "-o", "json"})
	root.SetOut(&out)
	if code := execute(t.Context(), root); code != exitClean {
		t.Fatal(code)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["version"] != versionString() || got["platform"] == "" || got["opa"] == "" {
		t.Errorf("%v: %s", err, out.String())
	}
}

// JSON on standard output is a log's, too: it has nothing that a terminal or a runner of CI obeys.
func TestImagesAsJSONAreHarmless(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	const name = "##[error]\u009b2J\u202e\u2028::error::x"
	text, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"containers": []any{map[string]any{"name": name, "image": name}}},
	})
	if err := errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	root := rootCommand()
	var out bytes.Buffer
	root.SetArgs([]string{"images", file, "--offline", "--no-config", "-o", "json"})
	root.SetOut(&out)
	root.SetErr(io.Discard)
	if code := execute(t.Context(), root); code != exitClean && code != exitFailed {
		t.Fatal(code)
	}
	var got struct{ Containers []struct{ Container string } }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Containers) != 1 || got.Containers[0].Container != name {
		t.Errorf("%v: %s", err, out.String())
	}
	if lines := strings.TrimSuffix(out.String(), "\n"); terminal.Lines(lines) != lines {
		t.Errorf("%q", lines)
	}
}
