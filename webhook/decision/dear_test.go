package decision

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	costly "github.com/headroom-dev/headroom/tests/harness/dear"
)

func TestManyFields(t *testing.T) {
	for n, want := range map[int]error{maxValues - 1: nil, maxValues + 1: ErrTooMany} {
		object := `{"a":[` + strings.Repeat("1,", n-1) + `1]}`
		if _, err := reductionsFor(false).reduced(nil, Request{Object: object}); !errors.Is(err, want) {
			t.Errorf("%d fields: %v", n, err)
		}
	}
}

// A text that is too long to be searched is an answer of its own, and the same on any machine.
func TestLongTexts(t *testing.T) {
	d := newDecider(t, "")
	for size, long := range map[int]bool{64 << 10: false, 257 << 10: true} {
		_, err := d.Validate(t.Context(), Request{Object: costly.Pod("one line", size, 1)})
		if errors.Is(err, ErrLongText) != long {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// What a Pod was before a resize is bounded like the Pod, and counts as much at the gate.
func TestDearPredecessors(t *testing.T) {
	d := newDecider(t, "")
	book := d.current.Load()
	small := costly.Pod("flags", 1000, 0)
	large := costly.Pod("arguments", largeBytes, 0)
	_, alone, _, err := d.key(book, Request{Object: small})
	if err != nil {
		t.Fatal(err)
	}
	if _, with, _, err := d.key(book, Request{Object: small, Before: large}); err != nil || with < alone+largeBytes {
		t.Errorf("%d bytes after %d: %v", with, alone, err)
	}
	for before, want := range map[string]error{
		`{"a":[` + strings.Repeat("1,", maxValues+1) + `1]}`: ErrTooMany,
		`{"a":"` + strings.Repeat("a", maxObject) + `"}`:     ErrTooLarge,
		`[]`: ErrMalformed,
	} {
		if _, err := d.Validate(t.Context(), Request{Object: small, Before: before}); !errors.Is(err, want) {
			t.Errorf("%.20s: %v", before, err)
		}
	}
}

// Of large objects one is evaluated at a time, of all namespaces together, even where they were cheap; small ones pass.
func TestLargeObjectsOneByOne(t *testing.T) {
	g := newGate(8)
	large := func(i int) *ticket { return g.line(fmt.Sprint("large", i), largeBytes) }
	first, second, small := large(1), large(2), g.line("small", 1000)
	if len(first.called) != 1 || len(second.called) != 0 || len(small.called) != 1 {
		t.Error("not one large and one small object")
	}
	g.left("small", small, time.Millisecond)
	if len(second.called) != 0 {
		t.Error("a second large one")
	}
	g.left("large1", first, time.Millisecond)
	if len(second.called) != 1 {
		t.Error("the next large one waits on")
	}
}
