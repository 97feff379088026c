package vectors_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/loader"
	"github.com/open-policy-agent/opa/v1/rego"
)

// policies are compiled once for all questions.
var policies = sync.OnceValues(func() (*ast.Compiler, error) {
	loaded, err := loader.NewFileLoader().Filtered([]string{"../../rego/headroom"},
		func(path string, info os.FileInfo, _ int) bool {
			return !info.IsDir() && (!strings.HasSuffix(path, ".rego") || strings.HasSuffix(path, "_test.rego"))
		})
	if err != nil {
		return nil, err
	}
	compiler := ast.NewCompiler()
	if compiler.Compile(loaded.ParsedModules()); compiler.Failed() {
		return nil, compiler.Errors
	}
	return compiler, nil
})

// ask evaluates an expression of the policies; values stand in it as input.
func ask(t *testing.T, expression string, values map[string]any, answer any) {
	t.Helper()
	compiler, err := policies()
	if err != nil {
		t.Fatal(err)
	}
	results, err := rego.New(
		rego.Query("answer := "+expression),
		rego.Compiler(compiler),
		rego.Input(values),
		rego.StrictBuiltinErrors(true),
	).Eval(context.Background())
	if err != nil {
		t.Fatalf("evaluate %s: %v", expression, err)
	}
	if len(results) != 1 {
		t.Fatalf("%s is undefined for %v", expression, values)
	}
	text, err := json.Marshal(results[0].Bindings["answer"])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		t.Fatalf("read %s = %s: %v", expression, text, err)
	}
}

func load(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("read %s: %v", file, err)
	}
}
