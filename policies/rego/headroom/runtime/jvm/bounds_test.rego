package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Each number at its bounds, as the functions of the model have it.

test_parallel_threads_at_their_bounds if {
	every row in [
		["G1", 8, 0, 8], ["G1", 9, 0, 8], ["G1", 10, 0, 9], ["G1", 16, 0, 13],
		["Shenandoah", 0, 0, 0], ["Shenandoah", 1, 0, 1], ["Shenandoah", 3, 0, 1], ["Shenandoah", 4, 0, 2],
		["ZGC", 5, 1e15, 3], ["ZGC", 6, 1e15, 4], ["ZGC", 5, 0, 1], ["ZGC", 5, 209715199, 1], ["ZGC", 5, 209715200, 2],
		["ZGC of 11", 1, 104857600, 1], ["ZGC of 11", 2, 104857600, 2], ["ZGC of 11", 16, 104857600, 10],
		["Serial", 9, 0, 0], ["Epsilon", 9, 0, 0],
	] {
		jvm.default_parallel(row[0], row[1], row[2]) == row[3]
	}
}

test_whose_rule_sizes_the_threads if {
	jvm.sized_as("ZGC", 11) == "ZGC of 11"
	jvm.sized_as("ZGC", 17) == "ZGC"
	jvm.sized_as("G1", 11) == "G1"
}

test_concurrent_threads_at_their_bounds if {
	every row in [
		["G1", -1, 4, 0, 0], ["G1", 0, 4, 0, 0], ["G1", 1, 4, 0, 1], ["G1", 5, 4, 0, 1], ["G1", 6, 4, 0, 2],
		["CMS", 0, 4, 0, 0], ["CMS", 1, 4, 0, 1], ["CMS", 4, 4, 0, 1], ["CMS", 5, 4, 0, 2],
		["Parallel", 4, 4, 0, 0], ["Serial", 4, 4, 0, 0], ["Epsilon", 4, 4, 0, 0],
		["Shenandoah", 0, 0, 0, 0], ["Shenandoah", 0, 7, 0, 1], ["Shenandoah", 0, 8, 0, 2],
		["ZGC", 0, 0, 1e15, 0], ["ZGC", 0, 4, 1e15, 1], ["ZGC", 0, 5, 1e15, 2], ["ZGC", 0, 5, 209715199, 1],
		["ZGC of 11", 5, 8, 104857600, 1], ["ZGC of 11", 10, 16, 104857600, 2],
	] {
		jvm.default_concurrent(row[0], row[1], row[2], row[3]) == row[4]
	}
}

test_compilers_at_their_bounds if {
	untiered := {"TieredCompilation": {"value": "-"}}
	every row in [
		[{}, {}, 17, 0, 0], [{}, {}, 17, 1, 2], [{}, {}, 17, 3, 2], [{}, {}, 17, 4, 3], [{}, {}, 17, 8, 4],
		[{}, {}, 17, 16, 12], [{}, {}, 17, 4095, 49], [{}, {}, 17, 4096, 54],
		[{}, {}, 25, 1, 2], [{}, {}, 25, 4096, 54], [{}, {}, 26, 4096, 24],
		[untiered, {}, 8, 16, 2], [untiered, {}, 11, 16, 2], [untiered, {}, 17, 16, 12],
		[untiered, {}, 24, 1, 2], [untiered, {}, 25, 1, 1], [untiered, {}, 25, 3, 1],
		[{}, {"TieredStopAtLevel": 0}, 25, 1, 2], [{}, {"TieredStopAtLevel": 1}, 25, 1, 1],
		[{}, {"TieredStopAtLevel": 2}, 25, 1, 1], [{}, {"TieredStopAtLevel": 3}, 25, 1, 1],
		[{}, {"TieredStopAtLevel": 4}, 25, 1, 2],
	] {
		jvm.default_compilers(row[0], row[1], row[2], row[3]) == row[4]
	}
}

test_default_collectors_at_their_bounds if {
	every row in [
		[1, 0, 27, "Serial"], [1, 0, 28, "G1"], [2, 0, 27, "G1"], [0, 0, 27, "G1"], [0, 0, 8, "Parallel"],
		[2, 1, 27, "Serial"], [2, 1879048191, 27, "Serial"], [2, 1879048191, 28, "G1"],
		[2, 1879048192, 27, "G1"], [2, 1879048192, 8, "Parallel"], [2, 1879048192, 9, "G1"],
	] {
		jvm.default_collector({}, row[0], row[1], row[2]) == row[3]
	}
}

test_sizes_at_their_bounds if {
	every text, bytes in {
		"0": 0, "00": 0, "007": 7, "1": 1, "1k": 1024, "1M": 1048576, "2g": 2147483648, "1t": 1099511627776,
		"0x10": 16, "0X1fk": 31744, "0xag": 10737418240, "0xfT": 16492674416640, "0x2m": 2097152,
		"": -1, "-1": -1, "1Gi": -1, "1.5g": -1, "x": -1,
	} {
		jvm.size_of(text) == bytes
	}
	every text, percent in {"75": 75, "75.5": 75.5, "75.": 75, ".5": 0.5, "5e1": 50, "0": 0, "": -1, "-1": -1, "75%": -1} {
		jvm.percent(text) == percent
	}
	every value, bytes in {"Xss512k": 524288, "512": 524288, "1": 1024, "Xss1": 1024, "Xss0": 1048576, "0": 1048576} {
		jvm.stack_size({"ThreadStackSize": {"value": value}}).bytes == bytes
	}
	every bytes, whole in {0: 0, 1: 2097152, 2097152: 2097152, 2097153: 4194304} {
		jvm.aligned(bytes) == whole
	}
}

test_code_caches_at_their_bounds if {
	small := {[version, level] |
		some version in [10, 11, 16, 17, 27, 28]
		some level in [0, 1, 2, 3, 4]
		jvm.small_code_cache({"version": version, "flags": {}, "numbers": {"TieredStopAtLevel": level}, "sources": []})
	}
	small == {[version, level] | some version in [17, 27]; some level in [0, 1, 2, 3]} | {[28, 0], [28, 1]}
	interpreted := {version |
		some version in [8, 10, 11]
		jvm.small_code_cache({"version": version, "flags": {}, "numbers": {}, "sources": [{"options": {"-Xint": [""]}}]})
	}
	interpreted == {11}
}

test_releases_without_container_support if {
	lacks := {[feature, update] |
		some [feature, update] in [[7, 0], [8, 0], [8, 1], [8, 190], [8, 191], [9, 0], [10, 0], [17, 5]]
		jvm.lacks_container_support({"feature": feature, "update": update})
	}
	lacks == {[7, 0], [8, 1], [8, 190], [9, 0]}
}

test_the_least_heap_at_its_bounds if {
	heap({}, {}, 0) == [0, 25, ""]
	heap({}, {}, 261724559) == [132120576, 50, ""]
	heap({}, {}, 261724560) == [132120576, 25, ""]
	heap({}, {}, 10) == [2097152, 50, ""]
	lifted := {"InitialHeapSize": {"value": "x", "source": "a"}}
	heap(lifted, {"InitialHeapSize": 268435456}, 1073741824) == [268435456, 25, ""]
	heap(lifted, {"InitialHeapSize": 268435457}, 1073741824) == [270532608, 0, "InitialHeapSize"]
	heap({"MaxHeapSize": {"value": "x", "source": "a"}}, {"MaxHeapSize": -1}, 1) == [0, 0, "MaxHeapSize"]
	heap({"MaxRAMPercentage": {"value": "0.0", "source": "a"}}, {}, 1073741824) == [132120576, 0, "MaxRAMPercentage"]
	heap({"MaxRAMPercentage": {"value": "no", "source": "a"}}, {}, 1073741824) == [132120576, 0, "MaxRAMPercentage"]
	fraction := {"MaxRAMFraction": {"value": "x", "source": "a"}}
	heap(fraction, {"MaxRAMFraction": 1}, 1073741824) == [1073741824, 100, "MaxRAMFraction"]
	heap(fraction, {"MaxRAMFraction": 2}, 1073741824) == [536870912, 50, "MaxRAMFraction"]
	heap(fraction, {"MaxRAMFraction": 0}, 1073741824) == [268435456, 25, ""]
	jvm.end_of_little({}, {}) == 261724560
	jvm.end_of_little({"MinRAMPercentage": {"value": "0.0001", "source": "a"}}, {}) == 109951162777600
	jvm.end_of_little({"MinRAMFraction": {"value": "1", "source": "a"}}, {"MinRAMFraction": 1}) == 130862280
}

heap(flags, numbers, memory) := [found.bytes, found.percent, found.flag] if {
	found := jvm.max_heap(flags, numbers, memory)
}

test_processors_at_their_bounds if {
	every row in [[1, 1], [1000, 1], [1001, 2], [0, 0], [-1, 0]] {
		jvm.processors({"cpu_limit": row[0]}, {}, {}).count == row[1]
	}
	active := {"ActiveProcessorCount": {"value": "x", "source": "a"}}
	jvm.processors({"cpu_limit": 2000}, active, {"ActiveProcessorCount": 1}).count == 1
	jvm.processors({"cpu_limit": 2000}, active, {"ActiveProcessorCount": 0}).count == 2
}

test_threads_that_go_together if {
	{t | some t in [0, 1, 2, 3]; jvm.threads_fit(t, {"least": 1, "most": 2})} == {1, 2}
	[jvm.half(n) | some n in [-1, 0, 1, 2, 3, 4]] == [1, 1, 1, 1, 1, 2]
	[jvm.plural(n, "core") | some n in [0, 1, 2]] == ["0 cores", "1 core", "2 cores"]
	jvm.pair_text({"gc": "G1"}, {"cores": 1, "wanted": 2}) == "-XX:ParallelGCThreads=2 and -XX:ConcGCThreads=1"
	startswith(jvm.pair_text({"gc": "G1"}, {"cores": 0, "wanted": 2}), "-XX:ParallelGCThreads at twice")
	[jvm.listed(l) | some l in [[], [8], [8, 11], [8, 11, 17]]] == ["", "8", "8 and 11", "8, 11 and 17"]
}

long(n) := concat("", ["a" | some _ in numbers.range(1, n)])

test_texts_at_their_bounds if {
	eight := {"version": 8, "variables": {}}
	jvm.has_room(eight, [long(1022)])
	not jvm.has_room(eight, [long(1023)])
	jvm.has_room({"version": 17, "variables": {}}, [long(1023)])
	not jvm.has_room({"version": 0, "variables": {}}, [long(1023)])
	jvm.has_room(eight, ["a" | some _ in numbers.range(1, 64)])
	not jvm.has_room(eight, ["a" | some _ in numbers.range(1, 65)])
	[p.why | some p in jvm._passed("JAVA_TOOL_OPTIONS", long(1023))] == []
	count(jvm._passed("JAVA_TOOL_OPTIONS", long(1024))) == 1
}

test_powers_of_two if {
	every i, power in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] {
		jvm._log2(power) == i
		jvm._log2(power - 1) == max([0, i - 1])
	}
}

# An old way to ask for CMS, and the young collector of it that falls back on Serial.
test_collectors_of_java_8_alone if {
	incremental := [{"options": {"-Xincgc": [""]}}, {"options": {}}]
	new := {"UseParNewGC": {"value": "+"}}
	without := {"UseParNewGC": {"value": "-"}}
	every row in [
		[incremental, {}, 2, 8, "CMS"], [incremental, {}, 2, 7, "G1"], [incremental, {}, 2, 9, "G1"],
		[incremental, {}, 2, 0, "G1"], [[], {}, 2, 8, "Parallel"],
		[[], new, 2, 8, "Serial"], [[], new, 1, 8, "Serial"], [[], new, 2, 9, "G1"], [[], new, 1, 28, "G1"],
		[[], without, 2, 8, "Parallel"],
	] {
		jvm.collector(set(), row[0], row[1], row[2], 0, row[3]) == row[4]
	}
	jvm.collector({"ZGC", "G1"}, incremental, new, 2, 0, 8) == "G1"
}

test_what_a_jvm_takes_for_its_memory if {
	limited := {"MaxRAM": {"value": "x"}}
	unsupported := {"UseContainerSupport": {"value": "-"}}
	every row in [
		[{}, {}, 7, 7], [{}, {}, 1, 1], [{}, {}, 0, 0], [{}, {}, -1, 0],
		[limited, {"MaxRAM": 5}, 7, 5], [limited, {"MaxRAM": 1}, 0, 1], [limited, {"MaxRAM": -1}, 7, 0],
		[unsupported, {}, 7, 0], [object.union(limited, unsupported), {"MaxRAM": 5}, 7, 5],
		[{"UseContainerSupport": {"value": "+"}}, {}, 7, 7],
	] {
		jvm.seen_memory({"memory_limit": row[2]}, row[0], row[1]) == row[3]
	}
}

# What CICompilerCount says goes before -Xint up to 24 only.
test_compilers_of_a_jvm_that_interprets if {
	interpreting := [{"options": {"-Xint": [""]}}]
	every row in [
		[2, [], 8, 2], [1, [], 8, 2], [1, [], 9, 1], [1, [], 24, 1], [3, [], 25, 3], [1, [], 25, 1],
		[2, interpreting, 24, 2], [2, interpreting, 25, 0], [2, interpreting, 26, 0], [1, interpreting, 24, 1],
	] {
		flags := {"CICompilerCount": {"value": "x", "source": "a"}}
		told := jvm.compiler_threads(flags, {"CICompilerCount": row[0]}, row[1], row[2], 2)
		told.value == row[3]
	}
	jvm.compiler_threads({}, {}, interpreting, 24, 4).value == 2
	jvm.compiler_threads({}, {}, interpreting, 25, 4).value == 0
	jvm.compiler_threads({}, {}, [{"options": {}}], 8, 4) == {"value": 3, "source": "JVM default", "set": false}
	jvm.compiler_threads({}, {"TieredStopAtLevel": 0}, [], 25, 4).value == 0
	jvm.compiler_threads({}, {"TieredStopAtLevel": 1}, [], 25, 4).value == 3
}

test_threads_of_a_flag if {
	flags := {name: {"value": "x", "source": "a"} | some name in ["ParallelGCThreads", "ConcGCThreads"]}
	every row in [[0, 2], [1, 1], [3, 3], [-1, -1]] {
		told := jvm.concurrent_threads(flags, {"ConcGCThreads": row[0]}, "G1", 8, 8, 0)
		told == {"value": row[1], "source": "a", "set": true}
	}
	jvm.concurrent_threads({}, {}, "G1", 8, 8, 0) == {"value": 2, "source": "JVM default", "set": false}
	jvm.parallel_threads(flags, {"ParallelGCThreads": 0}, "G1", 8, 0) == {"value": 0, "source": "a", "set": true}
	jvm.parallel_threads({}, {}, "G1", 16, 0) == {"value": 13, "source": "JVM default", "set": false}
	jvm.parallel_threads({"UseParNewGC": {"value": "+"}}, {}, "Serial", 4, 0).value == 4
	jvm.parallel_threads({"UseParNewGC": {"value": "-"}}, {}, "Serial", 4, 0).value == 0
}

test_no_options_at_all if {
	every text in ["", "  ", `"`, `'`] {
		object.remove(jvm.options_of_text(text), [""]) == {}
		object.remove(jvm.options_of_command(text), [""]) == {}
	}
	jvm.options_of_arguments([]) == {}
	jvm.options_of_words([]) == {}
}

test_options_at_their_bounds if {
	jvm.options_of_text(long(8999)) == {long(8999): [""]}
	jvm.options_of_text(long(9000)) == {}
	quoted := concat("", [`"`, long(8997), `"`])
	count(jvm.options_of_text(quoted)) == 1
	jvm.options_of_text(concat("", [quoted, "a"])) == {}
	jvm.options_of_command(long(8999)) == {long(8999): [""]}
	jvm.options_of_command(long(9000)) == {}
	many := ["-mx1g" | some _ in numbers.range(1, 8999)]
	count(jvm.options_of_arguments(many)["-XX:MaxHeapSize"]) == 8999
	jvm.options_of_arguments(array.concat(many, ["-mx1g"])) == {}
}
