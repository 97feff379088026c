package main

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/lint/source"
)

func TestTooMuchMemoryIsRefused(t *testing.T) {
	for read, want := range map[int64]uint64{0: 240 << 20, 20 << 20: 240 << 20, 30 << 20: 360 << 20, 200 << 20: 2400 << 20} {
		if got := mayLive(read); got != want {
			t.Errorf("%d bytes read: %d MiB", read, got>>20)
		}
	}
	var said strings.Builder
	codes := []int{}
	exit := func(code int) { codes = append(codes, code) }
	source.Load(source.File{Name: "big\x1b.yaml", Skipped: "a test"}, source.Options{})
	files, _ := source.Files([]string{"memory_test.go"}, source.Options{})
	source.Load(files[0], source.Options{})
	refuseTooMuch(240<<20, &said, exit)
	if said.Len() > 0 || len(codes) > 0 {
		t.Error(said.String())
	}
	within, done := allowance.Begin(t.Context())
	refuseTooMuch(250<<20, &said, exit)
	if within.Err() == nil || done() == nil || said.Len() > 0 || len(codes) > 0 {
		t.Error("of a server the work ends, and nothing else: ", said.String())
	}
	refuseTooMuch(1<<30, &said, exit)
	if !strings.Contains(said.String(), "memory_test.go") || len(codes) != 1 || codes[0] != exitFailed {
		t.Error(said.String(), codes)
	}
	if mostHeap(0) != tightHeap || mostHeap(1<<30) < 1<<30 {
		t.Error("the soft limit is below what is alive")
	}
}
