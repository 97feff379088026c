package plan

import (
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"
)

// OPA keeps a number as its text, and computes with 64 bits of mantissa. Here a whole number that
// an int64 holds, written as strconv writes it, is an int64; all others are a Number.

// Number is a number that is no int64, or one that is not written like one: 1.0, 1e3.
type Number struct {
	text  string     // "" for a computed number: its text is made when it is first read
	float *big.Float // with OPA's precision; nil where its size makes that a risk, see ParseNumber
}

// precision is that of big.Float.SetString, which OPA reads numbers with, in bits.
const precision = 64

// longest bounds the texts that are read as a big.Float ahead of their use, in bytes. Beyond it,
// and for exponents, the text is handed to OPA, which knows what is too large.
const longest = 40

// ParseNumber reads a number as JSON writes it.
func ParseNumber(text string) Value {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(i, 10) == text {
		return i
	}
	n := &Number{text: text}
	if len(text) <= longest && !strings.ContainsAny(text, "eE") {
		n.float, _ = new(big.Float).SetString(text)
	}
	return n
}

// computed is the result of a computation, as OPA's FloatToNumber makes one.
func computed(f *big.Float) Value {
	if f.IsInt() {
		if i, accuracy := f.Int64(); accuracy == big.Exact && (i != 0 || !f.Signbit()) {
			return i
		}
		// Its shortest text may name another whole number, and OPA goes on with that.
		return ParseNumber(f.Text('f', -1))
	}
	return &Number{float: f}
}

// textOf writes a number as OPA does.
func textOf(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case *Number:
		if v.text != "" {
			return v.text
		}
		return v.float.Text('g', -1)
	}
	return ""
}

// wholeOf is the number as an int64, if OPA takes it for a whole number: OPA does so for 1.0, not for 1e3.
func wholeOf(v Value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case *Number:
		if v.text != "" {
			return util.Atoi64(v.text)
		}
	}
	return 0, false
}

// floatOf is the number with OPA's precision; nil where OPA is to compute.
func floatOf(v Value) *big.Float {
	switch v := v.(type) {
	case int64:
		return floatOfWhole(v)
	case *Number:
		return v.float
	}
	return nil
}

// wholes are the floats that were needed last, each at a place of its own. They are never changed.
var wholes [512]atomic.Pointer[whole]

type whole struct {
	number int64
	float  *big.Float
}

func floatOfWhole(n int64) *big.Float {
	const spread = 0x9e3779b97f4a7c15      // 2^64 by the golden ratio: neighbours get places far apart
	place := &wholes[uint64(n)*spread>>55] //nolint:gosec // any number will do; 9 bits are left
	if known := place.Load(); known != nil && known.number == n {
		return known.float
	}
	f := new(big.Float).SetPrec(precision).SetInt64(n)
	place.Store(&whole{n, f})
	return f
}

// compareNumbers is ast.NumberCompare. Rounding to 64 bits keeps the order, and two numbers that
// were computed are equal when their floats are; what else rounds to the same is compared as text.
func compareNumbers(a, b Value) int {
	if x, y := floatOf(a), floatOf(b); x != nil && y != nil {
		if c := x.Cmp(y); c != 0 {
			return c
		}
		if wasComputed(a) && wasComputed(b) {
			return 0
		}
	}
	return ast.NumberCompare(ast.Number(textOf(a)), ast.Number(textOf(b)))
}

func wasComputed(v Value) bool {
	n, ok := v.(*Number)
	return !ok || n.text == ""
}
