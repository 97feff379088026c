package headroom.explain

import data.headroom.cpu

# What a burst of the collector's threads makes of the quota (T2), with the pause and the period
# that were asked for; null without a CPU limit and where the number of threads is not known.

# asked is what whoever asks wants assumed; 0 is nothing.
asked := object.union({"pause_ms": 0, "workers": 0, "period_ms": 0}, _given)

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
	"quota_ms": granted,
	"period_ms": period_ms,
	"text": _burst_text(threads, pause.ms, own_ms, spent, granted),
}) if {
	[threads, source] := _gc_threads(j)
	pause := gc_pause(j)
	granted := quota(j.c).ms
	own_ms := cpu.used_ms(cpu.measured_average[j.c.id], period_ms)
	spent := cpu.collection(threads, pause.ms, own_ms, granted, period_ms)
} else := null

_gc_threads(j) := [threads, source] if {
	[threads, source] := cpu.gc_threads(j)
	threads > 0
	cpu.count_is_known(j)
}

# gc_pause is how long a collection takes: {ms, text}.
gc_pause(j) := {"ms": asked.pause_ms, "text": "asked for"} if {
	asked.pause_ms > 0
} else := cpu.gc_pause(j)

_burst_text(threads, pause_ms, own_ms, spent, granted) := sprintf("%s for %v ms%s: %s, %s.", [
	cpu.plural(threads, "GC thread"),
	pause_ms,
	{true: sprintf(", beside %v ms of the application", [own_ms]), false: ""}[own_ms > 0],
	concat(" ", [sprintf("%v ms of CPU time where the quota is %v ms", [spent.used_ms, granted]), "in a period"]),
	_outcome(pause_ms, spent),
])

_outcome(_, spent) := "so that nothing is throttled by the collection alone" if spent.throttle_ms == 0

_outcome(pause_ms, spent) := sprintf("%v ms too many: the pause of %v ms becomes one of about %v ms (T2)", [
	spent.throttle_ms,
	pause_ms,
	spent.stall_ms,
]) if {
	spent.throttle_ms > 0
}
