package headroom.cpu

# usual_threads is how many of the application's threads run at once, if no number is given (T3).
usual_threads := 8

# collection is what a collection makes of a quota on top of what the application uses of it in each
# period, on so many threads (T8): {used_ms, throttle_ms, stall_ms}. One that lasts longer than a period uses no more
# of each than its threads can run in it.
collection(threads, pause_ms, own, quota, period_ms) := {
	"used_ms": used + own.ms,
	"throttle_ms": max([0, (used + own.ms) - quota]),
	"stall_ms": stall_ms(threads, pause_ms, own, quota, period_ms),
} if {
	used := threads * min([pause_ms, period_ms])
}

# stall_ms is how long a pause lasts under a quota: the one definition, which the simulator (internal/cfs) is held to.
# The application's threads run at the start of a period, the collection when they are done, and both stand still
# whenever the quota of a period is used up (T3).
stall_ms(threads, pause_ms, own, quota, period_ms) := pause_ms if {
	threads * pause_ms <= _room(threads, _begun(own, quota, period_ms))
} else := (begun.end_ms - begun.at_ms) + _done(rest, threads, quota, period_ms).at_ms if {
	begun := _begun(own, quota, period_ms)
	rest := (threads * pause_ms) - _room(threads, begun)
}

# _room is the CPU time that a collection gets in the period in which it begins.
_room(threads, begun) := min([begun.left_ms, threads * (begun.end_ms - begun.at_ms)])

# _begun is when the application is done and the collection begins, when that period ends, and what is left of its
# quota.
_begun(own, quota, period_ms) := {"at_ms": 0, "end_ms": period_ms, "left_ms": quota} if {
	own.ms <= 0
} else := {
	"at_ms": done.at_ms,
	"end_ms": (done.full + 1) * period_ms,
	"left_ms": quota - done.rest,
} if {
	done := _done(own.ms, own.threads, quota, period_ms)
}

# _done is when so much CPU time has been used, how many whole periods went before, and what the last one took.
_done(total, threads, quota, period_ms) := {
	"at_ms": (full * period_ms) + (rest / threads),
	"full": full,
	"rest": rest,
} if {
	granted := min([quota, threads * period_ms])
	full := ceil(total / granted) - 1
	rest := total - (full * granted)
}
