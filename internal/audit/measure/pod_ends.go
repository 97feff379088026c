package measure

import (
	"maps"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Remembered is how far back the end of a container counts.
const Remembered = 7 * 24 * time.Hour

// Ends are the kills of a Pod's containers, by name: those for memory, and those after a probe.
func Ends(pod *cluster.Object, now time.Time) map[string]engine.Measured {
	var found map[string]engine.Measured
	for _, status := range pod.Statuses {
		m := Unknown("the Pods' status")
		m.Samples, m.Age, m.Window = -1, -1, Remembered
		for _, state := range []cluster.ContainerState{status.State, status.LastState} {
			end := state.Terminated
			switch {
			case end == nil || now.Sub(end.FinishedAt) > Remembered:
			case end.Reason == "OOMKilled":
				m.OOMKills = max(m.OOMKills, 0) + 1
			case end == status.State.Terminated:
				// A Pod that is deleted ends its containers like this as well.
			case end.ExitCode == killed || end.ExitCode == terminated:
				m.ProbeKills = max(m.ProbeKills, 0) + 1
			}
		}
		if m.OOMKills > 0 || m.ProbeKills > 0 {
			if found == nil {
				found = map[string]engine.Measured{}
			}
			found[status.Name] = m
		}
	}
	return found
}

// Exit codes of what a signal ended: 128 and SIGKILL, or SIGTERM.
const (
	killed     = 128 + 9
	terminated = 128 + 15
)

// AddEnd adds what ended in one Pod of a workload.
func AddEnd(use Use, of cluster.Key, container string, ended engine.Measured) {
	if before, ok := use[of][container]; ok {
		ended.OOMKills = sum(before.OOMKills, ended.OOMKills)
		ended.ProbeKills = sum(before.ProbeKills, ended.ProbeKills)
	}
	put(use, of, container, ended)
}

// sum adds counts; a negative count is not known.
func sum(a, b int) int {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	return a + b
}

// WithEnds is what was measured of the containers of a workload. How they ended is added if the measurement lacks it.
func WithEnds(measured, ends map[string]engine.Measured) map[string]engine.Measured {
	if len(ends) == 0 {
		return measured
	}
	all := maps.Clone(measured)
	if all == nil {
		all = map[string]engine.Measured{}
	}
	for name, ended := range ends {
		if m, ok := all[name]; ok {
			ended = Fill(m, ended)
		}
		all[name] = ended
	}
	return all
}
