package headroom.advice

import data.headroom.cpu
import data.headroom.measured
import data.headroom.runtime.jvm

# processors is the count that keeps a JVM from counting the node's cores.
processors(j) := sprintf("-XX:ActiveProcessorCount=%v", [jvm.wanted_processors(j)])

# processors_in_place says it with its place or, where neither a limit nor its use tells the count, what does.
processors_in_place(j) := in_place(j, processors(j)) if {
	jvm.cores(j) > 0
} else := sprintf("%s, no fewer than %v%s; %s", [
	in_place(j, "-XX:ActiveProcessorCount at twice its average CPU use"),
	jvm.wanted_processors(j),
	_reserved(j.c),
	to_measure(j.c, "cpu-average"),
])

_reserved(c) := " (its request)" if {
	cpu.least_cores(c) * 1000 >= c.cpu_request
	cpu.least_cores(c) > 2
} else := ""

# gc_threads are the collector's threads that are wanted.
gc_threads(j, room) := sprintf("%s, as it takes now%s", [in_place(j, jvm.pair_taken(j)), _more_threads(j, room)]) if {
	threads_as_taken(j, room)
} else := in_place(j, jvm.pair_text(j, room))

# threads_as_taken says that the threads which a JVM takes fit. Whether its quota has room for more of them is not
# known: that needs its average use and its pauses.
threads_as_taken(j, room) if {
	j.processors > 0
	jvm.threads_fit(j.parallel_gc_threads.value, room)
	j.parallel_gc_threads.value <= room.wanted
	j.conc_gc_threads.value <= jvm.half(j.parallel_gc_threads.value)
	not _use_known(j)
}

_use_known(j) if {
	cpu.average[j.c.id].milli > 0
	jvm.gc_pause(j).declared
}

_more_threads(j, room) := sprintf("; up to %v where its average use and its pauses leave room (headroom annotate)", [
	room.wanted,
]) if {
	room.wanted > j.parallel_gc_threads.value
} else := ""

# to_measure is what makes a figure of a container known.
to_measure(c, what) := sprintf("headroom annotate measures it: %s.headroom.dev/%s%s", [
	what,
	c.name,
	measured.doubt(c, " (%s)"),
])

# startup_flags are those with which the JVM starts, in the place of flags that it refuses. A
# percentage is written with a decimal point, which every release takes.
startup_flags(refused, j) := sprintf("%s.0, which every release takes", [refused.flags[0]]) if {
	count(refused.flags) == 1
	regex.match(`^-XX:[A-Za-z]+Percentage=(?:100|[0-9]{1,2})$`, refused.flags[0])
} else := refused.wants if {
	object.get(refused, "wants", "") != ""
} else := sprintf("the release that runs in annotation jvm.headroom.dev/%s, or flags that all of 8 to 25 start with", [
	j.container,
]) if {
	j.version == 0
	not refused.all
} else := sprintf("another %s, or none", [option]) if {
	count(refused.flags) == 1
	object.get(refused, "settled", false)
	option := regex.find_n(`^-(?:X(?:m[nsx]|ss)|XX:[A-Za-z0-9]+)`, refused.flags[0], 1)[0]
} else := sprintf("no %s, or what the JVM in the image has in its place", [refused.flags[0]]) if {
	count(refused.flags) == 1
	regex.match(`^-[^…]+$`, refused.flags[0])
} else := "only one of these collectors" if {
	refused.reason == jvm.one_collector
} else := "flags that the JVM in the image starts with"

# gc_log are the flags of a GC log on the console.
gc_log(8) := "-Xloggc:/dev/stdout -XX:+PrintGCDetails"

gc_log(version) := "-Xlog:gc*:stdout (Java 8: -Xloggc:/dev/stdout)" if version != 8
