package cfs

import (
	"os"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261121)
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
