package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# As the JDKs print it.
test_the_row_of_a_flag if {
	jvm.flag_details("MaxGCPauseMillis").type == "n"
	jvm.flag_details("MaxGCPauseMillis").unit == "ms"
	jvm.flag_details("MaxHeapSize").unit == "B"
	jvm.flag_details("MaxRAMPercentage").unit == "%"
	jvm.flag_details("UseG1GC").unit == "collector"
	jvm.flag_details("hashCode").type == "i"
	not jvm.flag_details("UseTheForce")
}

test_what_releases_do_with_a_flag if {
	jvm.flag_fields("UseConcMarkSweepGC") == {"type": "b", "states": "pp-----"}
	jvm.flag_details("UseConcMarkSweepGC").states == "pP-----"
	jvm.flag_fields("G1NewSizePercent") == {"type": "n", "states": "xxxxxxx"}
	jvm.flag_fields("PrintAssembly") == {"type": "b", "states": "ddddddd"}
	jvm.flag_fields("MaxPermSize").states == "ii-----"
	jvm.flag_fields("HeapDumpPath").states == "mmmmmmm"
	jvm.flag_fields("UseTheForce") == {}
	jvm.flag_fields("GC") == {}
	jvm.flag_fields("") == {}
	jvm.flag_fields("_") == {}
}

test_ranges_of_a_flag if {
	jvm.ranges_of("InitiatingHeapOccupancyPercent") == [{"least": 0, "most": 100, "releases": since_11}]
	[r.most | some r in jvm.ranges_of("G1HeapRegionSize")] == [33554432, 536870912]
	[r.releases | some r in jvm.ranges_of("G1HeapRegionSize")] == [{11, 17}, {21, 25, 26, 28}]
	jvm.ranges_of("MaxGCPauseMillis") == [{"least": 1, "releases": since_11}]
	jvm.ranges_of("MaxTenuringThreshold")[0] == {"least": 0, "most": 15, "releases": {8}}
	jvm.ranges_of("MaxHeapSize") == []
	jvm.ranges_of("UseG1GC") == []
	jvm.ranges_of("CMSTriggerRatio") == [{"least": 0, "most": 100, "releases": {11}}]
}

since_11 := {11, 17, 21, 25, 26, 28}

test_default_of_a_flag if {
	jvm.flag_default("NewRatio", 8) == "2"
	jvm.flag_default("MaxRAMPercentage", 17) == "25"
	jvm.flag_default("ParallelGCThreads", 17) == "ergonomic"
	jvm.flag_default("UseStringDeduplication", 21) == "-"
	not jvm.flag_default("MaxPermSize", 8)
	not jvm.flag_default("UseConcMarkSweepGC", 17)
}

test_values_by_release if {
	jvm.flag_value_on("50", 8) == "50"
	jvm.flag_value_on("8:25,11:50", 8) == "25"
	jvm.flag_value_on("8:25,11:50", 28) == "50"
	not jvm.flag_value_on("11:25,17:50", 8)
}

test_lists_are_of_the_same_releases if {
	{v | some v in jvm.measured} == jvm.every_release
	jvm.every_release - {8} == jvm.since_11
	every _, row in jvm.flag_table {
		count(row) == 5
		count(row[1]) == count(jvm.measured)
	}
}

# The model names every collector that a JVM refuses beside another; UseParNewGC is half of one.
test_collectors_are_those_of_the_table if {
	measured_collectors := {name | some name, row in jvm.flag_table; row[2] == "collector"}
	object.keys(jvm.collectors) == measured_collectors - {"UseParNewGC"}
}

test_numbers_of_the_model if {
	every name in jvm.numeric {
		name in jvm.modelled
		jvm.flag_fields(name).type in {"n", "i"}
	}
	every name, _ in jvm.collectors {
		name in jvm.modelled
	}
	not "ThreadStackSize" in jvm.numeric
}

# Java 8 passes over locked flags too; what JDKs 21, 11 and 25 ignore with a warning starts
# (measured).
locked_and_ignored := [
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+PrintAssembly"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1NewSizePercent=20"], "refusing": since_11},
	{"args": ["-XX:G1ConcRSHotCardLimit=4"], "refusing": {25, 26, 28}},
	{"args": ["-XX:SharedMiscCodeSize=1m"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:PerfDataSamplingInterval=50"], "refusing": {26, 28}},
	{"args": ["-XX:AVX3Threshold=1"], "refusing": all},
	{"args": ["-XX:VMOptionsFile=/a"], "refusing": {8}},
]

test_locked_and_ignored_flags_1 if differences(part(locked_and_ignored, 0)) == []

test_locked_and_ignored_flags_2 if {
	last_part(locked_and_ignored, 1)
	differences(part(locked_and_ignored, 1)) == []
}

# As measured, Java 8 among them.
ranges_that_start := [
	{"args": ["-XX:NewRatio=0"], "refusing": {8}},
	{"args": ["-XX:NewRatio=1"], "refusing": none},
	{"args": ["-XX:SurvivorRatio=1"], "refusing": none},
	{"args": ["-XX:MaxTenuringThreshold=0"], "refusing": none},
	{"args": ["-XX:MaxTenuringThreshold=15"], "refusing": none},
	{"args": ["-XX:MaxTenuringThreshold=16"], "refusing": {8}},
	{"args": ["-XX:MaxTenuringThreshold=17"], "refusing": all},
	{"args": ["-XX:CompressedClassSpaceSize=3221225472"], "refusing": none},
	{"args": ["-XX:CompressedClassSpaceSize=3221225473"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:CompressedClassSpaceSize=1048576"], "refusing": none},
	{"args": ["-XX:CompressedClassSpaceSize=1048575"], "refusing": all},
	{"args": ["-XX:MaxHeapFreeRatio=101"], "refusing": all},
]

test_ranges_that_start_1 if {
	differences(part(ranges_that_start, 0)) == []
	count(under_java(["-XX:CompressedClassSpaceSize=0"]).startup) == 1
}

test_ranges_that_start_2 if differences(part(ranges_that_start, 1)) == []

test_ranges_that_start_3 if {
	last_part(ranges_that_start, 2)
	differences(part(ranges_that_start, 2)) == []
}

test_flags_that_came_and_went if {
	jvm.flag_default("UseConcMarkSweepGC", 8) == "-"
	jvm.flag_default("UseConcMarkSweepGC", 11) == "-"
	not jvm.flag_default("UseCompactObjectHeaders", 21)
	jvm.flag_default("UseCompactObjectHeaders", 25) == "-"
}

# A slip is found among the first of its letter, too.
test_a_slip_in_the_first_flag_of_its_letter if {
	every option, name in {"-XX:aotadapterCaching": "AOTAdapterCaching", "-XX:hashcode=1": "hashCode"} {
		some r in under_java([option]).startup
		endswith(r.reason, concat("", ["; it has ", name]))
	}
	some r in under_java(["-XX:+OTAdapterCaching"]).startup
	not contains(r.reason, "it has")
}

# A vendor's own flag may be diagnostic.
test_a_flag_of_a_vendor if {
	under_java(["-XX:+UnlockDiagnosticVMOptions", "-XX:+UseTheForce"]).startup == []
	count(under_java(["-XX:+UseTheForce", "-XX:+UnlockDiagnosticVMOptions"]).startup) == 1
	count(under_java(["-XX:+UnlockExperimentalVMOptions", "-XX:+UseTheForce"]).startup) == 1
}

# Where the lock stands is told by the whole name of the flag.
test_a_lock_of_its_own_source if {
	unlock := "-XX:+UnlockExperimentalVMOptions"
	under_java(["-Da=1NewSizePercent", unlock, "-XX:G1NewSizePercent=20"]).startup == []
	under_java(["-Da=G1NewSizePercent", unlock, "-XX:G1NewSizePercent=20"]).startup == []
	count(under_java(["-XX:G1NewSizePercent=20", unlock]).startup) == 1
	model(
		{"args": ["-XX:G1NewSizePercent=20", "-jar", "a.jar"], "env": [{"name": "JAVA_OPTS", "value": unlock}]},
		{},
	).startup == []
}
