package quantity

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
)

// expectation is what the API server makes of a value, or that the guard keeps it from trying.
type expectation struct {
	guarded, ok  bool
	value        *big.Rat
	milli, bytes int64
}

var refused = expectation{guarded: true, milli: -1, bytes: -1}

// expect decodes a JSON value as the API server does, by Quantity.UnmarshalJSON, unless the guard forbids it.
func expect(tb testing.TB, value any) expectation {
	tb.Helper()
	var text string
	switch v := value.(type) {
	case nil:
		text = "0"
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimFunc(v, unescapedBlank)
	default:
		return expectation{milli: -1, bytes: -1}
	}
	if !passesGuard(text) {
		return expectation{milli: -1, bytes: -1}
	}
	var quantity resource.Quantity
	if err := quantity.UnmarshalJSON(marshal(tb, value)); err != nil {
		return refused
	}
	return describe(tb, quantity)
}

// unescapedBlank tells what UnmarshalJSON trims: it sees JSON text, where tabs and line breaks are escapes.
func unescapedBlank(r rune) bool {
	text, err := json.Marshal(string(r))
	return err == nil && unicode.IsSpace(r) && bytes.ContainsRune(text, r)
}

// passesGuard is the guard again, by hand: at most 32 characters, a decimal exponent of at most 18.
func passesGuard(text string) bool {
	if utf8.RuneCountInString(text) > 32 {
		return false
	}
	head := strings.TrimRight(text, "0123456789")
	digits := strings.TrimLeft(text[len(head):], "0")
	if digits == "" || !strings.HasSuffix(strings.ToLower(strings.TrimRight(head, "+-")), "e") ||
		len(head)-len(strings.TrimRight(head, "+-")) > 1 {
		return true
	}
	return len(digits) < 2 || len(digits) == 2 && digits <= "18"
}

func marshal(tb testing.TB, value any) []byte {
	tb.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// describe computes the exact value, and holds MilliValue and Value to it where they do not overflow.
func describe(tb testing.TB, quantity resource.Quantity) expectation {
	tb.Helper()
	exact := quantity.DeepCopy()
	dec := exact.AsDec()
	value := new(big.Rat).SetInt(dec.UnscaledBig())
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(dec.Scale(), -dec.Scale()))), nil)
	if dec.Scale() < 0 {
		value.Mul(value, new(big.Rat).SetInt(scale))
	} else {
		value.Quo(value, new(big.Rat).SetInt(scale))
	}
	want := expectation{guarded: true, ok: true, value: value, milli: -1, bytes: -1}
	if value.Sign() < 0 {
		return want
	}
	want.milli = roundedUp(new(big.Rat).Mul(value, big.NewRat(1000, 1)))
	want.bytes = roundedUp(value)
	if want.milli < math.MaxInt64 && quantity.MilliValue() != want.milli {
		tb.Fatalf("the test computes %d millis, apimachinery %d", want.milli, quantity.MilliValue())
	}
	if want.bytes < math.MaxInt64 && quantity.Value() != want.bytes {
		tb.Fatalf("the test computes %d units, apimachinery %d", want.bytes, quantity.Value())
	}
	return want
}

// roundedUp is the ceiling, at most what an int64 holds.
func roundedUp(value *big.Rat) int64 {
	quotient, rest := new(big.Int).QuoRem(value.Num(), value.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	if !quotient.IsInt64() {
		return math.MaxInt64
	}
	return quotient.Int64()
}

// compare reports every way in which Rego and the API server differ on a value.
func compare(tb testing.TB, given any, got verdict) {
	tb.Helper()
	want := expect(tb, given)
	if got.Guarded != want.guarded {
		tb.Errorf("guarded(%.60q) = %v", given, got.Guarded)
	}
	value := got.Parse.Value.String()
	switch exact, _ := new(big.Rat).SetString(value); {
	case got.Parse.OK != want.ok:
		tb.Errorf("parse(%.60q).ok = %v, reason %q", given, got.Parse.OK, got.Parse.Reason)
	case !want.ok && got.Parse.Reason == "":
		tb.Errorf("parse(%.60q) gives no reason", given)
	case want.ok && (exact == nil || exact.Cmp(want.value) != 0 || strings.ContainsAny(value, "eE")):
		tb.Errorf("parse(%.60q).value = %s, want %s", given, value, want.value.FloatString(9))
	}
	if got.Milli != want.milli || got.Slow.Milli != want.milli {
		tb.Errorf("milli(%.60q) = %d, the slow way %d, want %d", given, got.Milli, got.Slow.Milli, want.milli)
	}
	if got.Bytes != want.bytes || got.Slow.Bytes != want.bytes {
		tb.Errorf("bytes(%.60q) = %d, the slow way %d, want %d", given, got.Bytes, got.Slow.Bytes, want.bytes)
	}
}
