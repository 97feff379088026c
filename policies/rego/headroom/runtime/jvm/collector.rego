package headroom.runtime.jvm

collectors := {
	"UseSerialGC": "Serial",
	"UseParallelGC": "Parallel",
	"UseParallelOldGC": "Parallel",
	"UseG1GC": "G1",
	"UseZGC": "ZGC",
	"UseShenandoahGC": "Shenandoah",
	"UseConcMarkSweepGC": "CMS",
	"UseEpsilonGC": "Epsilon",
}

_collector_flags := object.keys(collectors)

# collector is the one that runs. A JVM that is told two does not start (HR409); the model
# then goes on with one of them.
collector(chosen, sources, flags, n, memory, feature) := min(chosen) if {
	count(chosen) > 0
} else := "CMS" if {
	# An old way to ask for it.
	feature == 8
	some s in sources
	s.options["-Xincgc"]
} else := "CMS" if {
	feature in {8, 11}
	some s in sources
	s.options["-Xconcgc"]
} else := "Serial" if {
	on(flags, "UseParNewGC")
	default_collector(n, memory, feature) == "Parallel"
} else := default_collector(n, memory, feature)

# Less than a "server" gets Serial before JDK 28: one processor, or under 1792 MiB, exactly
# (measured).
server_memory := 1879048192

# default_collector is the JVM's own choice; processors or memory 0 are the node's.
default_collector(n, memory, feature) := "Serial" if {
	feature < 28
	n == 1
} else := "Serial" if {
	feature < 28
	memory > 0
	memory < server_memory
} else := "Parallel" if {
	feature == 8
} else := "G1"
