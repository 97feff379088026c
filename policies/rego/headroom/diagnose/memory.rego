package headroom.diagnose

# limit is [bytes, what says it] of the memory limit: the cgroup's, which holds, else the API's.
limit := [input.read.limit, "the memory limit"] if {
	positive(input.read.limit)
} else := [input.api.limit, "the memory limit of the Pod (the cgroup's was not read)"] if {
	not input.read.limit == -1
	positive(input.api.limit)
}

# used is the working set in bytes, as the kubelet counts it: all that is charged, less the
# page cache that the kernel can drop first.
used := max([0, number(input.read.usage) - number(input.read.inactive_file)])

working_set := judged("memory", used * 100, limit[0] * percent.memory, share(used, limit[0]), message, fix) if {
	message := concat("", [
		sprintf("The working set is %s of %s, %s.", [mib(used), mib(limit[0]), limit[1]]),
		_peak,
		_zgc,
	])
	fix := "Raise limits.memory, and the request with it, or give a region less: the heap first (M1)."
} else := unknown("memory", _unlimited(used), "Set a limit (HR301).") if {
	input.read.limit == -1
} else := unknown("memory", why(_memory_files), "cAdvisor's container_memory_working_set_bytes tells.")

_memory_files := ["memory.usage_in_bytes", "memory.limit_in_bytes", "memory.stat"] if {
	input.read.version == 1
} else := ["memory.current", "memory.max", "memory.stat"]

_peak := sprintf(" It was never more than %s, page cache included.", [mib(input.read.peak)]) if {
	positive(input.read.peak)
} else := ""

_zgc := " ZGC's heap is charged as shared memory: graphs of rss miss it." if {
	input.read.perf.gc == "ZGC"
} else := ""

_unlimited(used) := sprintf("the working set is %s, and there is no memory limit", [mib(used)])
