package headroom.runtime.jvm

# old_names are those by which Java 8 takes a flag that the model reads, as -XX:+PrintFlagsFinal shows (measured).
# From 11 on a JVM does not start with them, as flag_table says. DefaultMaxRAMFraction, which 8 to 21 take, is read
# where shares are (heap.rego).
old_names := {"ParallelCMSThreads": "ConcGCThreads", "ParallelMarkingThreads": "ConcGCThreads"}

# with_old_names has each flag by its present name.
with_old_names(flags, feature) := object.union(
	object.union_n([{now: object.union(flag, {"name": old}) | flag := flags[old]} | some old, now in old_names]),
	flags,
) if {
	feature == 8
} else := flags
