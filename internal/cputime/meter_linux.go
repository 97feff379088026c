package cputime

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Meter measures one goroutine, which keeps its thread until Stop.
type Meter struct {
	clock int32 // of the thread
	began time.Duration
}

// Start begins to measure the goroutine that calls it.
func Start() *Meter {
	runtime.LockOSThread()
	// The kernel's number of the clock of a thread, which other threads may read: CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED.
	const ofThread, scheduled = 4, 2
	m := &Meter{clock: int32(^unix.Gettid()<<3 | ofThread | scheduled)} //nolint:gosec // a thread's number has 22 bits
	m.began = m.now()
	return m
}

func (m *Meter) now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(m.clock, &t); err != nil {
		return 0 // a sandbox may forbid it: nothing counts as used, and the wall's time bounds
	}
	return time.Duration(t.Nano())
}

// Used is what the work has taken since Start. Other goroutines may ask, until Stop.
func (m *Meter) Used() time.Duration { return max(0, m.now()-m.began) }

// Stop ends it, in the goroutine that began, and gives what was used.
func (m *Meter) Stop() time.Duration {
	used := m.Used()
	runtime.UnlockOSThread()
	return used
}
