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

# chosen are the collectors that the resolved flags switch on. A JVM with two does not
# start (HR409); the model then goes on with one of them.
chosen(flags) := {gc | some flag, gc in collectors; flags[flag].value == "+"}

# Less than a "server" gets Serial before JDK 28: one processor, or under 1792 MiB, exactly
# (measured).
server_memory := 1879048192

# default_collector is the JVM's own choice; processors or memory 0 are the node's.
default_collector(processors, memory, feature) := "Serial" if {
	feature < 28
	processors == 1
} else := "Serial" if {
	feature < 28
	memory > 0
	memory < server_memory
} else := "Parallel" if {
	feature == 8
} else := "G1"
