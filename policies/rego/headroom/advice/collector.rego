package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# collector_of_a_server is G1 in the place of the Serial collector, with the memory that it then needs.
collector_of_a_server(j) := concat("", [in_place(j, "-XX:+UseG1GC"), _in_place_of(j), _room_for(j)])

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
