package quantity

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

const policyDir = "../../rego/headroom/quantity"

// policyModules returns the package under test without its own tests.
func policyModules(tb testing.TB) []func(*rego.Rego) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(policyDir, "*.rego"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no policy in %s (%v)", policyDir, err)
	}
	var modules []func(*rego.Rego)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.rego") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		modules = append(modules, rego.Module(file, string(source)))
	}
	return modules
}

// prepare compiles a query that binds x. Built-in errors abort, so that a test sees them.
func prepare(tb testing.TB, query string) rego.PreparedEvalQuery {
	tb.Helper()
	options := append(policyModules(tb), rego.Query(query), rego.StrictBuiltinErrors(true),
		rego.Imports([]string{"data.headroom.quantity"}))
	prepared, err := rego.New(options...).PrepareForEval(context.Background())
	if err != nil {
		tb.Fatalf("compile: %v", err)
	}
	return prepared
}

// evaluate runs a prepared query and decodes what it binds to x.
func evaluate(tb testing.TB, prepared rego.PreparedEvalQuery, input, into any) {
	tb.Helper()
	results, err := prepared.Eval(context.Background(), rego.EvalInput(input))
	if err != nil {
		tb.Fatalf("evaluate: %v", err)
	}
	if len(results) != 1 {
		tb.Fatalf("undefined for input %.200v", input)
	}
	text, err := json.Marshal(results[0].Bindings["x"])
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		tb.Fatal(err)
	}
}

// verdict is all that Rego says about one value; the slow ways are asked too, past the fast ones.
type verdict struct {
	Parse struct {
		OK     bool        `json:"ok"`
		Value  json.Number `json:"value"`
		Reason string      `json:"reason"`
	} `json:"parse"`
	Guarded bool  `json:"guarded"`
	Milli   int64 `json:"milli"`
	Bytes   int64 `json:"bytes"`
	Slow    struct {
		Milli int64 `json:"milli"`
		Bytes int64 `json:"bytes"`
	} `json:"slow"`
}

const verdictQuery = `x = [verdict | some v in input; verdict := {
	"parse": quantity.parse(v),
	"guarded": quantity.guarded(v),
	"milli": quantity.milli(v),
	"bytes": quantity.bytes(v),
	"slow": {"milli": quantity.scaled(v, 3), "bytes": quantity.scaled(v, 0)},
}]`

// batch bounds one evaluation: Rego caches every call of a query.
const batch = 2000

// judge asks Rego about every value; one that is undefined would shorten the answer.
func judge(tb testing.TB, prepared rego.PreparedEvalQuery, values []any) []verdict {
	tb.Helper()
	var all []verdict
	for start := 0; start < len(values); start += batch {
		part := values[start:min(start+batch, len(values))]
		var verdicts []verdict
		evaluate(tb, prepared, part, &verdicts)
		if len(verdicts) != len(part) {
			tb.Fatalf("%d verdicts for %d values: something is undefined", len(verdicts), len(part))
		}
		all = append(all, verdicts...)
	}
	return all
}
