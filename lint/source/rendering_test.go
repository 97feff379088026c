package source

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Renderings that each keep within their time may take none beyond that of all.
func TestTheTimeOfAllRenderings(t *testing.T) {
	t.Cleanup(func() { taken.Store(0) })
	done := func(context.Context) error { return nil }
	taken.Store(int64(maxRenderingTime - 50*time.Millisecond))
	if err := timed(t.Context(), done); err != nil {
		t.Error(err)
	}
	waits := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for range 2 { // the second finds nothing left
		if err := timed(t.Context(), waits); !errors.Is(err, errRenderingTime) {
			t.Error(err)
		}
	}
	Find(nil, Options{})
	if err := timed(t.Context(), done); err != nil {
		t.Error("of the next run:", err)
	}
}

// A server that renders the same chart all day refused it once it had rendered to 64 MiB together.
func TestWhatIsKeptIsOfOneRun(t *testing.T) {
	large := rendering{texts: []renderedText{{text: make([]byte, maxKeptBytes-1)}}}
	for range 3 {
		Find(nil, Options{})
		if r := large.keep("a"); r.problem != nil {
			t.Error(r.problem)
		}
	}
	if r := large.keep("a"); r.problem == nil {
		t.Error("twice as much is kept of one run")
	}
	kept.Store(0)
}

// A file that a kustomization names many times was parsed as often.
func TestAFileNamedManyTimes(t *testing.T) {
	var names strings.Builder
	for i := range 300 {
		fmt.Fprintf(&names, "  - k%d=big\n", i)
	}
	tree(t, map[string]string{
		"k/kustomization.yaml": "configMapGenerator:\n- name: a\n  files:\n" + names.String(),
		"k/big":                "a: " + strings.Repeat("x, ", 1<<16),
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if problem := checkLocal("k", false); problem != nil {
		t.Error(problem)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 50<<20 {
		t.Errorf("%d MiB are taken", bytes>>20)
	}
}

func TestLongNames(t *testing.T) {
	pod := func(name string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {containers: [{name: a}]}\n"
	}
	for name, refused := range map[string]bool{strings.Repeat("n", longestName): false, strings.Repeat("n", longestName+1): true} {
		for item := range Items("a.yaml", []byte(pod(name)), Options{}) {
			if (item.Problem != nil) != refused || item.Problem != nil && strings.Contains(item.Problem.Cause.Error(), "nnn") {
				t.Errorf("%d bytes: %v", len(name), item.Problem)
			}
		}
	}
}
