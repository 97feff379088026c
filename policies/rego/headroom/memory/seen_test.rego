package headroom.memory_test

import data.headroom.memory
import data.headroom.reviews_test as reviews
import data.headroom.runtime.jvm

# told is the budget of a JVM that tells this of itself.
told(flags, facts, runtime) := found if {
	[found] := memory.budgets with input as telling(flags, facts, runtime)
}

telling(flags, facts, runtime) := reviews.of_object(
	pod(flags, "2Gi", facts),
	{"measured": {"app": {
		"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
		"runtime": object.union({"exporter": "Micrometer", "samples": 2016, "seen_seconds": 604800}, runtime),
	}}},
)

whole := {"metaspace": 94371840, "code_cache": 41943040, "direct": 33554432, "threads": 100, "classes": 9000}

grades(found) := {term.name: term.grade | some term in found.terms}

test_what_was_measured_takes_the_place_of_what_is_assumed if {
	found := told(["-Xmx1g"], "", whole)
	mib(found) == {"heap": 1024, "metaspace": 90, "code cache": 40, "direct": 32, "stacks": 13, "native": 131}
	low(found) == {"heap": 1024, "metaspace": 90, "code cache": 40, "direct": 16, "stacks": 4, "native": 65}
	bound(found).direct == 1024
	grades(found) == {
		"heap": "declared", "metaspace": "measured", "code cache": "measured", "direct": "measured", "stacks": "measured",
		"native": "assumed",
	}
	told(["-Xmx1g"], "native=80Mi", whole).grade == "measured"
	some term in found.terms
	term.name == "metaspace"
	term.source == "measured by Prometheus: Micrometer over 7d"
}

test_what_was_measured_wins_over_an_annotation if {
	found := told(["-Xmx1g"], "threads=400 metaspace=200Mi direct=1Mi", whole)
	mib(found).metaspace == 90
	mib(found).direct == 32
	mib(found).stacks == 13
}

test_an_annotation_tells_regions if {
	found := budget(["-Xmx1g"], "2Gi", "metaspace=90Mi codecache=40Mi direct=32Mi threads=100 native=80Mi")
	mib(found) == {"heap": 1024, "metaspace": 90, "code cache": 40, "direct": 32, "stacks": 13, "native": 80}
	found.grade == "declared"
}

test_a_flag_bounds_what_was_measured if {
	caps := ["-XX:MaxMetaspaceSize=64m", "-XX:ReservedCodeCacheSize=32m", "-XX:MaxDirectMemorySize=256m"]
	found := told(array.concat(["-Xmx1g"], caps), "", whole)
	mib(found).metaspace == 64
	mib(found)["code cache"] == 32
	mib(found).direct == 32
	bound(found).direct == 256
}

test_classes_alone_tell_of_metaspace if {
	found := told(["-Xmx1g"], "", {"classes": 9000})
	grades(found).metaspace == "measured"
	mib(found).metaspace == 64
}

# Netty's buffers without a cleaner are not among those that the JVM counts.
test_direct_memory_that_a_jvm_does_not_count if {
	grades(told(["-Xmx1g"], "version=8", whole)).direct == "assumed"
	reflective := ["-Xmx1g", "-XX:MaxDirectMemorySize=64m", "-Dio.netty.tryReflectionSetAccessible=true"]
	grades(told(reflective, "", whole)).direct == "declared"
	mib(budget(["-Xmx1g"], "2Gi", "version=8 direct=32Mi")).direct == 32
}

# A limit for these is the sum solved again.
test_a_limit_for_what_was_measured if {
	limit := memory.smallest_limit_mib(jvm.jvms[0]) with input as telling(["-Xmx1g"], "native=80Mi", whole)
	limit == 1600
}

live(flags, runtime) := found if {
	found := memory.live(jvm.jvms[0]) with input as telling(flags, "", runtime)
}

spent(flags, runtime) := found if {
	found := memory.collections(jvm.jvms[0]) with input as telling(flags, "", runtime)
}

test_what_is_live if {
	object.remove(live(["-Xmx1g"], {"live": 314572800, "heap_max": 1073741824}), ["pod"]) == {
		"bytes": 314572800, "heap_bytes": 1073741824, "seen": true,
		"text": "measured by Prometheus: Micrometer over 7d",
	}
	live(["-Xmx2g"], {"live": 314572800, "heap_max": 1073741824}).seen == false
	live(["-Xmx2g"], {"live": 314572800}).seen == false
	not live(["-Xmx1g"], {"threads": 5})
	spent(["-Xmx1g"], {"gc_share": 0.2, "heap_max": 1073741824}) == 0.2
	not spent(["-Xmx2g"], {"gc_share": 0.2, "heap_max": 1073741824})
	not spent(["-Xmx1g"], {"heap_max": 1073741824})
}

# A JVM whose flags are out of sight says itself how large its heap is.
test_a_heap_that_only_the_jvm_knows if {
	hidden := json.patch(telling([], "", {"live": 314572800, "heap_max": 1073741824}), [{
		"op": "add",
		"path": "/object/spec/containers/0/envFrom",
		"value": [{"secretRef": {"name": "flags"}}],
	}])
	found := memory.live(jvm.jvms[0]) with input as hidden
	found.heap_bytes == 1073741824
}

# Two Pods: 300 MiB live in a heap of 2 GiB, and 200 in one of 256 MiB. Without a flag the fuller one counts, in its own
# heap. Under a flag it is what is live at the most, known under this heap alone if its own Pod had it.
test_what_is_live_in_one_pod if {
	mi := 1048576
	large := {"live": 300 * mi, "heap_max": 2048 * mi, "gc_share": 0.01}
	small := {"live": 200 * mi, "heap_max": 256 * mi, "gc_share": 0.3}
	told_of := {
		"live": 300 * mi, "heap_max": 2048 * mi, "gc_share": 0.3,
		"pods": {"live": large, "live_share": small, "gc_share": small},
	}
	fuller := live([], told_of)
	[fuller.bytes, fuller.heap_bytes, fuller.seen, fuller.pod] == [200 * mi, 256 * mi, true, small]
	flagged := live(["-Xmx2g"], told_of)
	[flagged.bytes, flagged.heap_bytes, flagged.seen, flagged.pod] == [300 * mi, 2048 * mi, true, large]
	live(["-Xmx256m"], told_of).seen == false
	spent([], told_of) == 0.3
	not spent(["-Xmx2g"], told_of)
	spent(["-Xmx256m"], told_of) == 0.3
}

# A Pod's metaspace and another's buffers are not at one time: the most of the three together counts, and no less than
# the most of each of the others.
test_what_regions_took_together if {
	mi := 1048576
	every together, direct in {162: 32, 150: 20, 131: 1, 130: 0, 120: 0, 400: 32} {
		found := told(["-Xmx1g"], "", object.union(whole, {"beside_heap": together * mi}))
		mib(found).direct == direct
		bound(found).direct == 1024
		[mib(found).metaspace, mib(found)["code cache"]] == [90, 40]
	}
	partly := object.remove(object.union(whole, {"beside_heap": 150 * mi}), ["code_cache"])
	mib(told(["-Xmx1g"], "", partly)).direct == 32
	mib(told(["-Xmx1g"], "version=8", object.union(whole, {"beside_heap": 150 * mi}))).direct == 64
}
