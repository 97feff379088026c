package headroom.advice

import data.headroom.classify
import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm

# for_burst is what fits a collection (see cpu.gc_burst) and its quota together. That is fewer
# threads, as far as HR403 allows, or a higher limit, as far as the class allows. No number follows from a pause that
# is assumed.
for_burst(j, burst) := concat("", [
	"the GC pause first: headroom annotate measures it (pause= in jvm.headroom.dev/",
	j.container,
	"), and this finding then says how many threads or which limit fits",
]) if {
	not jvm.gc_pause(j).declared
} else := concat(", or ", ways) if {
	higher := [way | _enough_threads(j, burst); some way in higher_limit(j.c, ceil(burst.used_ms * 10))]
	ways := array.concat(_fewer_threads(j, burst), [concat("", [way, _as_many(j, burst)]) | some way in higher])
	count(ways) > 0
} else := "shorter pauses, by a smaller heap or another collector: its class and HR403 leave no other way"

_fewer_threads(j, burst) := [sprintf("-XX:ParallelGCThreads=%v or less", [most]) |
	j.gc != "Serial"
	most := _most_threads(burst)
	most >= jvm.thread_room(j).least
	most < burst.gc_threads
]

# _most_threads are those that fit the quota: fewer of them pause longer (T6).
_most_threads(burst) := floor(room / min([cpu.pause_with(burst.pause_ms, burst.gc_threads, 25), 100])) if {
	room := burst.quota_ms - burst.own_ms
	25 * min([cpu.pause_with(burst.pause_ms, burst.gc_threads, 25), 100]) <= room
} else := max([n |
	some n in numbers.range(1, 24)
	n * min([cpu.pause_with(burst.pause_ms, burst.gc_threads, n), 100]) <= burst.quota_ms - burst.own_ms
])

# Under a higher limit HR403 may want more threads than there are.
_enough_threads(j, _) if j.gc == "Serial"

_enough_threads(_, burst) if burst.gc_threads >= floor(burst.used_ms / 100)

# With a higher limit a JVM starts more threads, or takes another collector, unless it is told.
_as_many(j, burst) := sprintf(" with %s", [in_place(j, sprintf("-XX:ParallelGCThreads=%v", [burst.gc_threads]))]) if {
	j.gc != "Serial"
	not j.parallel_gc_threads.set
	not j.flags.ActiveProcessorCount
} else := sprintf(" with %s", [in_place(j, "-XX:+UseSerialGC")]) if {
	j.gc == "Serial"
	count(j.chosen) == 0
	not j.flags.ActiveProcessorCount
} else := ""

# higher_limit is [] where the class has another limit in mind, which would then be missed.
higher_limit(c, milli) := [concat("", [sprintf(_higher[word], [quantity.format_cpu(milli)]), beside]) |
	word := _limit_word(c)
	beside := {true: "", false: request_beside(c, milli)}[word == "peak"]
	_allowed(c, cpu.row[c.id], milli)
]

_higher := {
	"limit": "limits.cpu: %s or more",
	"multiple": "limits.cpu: %s",
	"pod": "limits.cpu of the Pod: %s or more",
	"peak": "requests.cpu and limits.cpu: %s",
}

_limit_word(c) := "pod" if {
	c.cpu_limit_source == "pod"
} else := "peak" if {
	cpu.row[c.id] == {"request": "peak", "limit": "peak"}
} else := "multiple" if {
	cpu.times(cpu.row[c.id].limit) > 0
	_held_to(c) > 0
} else := "limit"

_allowed(_, null, _)

_allowed(c, row, milli) if {
	row.limit in {"none", "peak", "measured"}
} else if {
	row.limit == "allocation"
	cpu.allocation.milli == 0
} else if {
	wanted := cpu.times_average(cpu.times(row.limit), _held_to(c))
	_within(wanted, milli)
}

# _held_to is what a limit is a multiple of: the average or, where that is not known, the request that HR204 holds it
# to.
_held_to(c) := cpu.average[c.id].milli if {
	cpu.average[c.id].milli > 0
} else := c.cpu_request if {
	classify.said(c.name)
	c.cpu_request > 0
	c.cpu_request_source != "limit"
} else := 0

_within(0, _)

_within(wanted, milli) if {
	wanted > 0
	not cpu.outside(milli, wanted)
}
