package measure

import (
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

func TestEnds(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	const hour, week = "2026-11-24T11:00:00Z", "2026-11-16T11:00:00Z"
	end := func(reason string, code float64, at string) map[string]any {
		return map[string]any{"terminated": map[string]any{"reason": reason, "exitCode": code, "finishedAt": at}}
	}
	running := map[string]any{"running": map[string]any{}}
	for name, c := range map[string]struct {
		state, last   map[string]any
		kills, probes int // -1: not counted
	}{
		"never ended":         {running, map[string]any{}, -1, -1},
		"killed for memory":   {running, end("OOMKilled", 137, hour), 1, -1},
		"killed twice":        {end("OOMKilled", 137, hour), end("OOMKilled", 137, hour), 2, -1},
		"killed by its probe": {running, end("Error", 137, hour), -1, 1},
		"asked to end":        {running, end("Error", 143, hour), -1, 1},
		"its own error":       {running, end("Error", 1, hour), -1, -1},
		"long ago":            {running, end("OOMKilled", 137, week), -1, -1},
		"deleted":             {end("Error", 143, hour), map[string]any{}, -1, -1},
	} {
		pod, err := cluster.FromManifest(cluster.Pods, map[string]any{
			"metadata": map[string]any{"name": "a"},
			"status": map[string]any{"containerStatuses": []any{map[string]any{
				"name": "app", "state": c.state, "lastState": c.last,
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		found, ok := Ends(pod, now)["app"]
		if ok != (c.kills > 0 || c.probes > 0) || ok && (found.OOMKills != c.kills || found.ProbeKills != c.probes) {
			t.Errorf("%s: %v %+v", name, ok, found)
		}
	}
}
