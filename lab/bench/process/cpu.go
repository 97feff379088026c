//go:build linux

package process

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// CPU is the CPU time of another process, all threads, in nanoseconds where /proc/PID/stat counts hundredths of a
// second.
func CPU(pid int) (time.Duration, error) {
	const scheduler = 2 // CPUCLOCK_SCHED of the kernel; see clock_getcpuclockid(3)
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &t); err != nil { //nolint:gosec // a PID has 22 bits
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
