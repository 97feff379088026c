package headroom.bursts

import data.headroom.cpu
import data.headroom.runtime.jvm

# gc_bursts are what collections of known JVMs make of the quota of their container (T2). They come on top of
# the application's own use (T8), as far as that was measured or declared. Each is {id, gc_threads, pause_ms, own_ms,
# quota_ms, used_ms, throttle_ms, stall_ms, certain, text}. certain says that nothing assumed is needed for it to be
# throttled.
gc_bursts := [object.union(spent, {
	"id": j.c.id,
	"certain": _certain(j, spent),
	"text": gc_text(j, spent, cpu.average[j.c.id]),
}) |
	some j in jvm.jvms
	j.c.role != "init"
	spent := _gc_burst(j)
]

# as_wanted are the collections with as many threads as there will be once HR403 has had its way.
as_wanted := [object.union(spent, {"id": j.c.id, "certain": _certain(wanted, spent)}) |
	some j in jvm.jvms
	j.c.role != "init"
	threads := object.union(j.parallel_gc_threads, {"value": _parallel_as_wanted(j)})
	wanted := object.union(j, {"parallel_gc_threads": threads})
	spent := _gc_burst_of(wanted, _pause_as_wanted(j, wanted))
]

# HR403 leaves an adaptive collector what it picks.
_parallel_as_wanted(j) := j.parallel_gc_threads.value if {
	j.gc in jvm.adaptive
	not j.parallel_gc_threads.set
} else := jvm.wanted_parallel(j)

# A pause that is assumed may be none at all: then what the application uses has to be over the quota by itself.
_certain(j, spent) := spent.throttle_ms > 0 if jvm.gc_pause(j).declared

_certain(j, spent) := spent.own_ms > spent.quota_ms if not jvm.gc_pause(j).declared

# Fewer threads take longer. What more of them take is not known until it is measured.
_pause_as_wanted(j, wanted) := max([jvm.gc_pause(j).ms, changed]) if {
	min([gc_threads(j)[0], gc_threads(wanted)[0]]) > 0
	changed := cpu.pause_with(jvm.gc_pause(j).ms, gc_threads(j)[0], gc_threads(wanted)[0])
} else := jvm.gc_pause(j).ms

# throttled_collection is the collection of a JVM that uses more than its quota, beside the measured
# or declared use of the application. It is undefined for others, and where that use is all of the
# quota: then no burst throttles.
throttled_collection(j) := spent if {
	spent := _gc_burst(j)
	spent.own_ms < spent.quota_ms
	spent.throttle_ms > 0
}

# _gc_burst is {gc_threads, pause_ms, own_ms, quota_ms, used_ms, throttle_ms, stall_ms} of a JVM in a
# container with a CPU limit.
_gc_burst(j) := _gc_burst_of(j, jvm.gc_pause(j).ms)

_gc_burst_of(j, pause_ms) := object.union(spent, {
	"gc_threads": threads,
	"pause_ms": pause_ms,
	"own_ms": own_ms,
	"quota_ms": quota,
}) if {
	j.c.cpu_limit > 0
	[threads, _] := gc_threads(j)
	threads > 0
	count_is_known(j)
	quota := cpu.quota_ms(j.c.cpu_limit, 100)
	own_ms := cpu.used_ms(cpu.average[j.c.id].milli, 100)
	spent := cpu.collection(threads, pause_ms, {"ms": own_ms, "threads": cpu.usual_threads}, quota, 100)
}

# gc_text is the arithmetic of such a burst, what comes of it, and what of it is not known.
gc_text(j, spent, own) := sprintf("A GC pause of %v ms (%s) on %s (%s) needs %v ms of CPU%s%s%s%s", [
	spent.pause_ms,
	jvm.gc_pause(j).text,
	cpu.plural(spent.gc_threads, "thread"),
	gc_threads(j)[1],
	cpu.tenths(spent.used_ms),
	_of_each_period(spent),
	_own_words(spent, own),
	_outcome(j, spent),
	_not_counted(own),
])

_of_each_period(spent) := " of each period" if spent.pause_ms > 100

_of_each_period(spent) := "" if spent.pause_ms <= 100

# _own_words tells the collection's part from what the application uses beside it, and says who says so.
_own_words(spent, own) := sprintf(", %v for normal work (%s)", [cpu.tenths(spent.own_ms), own.text]) if {
	spent.own_ms > 0
} else := ""

_not_counted(own) := " Normal work comes on top, and is not known." if own.milli == 0

_not_counted(own) := "" if own.milli > 0

_outcome(j, spent) := sprintf(": the container is throttled, and the pause grows from %v to %v ms.", [
	spent.pause_ms,
	_stall(j, spent),
]) if {
	spent.throttle_ms > 0
} else := ": the limit has room for that."

# Of a pause that is assumed, what it grows to is no finer than that.
_stall(j, spent) := sprintf("%v", [cpu.tenths(spent.stall_ms)]) if jvm.gc_pause(j).declared

_stall(j, spent) := sprintf("about %v", [round(spent.stall_ms / 10) * 10]) if not jvm.gc_pause(j).declared

# gc_threads are [how many, what says it]: the serial collector is one thread, whatever ParallelGCThreads says.
gc_threads(j) := [1, "the serial collector"] if {
	j.gc == "Serial"
} else := [j.parallel_gc_threads.value, concat(", ", ["ParallelGCThreads", j.parallel_gc_threads.source])]

# count_is_known: a Secret may hold the flag, and a default would then be a guess.
count_is_known(j) if j.parallel_gc_threads.set

count_is_known(j) if not j.secret
