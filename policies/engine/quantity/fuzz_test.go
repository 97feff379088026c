package quantity

import (
	"encoding/json"
	"testing"
)

// FuzzQuantity compares any text, and any number it spells, with the API server.
func FuzzQuantity(f *testing.F) {
	for _, c := range fixed {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	prepared := prepare(f, verdictQuery)
	f.Fuzz(func(t *testing.T, text string) {
		compare(t, text, judge(t, prepared, []any{text})[0])
		var number json.Number
		if json.Unmarshal([]byte(text), &number) == nil && number != "" && passesGuard(number.String()) {
			compare(t, number, judge(t, prepared, []any{number})[0])
		}
	})
}
