package headroom.explain

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.runtime.jvm

# What a burst of the collector's threads makes of the quota (T2), with the pause and the period
# that were asked for. It is null without a CPU limit and where the number of threads is not known.

# asked are the assumptions that the user asks for; 0 means that none is asked for.
asked := object.union({"pause_ms": 0, "workers": 0, "period_ms": 0, "gc_threads": 0}, _given)

default _given := {}

_given := data.headroom.asked if is_object(data.headroom.asked)

period_ms := asked.period_ms if {
	asked.period_ms > 0
} else := 100

# quota is what the CPU limit grants in a period (T1): {ms, period_ms}; null without a limit.
quota(c) := {"ms": cpu.quota_ms(c.cpu_limit, period_ms), "period_ms": period_ms} if {
	c.cpu_limit > 0
} else := null

gc_burst(j) := object.union(spent, {
	"threads": threads,
	"threads_source": source,
	"pause_ms": pause.ms,
	"pause_source": pause.text,
	"own_ms": own.ms,
	"quota_ms": granted,
	"period_ms": period_ms,
	"text": _burst_text(threads, pause.ms, own.ms, spent, granted),
}) if {
	[threads, source] := _gc_threads(j)
	pause := gc_pause(j)
	granted := quota(j.c).ms
	own := {"ms": cpu.used_ms(cpu.average[j.c.id].milli, period_ms), "threads": _application}
	spent := cpu.collection(threads, pause.ms, own, granted, period_ms)
} else := null

_application := asked.workers if {
	asked.workers > 0
} else := cpu.usual_threads

_gc_threads(j) := [threads, source] if {
	[threads, source] := bursts.gc_threads(j)
	threads > 0
	bursts.count_is_known(j)
}

# gc_pause is how long a collection takes: {ms, text}. Where it is known of asked.gc_threads threads, and there are
# others, it is another one.
gc_pause(j) := {"ms": ms, "text": sprintf("%s with %s", [pause.text, cpu.plural(asked.gc_threads, "thread")])} if {
	asked.gc_threads > 0
	[threads, _] := _gc_threads(j)
	threads != asked.gc_threads
	pause := _gc_pause(j)
	ms := cpu.tenths(cpu.pause_with(pause.ms, asked.gc_threads, threads))
} else := _gc_pause(j)

_gc_pause(j) := {"ms": asked.pause_ms, "text": "asked for"} if {
	asked.pause_ms > 0
} else := jvm.gc_pause(j)

_burst_text(threads, pause_ms, own_ms, spent, granted) := sprintf("%s for %v ms%s: %s, %s.", [
	cpu.plural(threads, "GC thread"),
	pause_ms,
	{true: sprintf(", beside %v ms of the application", [own_ms]), false: ""}[own_ms > 0],
	concat(" ", [sprintf("%v ms of CPU time where the quota is %v ms", [spent.used_ms, granted]), "in a period"]),
	_outcome(pause_ms, spent),
])

_outcome(_, spent) := "so that nothing is throttled by the collection alone" if spent.throttle_ms == 0

_outcome(pause_ms, spent) := sprintf("%v ms too much: the pause grows from %v to %v ms", [
	cpu.tenths(spent.throttle_ms),
	pause_ms,
	cpu.tenths(spent.stall_ms),
]) if {
	spent.throttle_ms > 0
}
