package quantity

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// BenchmarkQuantity gives the µs of one call for the forms that manifests hold.
func BenchmarkQuantity(b *testing.B) {
	for _, form := range []struct{ call, format string }{
		{"is_string", `"%dm"`}, // the loop alone: subtract it
		{"quantity.milli", `"%dm"`},
		{"quantity.milli", `"%d"`},
		{"quantity.milli", `"%d.5"`},
		{"quantity.milli", `%d`},
		{"quantity.milli", `%d.5`},
		{"quantity.milli", `"%de3"`},
		{"quantity.bytes", `"%dMi"`},
		{"quantity.bytes", `"%d.5Gi"`},
		{"quantity.bytes", `"%dM"`},
		{"quantity.bytes", `%d`},
		{"quantity.bytes", `"%d.1Gi"`},
		{"quantity.parse", `"%dMi"`},
	} {
		b.Run(form.call+"/"+form.format, func(b *testing.B) { benchmark(b, form.call, form.format) })
	}
}

func benchmark(b *testing.B, call, format string) {
	prepared := prepare(b, "x = ["+call+"(v) | some v in input]")
	input, err := ast.ValueFromReader(strings.NewReader(different(format)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := prepared.Eval(context.Background(), rego.EvalParsedInput(input)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "µs/call")
}

const calls = 40

// different is an array of as many different values as calls are made: Rego caches a call by its argument.
func different(format string) string {
	values := make([]string, 0, calls)
	for i := range calls {
		values = append(values, fmt.Sprintf(format, i+1))
	}
	return "[" + strings.Join(values, ",") + "]"
}
