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
	default_collector(flags, n, memory, feature) == "Parallel"
} else := default_collector(flags, n, memory, feature)

# Less than a "server" gets Serial before JDK 28: one processor, or under 1792 MiB, exactly
# (measured).
server_memory := 1879048192

# default_collector is the JVM's own choice; processors or memory 0 are the node's.
default_collector(flags, n, memory, feature) := "Serial" if {
	feature < 28
	not _server_class(flags, n, memory)
} else := "Parallel" if {
	feature == 8
} else := "G1"

# Two flags decide whatever there is; of both, Never (measured).
_server_class(flags, n, memory) if {
	not on(flags, "NeverActAsServerClassMachine")
	_large(flags, n, memory)
}

_large(flags, _, _) if on(flags, "AlwaysActAsServerClassMachine")

_large(_, n, 0) if n != 1

_large(_, n, memory) if {
	n != 1
	memory >= server_memory
}

# as_client: with NeverActAsServerClassMachine 11 to 26 compile as a JVM of a desktop does (measured): one compiler,
# one thread, 32 MiB of code, unless a flag says how to compile.
as_client(flags, sources, feature) if {
	on(flags, "NeverActAsServerClassMachine")
	feature >= 11
	feature < 28
	not flags.TieredStopAtLevel
	not flags.CompilationMode
	not off(flags, "TieredCompilation")
	count([s | some s in sources; s.options["-Xint"]]) == 0
}
