package headroom.advice_test

import data.headroom.advice

# cap is the advice for one region of a JVM. 800 of its 1000 MiB may be taken.
cap(region, heap_bytes, term, budget) := advice.region_caps(
	{"heap": {"bytes": heap_bytes}},
	[{"flag": "A", "cap": region, "term": 0}],
	object.union({"terms": [term], "limit_mib": 1000}, budget),
)[0]

test_a_cap_on_direct_memory if {
	full := {"complete": true, "total_mib": 900}
	every entry in [[0, 100, "256"], [1, 100, "100"], [1, 256, "256"], [1, 300, "256"]] {
		cap("direct", entry[0], {"mib": entry[1], "source": "default"}, full) == sprintf("-XX:A=%sm", [entry[2]])
	}
}

test_a_cap_on_classes_has_room if {
	every entry in [
		["annotation", 100, true, 644, "256"],
		["annotation", 100, true, 645, "100"],
		["annotation", 100, false, 645, "256"],
		["annotation", 300, true, 500, "300"],
		["annotation", 300, false, 500, "300"],
		["assumed", 100, true, 645, "256"],
	] {
		term := {"mib": entry[1], "source": entry[0]}
		cap("metaspace", 1, term, {"complete": entry[2], "total_mib": entry[3]}) == sprintf("-XX:A=%sm", [entry[4]])
	}
}
