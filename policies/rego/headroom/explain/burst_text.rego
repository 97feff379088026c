package headroom.explain

import data.headroom.cpu

_burst_text(threads, pause_ms, spent, granted) := sprintf("%s for %v ms: %s, %s.", [
	cpu.plural(threads, "GC thread"),
	pause_ms,
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
