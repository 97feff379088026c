package headroom.size

import data.headroom.advice
import data.headroom.bursts
import data.headroom.cpu
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workers

# notes are what to know of the values of a container, in sentences.
notes(c) := [text |
	some list in [
		_throttled(c), _killed(c), _lasting(c), _short(c), _filling(c), _heap(c), heap_note(c),
		_crowded(c),
	]
	some text in list
]

# What a quota cuts off is not seen (T5).
_throttled(c) := [sprintf("It was measured under limits.cpu %s, %v: without it, average and peak would be higher. %s", [
	quantity.format_cpu(c.cpu_limit),
	_cut_off(m, c),
	"Measure again after the change.",
])] if {
	m := measured.containers[c.name]
	_cut_off(m, c)
} else := []

_cut_off(m, c) := sprintf("throttled in %v %% of the periods", [round(m.ratio * 1000) / 10]) if {
	cpu.throttling(m.ratio, 1) != "healthy"
	c.cpu_limit > 0
} else := "which its peak reaches" if {
	m.cpu_peak * 100 >= c.cpu_limit * 95
	c.cpu_limit > 0
}

_killed(c) := ["It was OOMKilled at its limit: what it needs is not known, and the memory is a lower bound."] if {
	killed(c)
} else := []

# A kill that the peak does not explain was under a smaller limit, or faster than two samples.
_lasting(c) := [sprintf("%s: if it happens again, the peak comes between two samples.", [
	"It was OOMKilled, although the peak leaves room below today's limit",
])] if {
	measured.containers[c.name].oom_kills > 0
	not killed(c)
} else := []

# Traffic has weeks.
_short(c) := [sprintf("Only %v days were seen: what happens once a week may be missing.", [round(days * 10) / 10])] if {
	days := days_seen(c)
	days >= 0
	days < 6.5
} else := []

_filling(c) := [sprintf("Its memory grows, by %vMi in the time seen, and the heap's maximum bounds it.", [
	quantity.mib(measured.containers[c.name].memory_growth),
])] if {
	measured.containers[c.name].memory_growth > 0
	bounded(c)
} else := []

_heap(c) := [concat("", [
	"Its heap stays as its flags say: a JVM seldom gives memory back, so its use does not tell what the heap needs. ",
	_tells_of_heap(c),
])] if {
	jvm.by_id[c.id]
	not heaps[c.id]
	memory.peak[c.name].bytes > 0
	memories[c.id].unsized == ""
} else := []

# What would tell, where that is not known, or why it is not used.
_tells_of_heap(c) := sprintf("What it holds after collections is known (%s): the heap is near it, or %s.", [
	live.text,
	"what decides on it is out of sight, or too little of the rest is known for a limit",
]) if {
	live := memory.live(jvm.by_id[c.id])
} else := sprintf("What it tells of itself is not used: %s.", [doubt]) if {
	doubt := measured.runtime_of(c.name).doubt
	doubt != ""
} else := "A GC log or its own metrics do."

_crowded(c) := [sprintf("Its %s want %s of CPU when all are busy: %s.", [
	cpu.plural(pool.workers, bursts.pool_nouns[pool.per]),
	quantity.format_cpu(workers.needed(pool)),
	advice.workers(pool, after),
]) |
	after := object.union(c, {"cpu_limit": cpus[c.id].limit, "cpu_request": cpus[c.id].request})
	some pool in workers.pools
	pool.c.id == c.id
	bursts.crowded(pool, after)
]
