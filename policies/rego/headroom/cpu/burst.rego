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
