package headroom.advice_test

import data.headroom.advice

# cap is the advice for one region of a JVM. 800 of its 1000 MiB may be taken.
cap(region, heap_bytes, term, budget) := advice.region_caps(
	{"heap": {"bytes": heap_bytes}},
	[{"flag": "A", "cap": region, "term": 0}],
	object.union({"terms": [object.union({"grade": "declared"}, term)], "limit_mib": 1000}, budget),
)[0]

# As much as the heap, 256 MiB, or, where there is no room for that beside the rest, a guard.
test_a_cap_on_direct_memory if {
	every entry in [
		[0, 1024, true, 900, "256"],
		[1, 100, true, 900, "100"],
		[1, 1024, true, 608, "256"],
		[1, 1024, true, 609, "128"],
		[1, 100, true, 609, "100"],
		[1, 1024, false, 609, "256"],
		[1, 256, true, 608, "256"],
		[1, 300, true, 608, "256"],
		[1, 129, true, 609, "128"],
	] {
		[heap, bound, complete, total, wanted] := entry
		budget := {"complete": complete, "total_mib": total}
		cap("direct", heap, {"mib": 64, "bound_mib": bound}, budget) == sprintf("-XX:A=%sm", [wanted])
	}
}

test_a_cap_on_classes_has_room if {
	every mib, wanted in {96: "256", 256: "256", 257: "257", 300: "300"} {
		cap("metaspace", 1, {"mib": mib}, {"complete": true, "total_mib": 900}) == sprintf("-XX:A=%sm", [wanted])
	}
}

# What a family was measured to take of metaspace follows from its classes; of direct memory, from its load.
test_a_cap_by_what_a_family_takes if {
	known := {"mib": 96, "bound_mib": 1024, "grade": "known"}
	cap("metaspace", 1, known, {"complete": true, "total_mib": 900}) == "-XX:A=256m"
	not cap("direct", 1, known, {"complete": true, "total_mib": 900})
}
