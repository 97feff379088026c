package policies_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

const rego = "rego"

// parsed are the modules of the policies, tests too, and compiled what is made of them. Each is made once.
var (
	parsed   = sync.OnceValues(func() (map[string]*ast.Module, error) { return regotest.Load(rego) })
	compiled = sync.OnceValues(func() (*ast.Compiler, error) {
		modules, err := parsed()
		if err != nil {
			return nil, err
		}
		return regotest.Compile(modules)
	})
)

// TestMain has the garbage collector wait: half of the time was its, for values that live as long as the process.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// pass runs every Rego test and wants each to pass.
func pass(t *testing.T, o regotest.Options) {
	t.Helper()
	compiler, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	results, err := regotest.Run(t.Context(), compiler, o)
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
	if _, err := compiled(); err != nil {
		t.Error(err)
	}
}

// TestFormatted is `opa fmt --list`, and wants lines of 120 characters at most where people write
// them.
func TestFormatted(t *testing.T) {
	for file, module := range load(t) {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := format.Ast(module.Copy())
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
	modules, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return modules
}
