package policies_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

const rego = "rego"

// pass runs every Rego test, as `opa test` does, and wants each to pass.
func pass(t *testing.T, modules map[string]*ast.Module, o regotest.Options) {
	t.Helper()
	results, err := regotest.Run(t.Context(), modules, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 {
		t.Fatal("no test found")
	}
	for _, r := range results {
		if !r.Pass() {
			t.Errorf("%s: %s", r.Location, r)
		}
	}
	t.Logf("%d tests of the policies", len(results))
}

// TestStrict is `opa check --strict`.
func TestStrict(t *testing.T) {
	compiler := ast.NewCompiler().WithStrict(true)
	if compiler.Compile(load(t)); compiler.Failed() {
		t.Error(compiler.Errors)
	}
}

// TestFormatted is `opa fmt --list`, and wants lines of 120 characters at most where people write
// them.
func TestFormatted(t *testing.T) {
	for file := range load(t) {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := format.Source(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(formatted, text) {
			t.Errorf("%s is not formatted: make format", file)
		}
		if bytes.Contains(text, []byte("DO NOT EDIT")) {
			continue
		}
		for n, line := range strings.Split(string(text), "\n") {
			if len([]rune(line)) > 120 {
				t.Errorf("%s:%d is longer than 120 characters", file, n+1)
			}
		}
	}
}

func load(t *testing.T) map[string]*ast.Module {
	t.Helper()
	modules, err := regotest.Load(rego)
	if err != nil {
		t.Fatal(err)
	}
	return modules
}
