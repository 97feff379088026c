//go:build !linux

package cputime

import "time"

// Meter measures how long work lasts, where no clock of a thread is known.
type Meter struct{ began time.Time }

// Start begins to measure.
func Start() *Meter { return &Meter{time.Now()} }

// Used is how long it has been.
func (m *Meter) Used() time.Duration { return time.Since(m.began) }

// Stop ends it.
func (m *Meter) Stop() time.Duration { return m.Used() }
