package headroom.fix_test

import data.headroom.fix
import data.headroom.runtime.jvm

complaints_of(flags, memory, cpu) := found[0] if {
	found := [fix.complaints(j) | some j in jvm.jvms] with input as one({}, java(flags, memory, cpu))
}

test_complaints_of_threads if {
	every flags, cases in {
		"": {"0": {["HR402", 2], ["HR403", 2], ["HR404", 2]}, "1": set(), "2": {["HR403", 1], ["HR404", 1]}},
		"-XX:ActiveProcessorCount=4": {"2": {["HR403", 1], ["HR404", 1]}},
		"-XX:ActiveProcessorCount=5": {"2": {["HR403", 1], ["HR404", 1]}},
		"-XX:CICompilerCount=2": {"2": {["HR403", 1], ["HR404", 1]}},
		"-XX:CICompilerCount=3": {"2": {["HR403", 1], ["HR404", 1], ["HR405", 2]}},
		"-XX:CICompilerCount=4": {"4": {["HR403", 1], ["HR404", 1]}},
		"-XX:CICompilerCount=5": {"4": {["HR403", 1], ["HR404", 1], ["HR405", 2]}},
		"-XX:ActiveProcessorCount=1 -XX:CICompilerCount=2": {"0": set(), "1": set()},
		"-XX:+UseSerialGC": {"2": set()},
		"-XX:+UseG1GC": {"300m": {["HR403", 1], ["HR404", 1]}},
		"-XX:+UseG1GC -XX:ParallelGCThreads=8": {"1": {["HR403", 2]}},
		"-XX:+UseG1GC -XX:ParallelGCThreads=2 -XX:ConcGCThreads=1": {"2": set()},
		"-XX:+UseG1GC -XX:ParallelGCThreads=2 -XX:ConcGCThreads=2": {"2": {["HR404", 2]}},
		"-XX:+UseG1GC -XX:ParallelGCThreads=8 -XX:ConcGCThreads=5": {"2": {["HR403", 2], ["HR404", 2]}},
	} {
		every cpu, expected in cases {
			complaints_of(concat(" ", ["-Xmx1g", flags]), "4Gi", cpu) == expected
		}
	}
}

# The threads that a JVM takes on the largest node are as many as it may have.
test_threads_on_few_cores if {
	every cores, weight in {4: 1, 5: 2} {
		found := [fix.complaints(j) | some j in jvm.jvms] with input as one(
			{"cpu-average.headroom.dev/app": "1"},
			java("-Xmx1g", "4Gi", "0"),
		)
			with data.headroom.overrides as {"nodes": {"cores": cores}}
		found == [{["HR402", weight], ["HR403", weight], ["HR404", weight]}]
	}
}

test_compilers_on_one_core if {
	["HR405", 2] in complaints_of("-Xmx1g -XX:CICompilerCount=3", "4Gi", "1")
	not ["HR405", 2] in complaints_of("-Xmx1g -XX:CICompilerCount=2", "4Gi", "1")
}

# With these 1603 MiB are expected, 80 % of 2004; from 1955 MiB on nearly as much is left. Of 1024 MiB the cap on direct
# memory is a quarter, which is no sign of use.
test_complaints_of_memory if {
	caps := "-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=256m -Xss512k"
	flags := concat(" ", ["-Xmx1g -XX:+UseG1GC -XX:ParallelGCThreads=2 -XX:ConcGCThreads=1", caps])
	every limit, expected in {
		"0": set(),
		"1": {["HR304", 3]},
		"1024Mi": {["HR304", 3], ["memory", 1411]},
		"1025Mi": {["HR303", 3], ["memory", 1603]},
		"1400Mi": {["HR303", 2], ["memory", 1603]},
		"1954Mi": {["HR303", 2], ["memory", 1603]},
		"1955Mi": {["HR303", 1], ["memory", 1603]},
		"2003Mi": {["HR303", 1], ["memory", 1603]},
		"2004Mi": set(),
	} {
		complaints_of(flags, limit, "2") == expected
	}
	less := replace(flags, "MetaspaceSize=256m", "MetaspaceSize=20m")
	complaints_of(less, "1400Mi", "2") == {["HR303", 2], ["memory", 1527]}
}

test_what_keeps_a_jvm_from_starting_is_an_error if {
	found := complaints_of("-Xms2g -Xmx1g -XX:+UseSerialGC", "4Gi", "1")
	{weight | some [rule, weight] in found; startswith(rule, "HR409 ")} == {3}
}

test_worse if {
	fix.worse(set(), {["a", 2]})
	not fix.worse(set(), {["a", 1]})
	fix.worse({["a", 1], ["b", 3]}, {["a", 2]})
	not fix.worse({["a", 1], ["b", 3]}, {["a", 1]})
	not fix.worse({["a", 2]}, {["a", 1]})
	not fix.worse({["a", 2]}, set())
}

# The cores are not known, and what a flag sets is not compared with them.
test_complaints_without_any_cpu if {
	every flags, expected in {
		"-XX:+UseG1GC -XX:ParallelGCThreads=2": {["HR402", 2]},
		"-XX:+UseG1GC -XX:ConcGCThreads=2": {["HR402", 2], ["HR403", 2]},
		"-XX:+UseG1GC -XX:CICompilerCount=5": {["HR402", 2], ["HR403", 2], ["HR404", 2]},
	} {
		container := object.remove(java(flags, "4Gi", "0"), ["resources"])
		found := [fix.complaints(j) | some j in jvm.jvms] with input as one({}, container)
		found == [expected]
	}
}

test_a_burst_is_a_complaint_where_a_limit_is_wanted if {
	container := java("-Xmx1g -XX:+UseG1GC -XX:ActiveProcessorCount=4", "4Gi", "300m")
	slow := {"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "200m"}
	found := [fix.complaints(j) | some j in jvm.jvms] with input as one(slow, container)
	found == [{["HR210", 2], ["HR402", 3], ["HR403", 2]}]
	unlimited := [fix.complaints(j) | some j in jvm.jvms] with input as one({}, container)

	# Where the limit goes, 4 processors are no more than there will be.
	unlimited == [{["HR403", 1], ["HR404", 1]}]
}
