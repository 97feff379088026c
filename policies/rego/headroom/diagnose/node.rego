package headroom.diagnose

# kernel says whether the kernel may throttle what has quota left: before 5.4 what a CPU had got of the quota and
# had not used expired (T18). [] where there is no quota, or the kernel was not read.
kernel := [verdict("kernel", throttled.status, linux, message, fix)] if {
	_quota
	linux := _linux
	_before_5_4
	throttled.status == "warning"
	message := concat(" ", [
		sprintf("Linux %v: before 5.4 the kernel throttles containers that have not used their quota up,", [linux]),
		"mostly those with many threads that run shortly. Some distributions have the fix in older kernels.",
	])
	fix := "Take a node with Linux 5.4 or later, or ask the distribution for the fix; without a CPU limit it does no harm."
} else := [verdict("kernel", "ok", linux, message, "")] if {
	_quota
	linux := _linux
	message := sprintf("Linux %v%s.", [linux, _fixed])
} else := []

_quota if positive(input.read.quota_us)

_linux := input.read.kernel.release if {
	is_string(input.read.kernel.release)
	number(input.read.kernel.major)
	number(input.read.kernel.minor)
}

_before_5_4 if [input.read.kernel.major, input.read.kernel.minor] < [5, 4]

_fixed := " is before 5.4, but it throttles next to nothing here" if _before_5_4

_fixed := ": quota that a CPU has not used does not expire (5.4 and later)" if not _before_5_4

# cpus says that the container may not run on all CPUs of the node, as where the kubelet's CPU manager is static
# (T12). A Guaranteed container has whole cores of its own, all others share the rest. [] where it may, or
# nothing was read.
cpus := [verdict("cpus", "ok", value, message, "")] if {
	own := positive(input.read.cpus)
	all := positive(input.read.cpus_node)
	own < all
	value := sprintf("%v of %v", [own, all])
	message := sprintf("It may run on %v of the node's %v CPUs%s", [own, all, _whose(own)])
} else := []

_whose(own) := concat(" ", [
	", as many as its limit: a static CPU manager gives it whole cores, and no more threads run than these take.",
	"headroom.dev/cpu-pinning: static on the Pod tells the linter so.",
]) if {
	positive(input.read.quota_us) == own * positive(input.read.period_us)
} else := ": the others are other containers' own under a static CPU manager, or reserved."
