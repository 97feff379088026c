package cfs

import (
	"math/big"
	"time"
)

// rat is a time as a rational number of nanoseconds.
func rat(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

// round gives whole nanoseconds, a half rounded up.
func round(r *big.Rat) time.Duration {
	twice := new(big.Int).Lsh(r.Num(), 1)
	twice.Add(twice, r.Denom())
	return time.Duration(twice.Div(twice, new(big.Int).Lsh(r.Denom(), 1)).Int64())
}
