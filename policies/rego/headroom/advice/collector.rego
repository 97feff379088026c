package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# collector_of_a_server is G1 in the place of the Serial collector, with the memory that it then needs. A JVM
# that is told of fewer processors than it has picks it by itself once it is told of all.
collector_of_a_server(j) := concat("", [sprintf("-XX:ActiveProcessorCount=%v", [jvm.cores(j)]), _room_for(j)]) if {
	j.flags.ActiveProcessorCount
	count(j.chosen) == 0
	jvm.cores(j) > j.processors
} else := concat("", [in_place(j, "-XX:+UseG1GC"), _in_place_of(j), _room_for(j)])

_in_place_of(j) := sprintf(" in place of %s", [jvm.flag_text(j, "UseSerialGC")]) if {
	j.flags.UseSerialGC.value == "+"
} else := ""

_room_for(j) := sprintf(", and limits.memory of %vMi%s, as G1 needs more than Serial", [mib, and_request(j.c)]) if {
	_fits(j)
	then := jvm.changed(j, j.c, ["-XX:+UseG1GC"])
	not _fits(then)
	mib := memory.sufficient_limit_mib(then)
	mib > 0
} else := ""
