package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Heaps in MiB of a JVM that sees 200 GiB (J6): measured on 8 and 11, and with +UseCompressedOops on 17 to 26. From 17
# on a share that is set is not bounded.
test_compressed_pointers_bound_a_heap_1 if {
	every row in [
		[[], {8, 11, 17, 21, 25, 26, 28}, 30718],
		[["-XX:+UseParallelGC"], {8, 17, 25}, 30718],
		[["-XX:+UseG1GC"], {8, 11, 17, 25, 26}, 30688],
		[["-XX:+UseG1GC"], {21}, 30208],
		[["-XX:+UseShenandoahGC"], {17, 25}, 30688],
		[["-XX:MaxRAMPercentage=50.0"], {8, 11}, 30718],
		[["-XX:MaxRAMPercentage=50.0"], {17, 21, 25, 26, 28}, 102400],
	] {
		every release in row[1] {
			in_200_gib(row[0], release).heap.bytes == row[2] * 1048576
		}
	}
}

test_compressed_pointers_bound_a_heap_2 if {
	every row in [
		[["-XX:MaxRAMPercentage=50.0", "-XX:+UseCompressedOops"], {8, 11, 17, 25}, 30718],
		[["-XX:MaxRAMPercentage=50.0", "-XX:-UseCompressedOops"], {8, 11, 17, 25}, 102400],
		[["-XX:MaxRAMPercentage=50.0", "-XX:ObjectAlignmentInBytes=16"], {8, 11}, 63486],
		[["-XX:HeapBaseMinAddress=1g"], {8}, 31742],
		[["-XX:+UseZGC"], {17, 21, 25}, 51200],
		[["-XX:-UseCompressedOops"], {8, 17}, 51200],
		[["-XX:MaxRAMPercentage=10.0"], {8, 17}, 20480],
		[["-Xmx100g"], {8, 11, 17}, 102400],
		[["-Xms1g"], {8}, 30718],
	] {
		every release in row[1] {
			in_200_gib(row[0], release).heap.bytes == row[2] * 1048576
		}
	}
}

# Where the release is not known, what all of them do.
test_compressed_pointers_of_any_release if {
	bytes(model(large([]), {})) == 30718
	bytes(model(large(["-XX:MaxRAMPercentage=50.0"]), {})) == 102400
}

bytes(j) := bits.rsh(j.heap.bytes, 20)

in_200_gib(flags, release) := model(large(flags), {"jvm.headroom.dev/app": sprintf("version=%d", [release])})

# A single processor, and so the serial collector, unless the flags say otherwise.
large(flags) := {
	"command": array.concat(array.concat(["java", "-XX:ActiveProcessorCount=1"], serial(flags)), ["-jar", "/app.jar"]),
	"resources": {"limits": {"cpu": "1", "memory": "200Gi"}},
}

serial(flags) := flags if {
	some flag in flags
	regex.match(`-XX:\+Use[A-Za-z0-9]+GC$`, flag)
} else := array.concat(["-XX:+UseSerialGC"], flags)

# From 17 on MinHeapSize lifts a heap that nothing else sets (measured).
test_the_least_heap_lifts_the_largest if {
	every row in [
		[["-XX:MinHeapSize=300m"], {17, 21, 25, 28}, 300],
		[["-XX:MinHeapSize=300m"], {11}, 256],
		[["-XX:MinHeapSize=200m"], {17}, 256],
		[["-XX:MinHeapSize=300m", "-XX:MaxRAMPercentage=10.0"], {17, 25}, 300],
		[["-XX:MinHeapSize=200m", "-Xms210m", "-XX:MaxRAMPercentage=10.0"], {17}, 210],
	] {
		every release in row[1] {
			j := model(
				{"command": array.concat(array.concat(["java"], row[0]), ["Main"]), "resources": {"limits": {"memory": "1Gi"}}},
				{"jvm.headroom.dev/app": sprintf("version=%d", [release])},
			)
			bytes(j) == row[2]
		}
	}
}

test_where_a_bounded_heap_comes_from if {
	container := object.union({"name": "app", "image": "registry.example.com/app:1"}, large([]))
	found := data.headroom.rules.jvm["jvm-heap-unset"].report with input as pod([container], {})
	[finding] := [f | some f in found]
	contains(finding.message, "what compressed pointers reach gives a heap of 30718 MiB from a limit of 204800 MiB")
	j := in_200_gib([], 17)
	text := data.headroom.memory.source_text(j, {"name": "heap", "source": "share", "mib": 30718, "flag": ""})
	text == "as much as compressed pointers reach, JVM default"
	jvm.compressed({"flag": "", "bytes": 1}, {}, {}, "G1", 17) == {"flag": "", "bytes": 1}
}
