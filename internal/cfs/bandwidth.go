// Package cfs models CFS bandwidth control, the kernel's enforcement of limits.cpu, in two layers.
//
// The period layer (Run) is exact arithmetic. Threads draw on one quota, and when it is used up all
// of them are throttled until the next period (T1 to T4, T8, T9, T12). The pool layer (Machine.Busy)
// adds how the kernel hands the quota out to processors in slices and charges it at ticks. That
// throttles threads that never use more than their quota (T10, T11).
package cfs

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Bandwidth is what limits.cpu becomes in the kernel.
type Bandwidth struct {
	Quota  time.Duration // CPU time in each period, of all threads together; 0 = no limit
	Period time.Duration // 100 ms unless the kubelet says otherwise (T1)
	// Burst is how much of what earlier periods left of their quota a period may use beside its own, at
	// most a quota (cpu.max.burst, T17).
	Burst time.Duration
}

// DefaultPeriod is the kubelet's cpuCFSQuotaPeriod (T1).
const DefaultPeriod = 100 * time.Millisecond

// What the kernel takes as quota and period (tg_set_cfs_bandwidth).
const (
	MinQuota  = time.Millisecond
	MinPeriod = time.Millisecond
	MaxPeriod = time.Second
)

// ForLimit gives the bandwidth of a CPU limit in millicores (T1: 500m is 50 ms in each 100 ms), as
// the kubelet computes it: never less than a millisecond. Without a limit (0 or less) there is no quota.
func ForLimit(millicores int64, period time.Duration) Bandwidth {
	if millicores <= 0 {
		return Bandwidth{Period: period}
	}
	high, low := bits.Mul64(uint64(millicores), uint64(max(period, 0)))
	quota := time.Duration(math.MaxInt64)
	if high < 1000/2 { // else the quotient is no int64
		exact, _ := bits.Div64(high, low, 1000)
		quota = time.Duration(exact) //nolint:gosec // less than 2^63, as high is less than half the divisor
	}
	return Bandwidth{Quota: max(quota, MinQuota), Period: period}
}

// check refuses what the kernel would.
func (b Bandwidth) check() error {
	switch {
	case b.Quota == 0:
		return nil
	case b.Quota < MinQuota:
		return fmt.Errorf("a quota of %s is less than the %s that the kernel takes", b.Quota, MinQuota)
	case b.Period < MinPeriod || b.Period > MaxPeriod:
		return fmt.Errorf("a period of %s is not between %s and %s, as the kernel has it", b.Period, MinPeriod, MaxPeriod)
	case b.Quota > maxWork:
		return fmt.Errorf("a quota of %s is more than the %s that are computed", b.Quota, maxWork)
	case b.Burst < 0 || b.Burst > b.Quota:
		return fmt.Errorf("a burst of %s is not between 0 and the quota of %s, as the kernel has it", b.Burst, b.Quota)
	}
	return nil
}
