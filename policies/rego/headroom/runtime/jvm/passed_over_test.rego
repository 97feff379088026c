package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

padded(bytes) := concat("", ["-Xmx1g -Da=", concat("", ["x" | some _ in numbers.range(1, bytes - 11)])])

options(n) := concat(" ", array.concat(["-Da" | some _ in numbers.range(1, n - 1)], ["-Xmx1g"]))

on_release(name, value, release) := model(
	{"command": ["java", "Main"], "env": [{"name": name, "value": value}]},
	{"jvm.headroom.dev/app": sprintf("version=%d", [release])},
)

passed(name, value) := [[r.why, r.all] |
	some r in jvm.passed_over({name: {"state": "literal", "value": value, "path": []}})
]

# Measured: 1,023 bytes are read, 1,024 are not; the 65th option is lost.
test_bytes_that_java_8_reads if {
	count(padded(1023)) == 1023
	every name in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"] {
		passed(name, padded(1023)) == []
		passed(name, padded(1024)) == [["Java 8 reads nothing of a value of 1,024 bytes or more", true]]
		on_release(name, padded(1023), 8).flags.MaxHeapSize.value == "1g"
		on_release(name, padded(1024), 8).sources[0].name == "command line"
		on_release(name, padded(1024), 8).flags == {}
		on_release(name, padded(1024), 11).flags.MaxHeapSize.value == "1g"
		on_release(name, padded(1024), 0).flags.MaxHeapSize.value == "1g"
	}
}

test_options_that_java_8_reads if {
	passed("JAVA_TOOL_OPTIONS", options(64)) == []
	passed("JAVA_TOOL_OPTIONS", options(65)) == [["Java 8 reads the first 64 options only", false]]
	on_release("JAVA_TOOL_OPTIONS", options(64), 8).flags.MaxHeapSize.value == "1g"
	on_release("JAVA_TOOL_OPTIONS", options(65), 8).flags == {}
	on_release("JAVA_TOOL_OPTIONS", options(65), 17).flags.MaxHeapSize.value == "1g"
}

test_a_variable_that_java_8_does_not_know if {
	passed("JDK_JAVA_OPTIONS", "-Xmx1g") == [["Java 8 does not know this variable", true]]
	on_release("JDK_JAVA_OPTIONS", "-Xmx1g", 8).flags == {}
	on_release("JDK_JAVA_OPTIONS", "-Xmx1g", 11).flags.MaxHeapSize.value == "1g"
	passed("JAVA_OPTS", "-Xmx1g") == []
}

# The limit is one of bytes: 512 letters of two bytes each are 1,024.
test_bytes_are_not_characters if {
	text := concat("", ["-Da=", concat("", ["é" | some _ in numbers.range(1, 510)])])
	passed("JAVA_TOOL_OPTIONS", text) == [["Java 8 reads nothing of a value of 1,024 bytes or more", true]]
}

ignoring(option, release) := declared(["-XX:+IgnoreUnrecognizedVMOptions", option], release).flags

# What does not exist has no effect then; nor has, on 8, a value it cannot read (measured).
test_ignored_flags_have_no_effect if {
	not ignoring("-XX:+UseConcMarkSweepGC", 17).UseConcMarkSweepGC
	ignoring("-XX:+UseConcMarkSweepGC", 8).UseConcMarkSweepGC.value == "+"
	not ignoring("-XX:MaxRAMPercentage=75", 8).MaxRAMPercentage
	ignoring("-XX:MaxRAMPercentage=75", 11).MaxRAMPercentage.value == "75"
	ignoring("-XX:MaxRAMPercentage=75.0", 8).MaxRAMPercentage.value == "75.0"
	ignoring("-Xmx1Gi", 8).MaxHeapSize.value == "1Gi"
	declared(["-XX:+UseConcMarkSweepGC"], 17).flags.UseConcMarkSweepGC.value == "+"
	declared(["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=75"], 8).heap.percent == 25
}

# Of the first 64 options none is lost.
test_what_java_8_reads_of_many_options if {
	many := concat(" ", array.concat(["-Xmx1g"], ["-Da" | some _ in numbers.range(1, 64)]))
	passed("JAVA_TOOL_OPTIONS", many) == [["Java 8 reads the first 64 options only", false]]
	on_release("JAVA_TOOL_OPTIONS", many, 8).flags.MaxHeapSize.value == "1g"
}

test_one_reason_for_each_variable if {
	every value in [padded(1024), options(65)] {
		passed("JDK_JAVA_OPTIONS", value) == [["Java 8 does not know this variable", true]]
		passed("JAVA_OPTS", value) == []
	}
	hidden := {"JAVA_TOOL_OPTIONS": {"state": "unknown", "why": "x", "path": []}}
	jvm.passed_over(hidden) == []
}

# What Java 8 takes, and what it refuses whatever it is told to pass over.
test_flags_that_java_8_reads if {
	ignoring("-XX:MaxRAMPercentage=101.0", 8).MaxRAMPercentage.value == "101.0"
	not ignoring("-XX:ParallelGCThreads=two", 8).ParallelGCThreads
	ignoring("-XX:ParallelGCThreads=two", 11).ParallelGCThreads.value == "two"
	not ignoring("-XX:UseG1GC", 8).UseG1GC
	ignoring("-XX:+UseG1GC", 8).UseG1GC.value == "+"
	ignoring("-XX:MaxHeapFreeRatio=101", 8).MaxHeapFreeRatio.value == "101"
}

# A switch with more behind its name is a name that no JVM knows; with = it is a switch with a value (measured).
test_a_switch_with_more_behind_its_name if {
	every release in [11, 17, 21, 25] {
		every option in ["-XX:+UseSerialGC ", "-XX:-UseSerialGC ", "-XX:+UseSerialGC x"] {
			declared(["-XX:+IgnoreUnrecognizedVMOptions", option], release).startup == []
			count(declared([option], release).startup) == 1
		}
		count(declared(["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC=true"], release).startup) == 1
	}
}
