package plan

import (
	"math"
	"math/big"
)

// OPA computes with whole numbers exactly, and with all others as a big.Float. What overflows an
// int64, is no number, or would be an error is left to OPA's own built-in.

// arithmetic makes a built-in of what it does to int64s, false where that is not exact, and to floats.
func arithmetic(
	whole func(x, y int64) (int64, bool), float func(z, x, y *big.Float) *big.Float,
) func(a, b Value) (Value, bool) {
	return func(a, b Value) (Value, bool) {
		x, xOK := wholeOf(a)
		y, yOK := wholeOf(b)
		if xOK && yOK {
			if r, ok := whole(x, y); ok {
				return r, true
			}
			return nil, false
		}
		f, g := inexact(a, xOK), inexact(b, yOK)
		if f == nil || g == nil {
			return nil, false
		}
		return computed(float(new(big.Float), f, g)), true
	}
}

// inexact is the float of a number that is whole or has a fraction; nil for a whole one that no int64
// holds, which OPA would compute with exactly.
func inexact(v Value, whole bool) *big.Float {
	if f := floatOf(v); f != nil && (whole || !f.IsInt()) {
		return f
	}
	return nil
}

func plus(x, y int64) (int64, bool) {
	sum := x + y
	return sum, (sum > x) == (y > 0)
}

func minus(x, y int64) (int64, bool) {
	difference := x - y
	return difference, (difference < x) == (y > 0)
}

func times(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	product := x * y
	return product, product/y == x && (x != -1 || y != math.MinInt64) && (y != -1 || x != math.MinInt64)
}

func remainder(a, b Value) (Value, bool) {
	x, xOK := wholeOf(a)
	y, yOK := wholeOf(b)
	if !xOK || !yOK || y == 0 || y == -1 {
		return nil, false
	}
	return x % y, true
}

// divide gives whole quotients of small numbers as they are, and all others as a float: OPA's window
// for the former is an int32.
func divide(a, b Value) (Value, bool) {
	x, xOK := wholeOf(a)
	y, yOK := wholeOf(b)
	if xOK && yOK && small(x) && small(y) && x != 0 && y != 0 && x%y == 0 {
		return x / y, true
	}
	f, g := floatOf(a), floatOf(b)
	if f == nil || g == nil || g.Sign() == 0 {
		return nil, false
	}
	return computed(new(big.Float).Quo(f, g)), true
}

func small(x int64) bool { return math.MinInt32 <= x && x <= math.MaxInt32 }

// rounded makes a built-in of one number: small whole ones are what they are.
func rounded(float func(f *big.Float) *big.Float) func(Value) (Value, bool) {
	return func(a Value) (Value, bool) {
		if x, ok := wholeOf(a); ok && small(x) {
			return x, true
		}
		if f := floatOf(a); f != nil {
			return computed(float(f)), true
		}
		return nil, false
	}
}

func nearest(f *big.Float) *big.Float {
	half := big.NewFloat(0.5)
	if f.Signbit() {
		return truncated(new(big.Float).Sub(f, half))
	}
	return truncated(new(big.Float).Add(f, half))
}

func ceiling(f *big.Float) *big.Float {
	whole := truncated(f)
	if whole.Signbit() || f.Cmp(whole) == 0 {
		return whole
	}
	return new(big.Float).Add(whole, big.NewFloat(1))
}

func floor(f *big.Float) *big.Float {
	whole := truncated(f)
	if !whole.Signbit() || f.Cmp(whole) == 0 {
		return whole
	}
	return new(big.Float).Sub(whole, big.NewFloat(1))
}

func truncated(f *big.Float) *big.Float {
	i, _ := f.Int(nil)
	return new(big.Float).SetInt(i)
}

// sum adds whole numbers exactly, and all as floats once one has a fraction.
func sum(items []Value) (Value, bool) {
	var total int64
	exact := true
	for _, item := range items {
		x, ok := wholeOf(item)
		if !ok {
			exact = false
			break
		}
		if total, ok = plus(total, x); !ok {
			return nil, false
		}
	}
	if exact {
		return total, true
	}
	f := new(big.Float)
	for _, item := range items {
		_, whole := wholeOf(item)
		add := inexact(item, whole)
		if add == nil {
			return nil, false
		}
		f.Add(f, add)
	}
	return computed(f), true
}
