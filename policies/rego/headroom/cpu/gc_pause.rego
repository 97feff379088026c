package headroom.cpu

# A pause with other threads than it was measured with (T6: 42 ms with 2 threads, 28 with 4, 18 with 25; T2 has 45 with
# 2). Between these it is linear in 1 / threads: a part that one thread does, and one that all share.

# pause_with is a pause of so many ms with `before` threads as it would be with `after`.
pause_with(pause_ms, before, after) := pause_ms if {
	before == after
} else := (pause_ms * _pause(after)) / _pause(before)

_pause(threads) := 18 if {
	threads >= 25
} else := 28 - ((10 * (0.25 - (1 / threads))) / 0.21) if {
	threads >= 4
} else := 14 + (56 / threads)
