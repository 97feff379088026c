package cfs

import (
	"flag"
	"os"
	"testing"
	"time"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// A normal run asks the same each time, so that a change is judged by what it changed.
// -rapid.seed=0 -rapid.checks=10000 looks for what is new.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "20261121"); err != nil {
		panic(err) // rapid has renamed its flag
	}
	_ = flag.Set("rapid.nofailfile", "true")
	os.Exit(m.Run())
}

func mustRun(t testing.TB, b Bandwidth, processors int, loads ...Load) Result {
	t.Helper()
	r, err := Run(b, processors, loads)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func want(t testing.TB, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
