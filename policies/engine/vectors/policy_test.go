package vectors_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// ask evaluates an expression of the policies; values stand in it as input.
func ask(t *testing.T, expression string, values map[string]any, answer any) {
	t.Helper()
	onlyPolicies := func(path string, info os.FileInfo, _ int) bool {
		return !info.IsDir() && (!strings.HasSuffix(path, ".rego") || strings.HasSuffix(path, "_test.rego"))
	}
	results, err := rego.New(
		rego.Query("answer := "+expression),
		rego.Load([]string{"../../rego/headroom"}, onlyPolicies),
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
