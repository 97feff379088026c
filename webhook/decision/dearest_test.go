//go:build integration && unix

package decision

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	costly "github.com/headroom-dev/headroom/tests/harness/dear"
)

// Whatever an object is, it takes little more of a processor than the policies may, and than reading it some times
// does. On a usual machine that is less than a second. Texts of the largest are too long to be searched. Those of the
// small ones are as long as they may be: a search that takes the square of the length takes half a minute.
func TestTheDearestObjects(t *testing.T) {
	const times = 10
	for _, size := range []int{120 << 10, 250 << 10, maxObject - 64<<10} {
		d := newDecider(t, "")
		d.deadline = DefaultDeadline
		var reading time.Duration
		cost := map[string]time.Duration{}
		kinds := costly.Kinds()
		for _, kind := range kinds {
			pod := costly.Pod(kind, size, 1)
			if len(pod) > maxObject {
				t.Fatalf("%s: %d bytes", kind, len(pod))
			}
			began := cpuTime()
			if err := json.Unmarshal([]byte(pod), &map[string]any{}); err != nil {
				t.Fatal(kind, err)
			}
			reading += cpuTime() - began
			began = cpuTime()
			_, err := d.Mutate(t.Context(), Request{Object: pod, Namespace: "shop"})
			cost[kind] = cpuTime() - began
			if err != nil && !slices.ContainsFunc([]error{ErrDeadline, ErrTooMany, ErrLongText}, func(known error) bool {
				return errors.Is(err, known)
			}) {
				t.Errorf("%s: %v", kind, err)
			}
			t.Logf("%7d bytes, %-20s %4d ms, %v", len(pod), kind, cost[kind].Milliseconds(), err)
		}
		reading = max(reading/time.Duration(len(kinds)), searching)
		for kind, took := range cost {
			if took > DefaultDeadline+times*reading {
				t.Errorf("%s of %d bytes: %v, where reading takes %v", kind, size, took, reading)
			}
		}
	}
}

// searching is a tenth of what one search takes that nothing interrupts, of a text as long as it may be.
const searching = 30 * time.Millisecond
