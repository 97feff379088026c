package headroom.memory_test

import data.headroom.memory
import data.headroom.runtime.jvm

smallest(flags, facts) := limit if {
	limit := memory.smallest_limit_mib(jvm.jvms[0]) with input as pod(flags, "4096Mi", facts)
}

bounded := array.concat(chapter, ["-XX:MaxMetaspaceSize=64m"])

# The step below does not pass: 2589 MiB of a heap of 2 GiB and the rest need 3237.
test_the_smallest_step if {
	smallest(array.concat(["-Xmx2g"], chapter), declared) == 3264
	smallest(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), declared) == 1856
}

# 98 % leave too little at every size but where compressed pointers bound the heap at 30 GiB, on 8 (J6).
test_a_heap_that_grows_no_more if {
	flags := ["-XX:MaxRAMPercentage=98.0", "-XX:MaxDirectMemorySize=1m", "-XX:MaxMetaspaceSize=64m", "-Xss512k"]
	smallest(flags, "threads=6 version=8") > 32000
	smallest(flags, "threads=6 version=8") < 38000
	smallest(flags, "threads=6 version=17") == 0
	memory.passes_under(jvm.jvms[0], 65536) with input as pod(flags, "200Mi", "threads=6 version=8")
}

# Of a large limit an amount stays free, and no share.
test_a_large_share_of_a_large_limit if {
	flags := ["-XX:MaxRAMPercentage=79.5", "-XX:MaxDirectMemorySize=1m", "-XX:MaxMetaspaceSize=64m", "-Xss512k"]
	smallest(flags, "threads=6 version=17") == 7232
}

# Serial up to 1791 MiB, and G1 with more: 1728 MiB pass, 1792 do not.
test_less_may_pass_where_more_does_not if {
	smallest(of_two_collectors, "threads=1808 version=17") == 1728
	smallest(of_two_collectors, "threads=1809 version=17") == 1856
	smallest(of_two_collectors, "threads=1900 version=17") == 1920
}

of_two_collectors := [
	"-XX:MaxRAMPercentage=50.0", "-XX:MaxMetaspaceSize=64m",
	"-XX:ReservedCodeCacheSize=64m", "-XX:MaxDirectMemorySize=64m",
]

test_what_passes_under_two_collectors if {
	facts := "threads=1808 version=17"
	not memory.passes_under(jvm.jvms[0], 1600) with input as pod(of_two_collectors, "4096Mi", facts)
	memory.passes_under(jvm.jvms[0], 1728) with input as pod(of_two_collectors, "4096Mi", facts)
	not memory.passes_under(jvm.jvms[0], 1792) with input as pod(of_two_collectors, "4096Mi", facts)
}

# Serial, too, from where MaxRAMPercentage decides: 960 MiB.
test_a_rule_for_the_heap_does_not_change_the_collector if {
	flags := [
		"-XX:MinRAMPercentage=39.0", "-XX:MaxRAMPercentage=40.0", "-XX:MaxMetaspaceSize=64m",
		"-XX:ReservedCodeCacheSize=64m", "-XX:MaxDirectMemorySize=64m",
	]
	smallest(flags, "threads=3120 version=17") == 1728
	smallest(flags, "threads=3200 version=17") == 1792
}

# On little memory MinRAMPercentage decides, a size of -Xms lifts the heap, and MaxRAM is the memory.
test_other_rules_for_the_heap if {
	small := ["-XX:MaxMetaspaceSize=16m", "-XX:ReservedCodeCacheSize=16m", "-XX:MaxDirectMemorySize=1m"]
	smallest(array.concat(["-XX:MinRAMPercentage=10.0"], small), "threads=8 native=10Mi") == 64
	smallest(array.concat(["-XX:MinRAMPercentage=0.0"], small), "threads=8 native=10Mi") == 0
	smallest(array.concat(["-Xms1g"], bounded), declared) == 1920
	smallest(array.concat(["-XX:MaxRAM=2g"], bounded), declared) == 1280
	smallest(array.concat(["-XX:MaxRAM=1g", "-XX:MaxRAMPercentage=90.0"], bounded), declared) == 1792
	smallest(array.concat(["-XX:MaxRAM=1g", "-XX:MaxRAMPercentage=10.0"], bounded), declared) == 768
	smallest(["-XX:-UseContainerSupport"], declared) == 0
	smallest(array.concat(["-XX:-UseContainerSupport", "-Xms200m"], bounded), declared) == 896
	smallest(["-XX:MaxRAMPercentage=80.0"], declared) == 6912
}

test_the_largest_number_of_threads if {
	flags := array.concat(["-Xmx2g"], chapter)
	most(flags, "4096Mi") == 5696
	most(flags, "2048Mi") == 0
	most(["-Xmx16m"], "1000Gi") == 8182720
	most(["-Xmx16m", "-Xss64k"], "1000Gi") == 9999999
}

most(flags, limit) := threads if {
	j := jvm.jvms[0] with input as pod(flags, limit, declared)
	threads := memory.largest_threads(j, bits.rsh(j.c.memory_limit, 20))
}

test_the_percentage_of_smaller_limits if {
	flags := array.concat(["-XX:MaxRAMPercentage=75.0"], chapter)
	j := jvm.jvms[0] with input as pod(flags, "4096Mi", declared)
	memory.largest_percentage(j, 4096) == 66
	memory.largest_percentage(j, 2048) == 53
	memory.largest_percentage(j, 200) == 0
}

# of_script is the JVM of an image whose script makes half of the limit its heap.
of_script(limit) := found if {
	image := {"names": ["team/app"], "line": [{"percent": 50, "most": 1000, "becomes": "-Xms{}m -Xmx{}m"}]}
	manifest := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "app"},
		"spec": {"containers": [{
			"name": "app",
			"image": "registry.example.com/team/app:1",
			"resources": {"limits": {"memory": limit}},
		}]},
	}
	[j] := jvm.jvms with input as manifest with data.headroom.overrides as {"images": [image]}
	found := {
		"under": [memory.mebibytes(memory.heap_under(j, mib).bytes) | some mib in [512, 1024, 4096]],
		"smallest": memory.smallest_limit_mib(j),
		"passes": [mib | some mib in [512, 1024, 1280]; memory.passes_under(j, mib)],
	}
}

# The heap grows with the limit as the script would have it.
test_a_share_by_a_script if {
	of_script("512Mi") == {"under": [256, 512, 1000], "smallest": 1216, "passes": [1280]}
}
