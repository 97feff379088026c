package headroom.cpu

# burst is what a burst of so many threads for so long makes of a quota: one that uses more
# stops the whole container until the excess is paid (T2). The stall is what a request that
# came with the burst waits.
burst(threads, pause_ms, quota) := {
	"used_ms": used,
	"throttle_ms": throttle,
	"stall_ms": pause_ms + throttle,
} if {
	used := threads * pause_ms
	throttle := max([0, used - quota])
}

# collection is what a collection makes of a quota on top of what the application uses of it in each
# period (T8). One that lasts longer than a period uses no more of each than its threads can run in it.
collection(threads, pause_ms, own_ms, quota, period_ms) := {
	"used_ms": used + own_ms,
	"throttle_ms": spent.throttle_ms,
	"stall_ms": _stall_ms(threads, pause_ms, quota - own_ms, period_ms, spent),
} if {
	used := threads * min([pause_ms, period_ms])
	spent := burst(threads, min([pause_ms, period_ms]), quota - own_ms)
}

_stall_ms(_, pause_ms, _, _, spent) := pause_ms if spent.throttle_ms == 0

_stall_ms(_, pause_ms, _, period_ms, spent) := spent.stall_ms if {
	spent.throttle_ms > 0
	pause_ms <= period_ms
}

_stall_ms(threads, pause_ms, quota, period_ms, spent) := finish_ms(pause_ms, threads, max([1, quota]), period_ms) if {
	spent.throttle_ms > 0
	pause_ms > period_ms
}
