// Package wait waits for what comes of its own accord.
package wait

import (
	"testing"
	"time"
)

// longest is long for any machine: no test rests on how fast one is.
const longest = 10 * time.Minute

// For waits until something holds.
func For(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(longest); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
