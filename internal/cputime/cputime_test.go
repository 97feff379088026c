//go:build linux

package cputime

import (
	"context"
	"errors"
	"testing"
	"time"
)

// work takes so much of a processor, as the meter sees it.
func work(m *Meter, most time.Duration, until <-chan struct{}) {
	for from := m.Used(); m.Used()-from < most; {
		select {
		case <-until:
			return
		default:
		}
	}
}

// Waiting costs nothing, however long it is.
func TestWaitingIsNotWork(t *testing.T) {
	m := Start()
	ctx, end := m.Within(t.Context(), 20*time.Millisecond, time.Hour)
	time.Sleep(100 * time.Millisecond)
	if ctx.Err() != nil {
		t.Error(context.Cause(ctx))
	}
	work(m, time.Hour, ctx.Done())
	if !errors.Is(context.Cause(ctx), ErrUsed) {
		t.Error(context.Cause(ctx))
	}
	end()
	if used := m.Stop(); used < 20*time.Millisecond {
		t.Error(used)
	}
}

func TestStarved(t *testing.T) {
	m := Start()
	defer m.Stop()
	ctx, end := m.Within(t.Context(), time.Hour, 10*time.Millisecond)
	defer end()
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), ErrStarved) {
		t.Error(context.Cause(ctx))
	}
}

// Another goroutine's work is not counted.
func TestOwnWork(t *testing.T) {
	m := Start()
	done := make(chan time.Duration)
	go func() {
		other := Start()
		work(other, 50*time.Millisecond, nil)
		done <- other.Stop()
	}()
	if other := <-done; other < 50*time.Millisecond {
		t.Error(other)
	}
	if used := m.Stop(); used > 25*time.Millisecond {
		t.Errorf("waiting for it took %s of a processor", used)
	}
}

func TestEndedTwice(t *testing.T) {
	m := Start()
	defer m.Stop()
	for range 100 {
		ctx, end := m.Within(t.Context(), time.Millisecond, time.Millisecond)
		time.Sleep(time.Millisecond)
		end()
		if ctx.Err() == nil {
			t.Error("it goes on")
		}
	}
}
