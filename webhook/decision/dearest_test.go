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

// Whatever an object of 3 MiB is, it takes little more of a processor than the policies may, and than reading it some
// times does. On a usual machine that is less than a second.
func TestTheDearestObjects(t *testing.T) {
	const times, size = 10, maxObject - 64<<10
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
		t.Logf("%-20s %4d ms, %v", kind, cost[kind].Milliseconds(), err)
	}
	reading /= time.Duration(len(kinds))
	for kind, took := range cost {
		if took > DefaultDeadline+times*reading {
			t.Errorf("%s: %v, where reading takes %v", kind, took, reading)
		}
	}
}
