package measure

import (
	"cmp"

	"github.com/headroom-dev/headroom/policies/engine"
)

// first is one Pod that is first in something, and its rank: what it is first in, and what decides where that is equal.
type first struct {
	pod  *engine.Pod
	rank [2]float64
}

// firsts are the Pods that decide. The most of one Pod says nothing beside the most of another.
func firsts(r *engine.Runtime) []first {
	p, rises := &r.Pods, &r.Rises
	return []first{
		{&p.Live, [2]float64{p.Live.Live}},
		{&p.LiveShare, shareOf(&p.LiveShare, p.LiveShare.Live)},
		{&p.FloorShare, shareOf(&p.FloorShare, p.FloorShare.Floor)},
		{&p.DirectShare, shareOf(&p.DirectShare, p.DirectShare.Direct)},
		{&p.GCShare, [2]float64{p.GCShare.GCShare}},
		{&p.LiveRise, [2]float64{rises.Live, p.LiveRise.Live}},
		{&p.FloorRise, [2]float64{rises.Floor, p.FloorRise.Floor}},
		{&p.MetaspaceRise, [2]float64{rises.Metaspace, p.MetaspaceRise.Metaspace}},
		{&p.DirectRise, [2]float64{rises.Direct, p.DirectRise.Direct}},
		{&p.ThreadsRise, [2]float64{rises.Threads, p.ThreadsRise.Threads}},
	}
}

// shareOf ranks by the share of a heap or of a limit that the program keeps to; where neither is told, behind those.
func shareOf(pod *engine.Pod, amount float64) [2]float64 {
	if bound := cmp.Or(pod.HeapMax, pod.MemoryLimit); bound > 0 {
		return [2]float64{amount / bound, amount}
	}
	return [2]float64{0, amount}
}

// takeFirst takes each Pod of b that is before that of a.
func takeFirst(a, b *engine.Runtime) {
	of := firsts(b)
	for i, f := range firsts(a) {
		if cmp.Or(cmp.Compare(of[i].rank[0], f.rank[0]), cmp.Compare(of[i].rank[1], f.rank[1])) > 0 {
			*f.pod = *of[i].pod
		}
	}
}

// alone are the Pods of a workload that has one: it is first in all that it tells.
func alone(r *engine.Runtime, memoryPeak float64) engine.Pods {
	pod := engine.Pod{
		HeapMax: r.HeapMax, Live: r.Live, Floor: r.Floor, MemoryLimit: r.MemoryLimit, Metaspace: r.Metaspace,
		Direct: r.Direct, Threads: r.Threads, GCShare: r.GCShare, MemoryPeak: memoryPeak,
	}
	told := func(amount float64) engine.Pod {
		if amount > 0 {
			return pod
		}
		return engine.Pod{}
	}
	return engine.Pods{
		Live: told(r.Live), LiveShare: told(r.Live), FloorShare: told(r.Floor), DirectShare: told(r.Direct),
		GCShare: told(r.GCShare), LiveRise: told(r.Rises.Live), FloorRise: told(r.Rises.Floor),
		MetaspaceRise: told(r.Rises.Metaspace), DirectRise: told(r.Rises.Direct), ThreadsRise: told(r.Rises.Threads),
	}
}
