package audit

import (
	"context"
	"maps"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

// use is what was measured, by owning workload and container name.
type use = map[cluster.Key]map[string]engine.Measured

// remembered is how far back the end of a container counts.
const remembered = 7 * 24 * time.Hour

// readEnds reads how the containers of the Pods ended, and those before them: without a Prometheus nothing else tells of an
// OOM kill. The kubelet keeps the last end of each alone.
func (a *auditor) readEnds(ctx context.Context) {
	a.progress.at(cluster.Pods.Resource)
	now, owners := time.Now(), map[cluster.Key]cluster.Key{}
	everything := a.reader.Unselected()
	a.in(ctx, cluster.Pods, func(namespace string) error {
		err := everything.Each(ctx, cluster.Pods, namespace, func(pod *cluster.Object) error {
			a.nodes.add(pod)
			if a.exclude[pod.Namespace] {
				return nil
			}
			for name, ended := range endsOf(pod, now) {
				a.noteEnd(a.ownerOf(ctx, pod, owners), name, ended)
			}
			return nil
		})
		a.nodes.whole = err == nil && namespace == ""
		return err
	})
	// They are listed again, and what ended half-way may then end well.
	clear(a.listed)
}

// endsOf are the kills of a Pod's containers, by name: those for memory, and those after a probe.
func endsOf(pod *cluster.Object, now time.Time) map[string]engine.Measured {
	var found map[string]engine.Measured
	for _, status := range pod.Statuses {
		m := measure.Unknown("the Pods' status")
		m.Samples, m.Age, m.Window = -1, -1, remembered
		for _, state := range []cluster.ContainerState{status.State, status.LastState} {
			end := state.Terminated
			switch {
			case end == nil || now.Sub(end.FinishedAt) > remembered:
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

func (a *auditor) noteEnd(of cluster.Key, container string, ended engine.Measured) {
	at := a.ends[of.Namespace]
	if at == nil {
		at = use{}
		a.ends[of.Namespace] = at
	}
	if at[of] == nil {
		at[of] = map[string]engine.Measured{}
	}
	if before, ok := at[of][container]; ok {
		ended.OOMKills = sum(before.OOMKills, ended.OOMKills)
		ended.ProbeKills = sum(before.ProbeKills, ended.ProbeKills)
	}
	at[of][container] = ended
}

// sum adds counts, of which a negative one is not known.
func sum(a, b int) int {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	return a + b
}

// withEnds adds the ends to what else was measured.
func (a *auditor) withEnds(namespace string, measured use) use {
	ends := a.ends[namespace]
	if len(ends) == 0 {
		return measured
	}
	all := maps.Clone(measured)
	if all == nil {
		all = use{}
	}
	for key, containers := range ends {
		known := maps.Clone(all[key])
		if known == nil {
			known = map[string]engine.Measured{}
		}
		for name, ended := range containers {
			if m, ok := known[name]; ok {
				ended = measure.Fill(m, ended)
			}
			known[name] = ended
		}
		all[key] = known
	}
	return all
}

// ownerOf follows the controllers of an object up to the one that an audit reports. Few Pods are asked about.
func (a *auditor) ownerOf(ctx context.Context, o *cluster.Object, known map[cluster.Key]cluster.Key) cluster.Key {
	key := cluster.Key{Kind: o.Kind.Kind, Namespace: o.Namespace, Name: o.Name}
	c := o.Controller
	if c == nil {
		return key
	}
	above := cluster.Key{Kind: c.Kind, Namespace: o.Namespace, Name: c.Name}
	if owner, ok := known[above]; ok {
		return owner
	}
	owner := above
	if kind, ok := cluster.KindOf(c.APIVersion, c.Kind); ok && kind.Made {
		if next, err := a.reader.Get(ctx, kind, o.Namespace, c.Name); err == nil {
			owner = a.ownerOf(ctx, next, known)
		}
	}
	known[above] = owner
	return owner
}
