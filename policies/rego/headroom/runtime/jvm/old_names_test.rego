package headroom.runtime.jvm_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.jvm

_java_of(version, flags) := [j |
	some j in jvm.jvms with input as reviews.of_template(
		{"jvm.headroom.dev/app": sprintf("version=%d", [version])},
		{"containers": [reviews.java({"cpu": "4", "memory": "4Gi"}, flags)]},
		{},
	)
][0]

# As JDK 8 prints them with -XX:+PrintFlagsFinal; 11 does not start with them.
test_the_names_that_java_8_takes_for_another_flag if {
	every old in ["ParallelCMSThreads", "ParallelMarkingThreads"] {
		j := _java_of(8, sprintf("-XX:+UseG1GC -XX:%s=3", [old]))
		[j.conc_gc_threads.value, j.conc_gc_threads.set] == [3, true]
		jvm.origin(j, "ConcGCThreads") == sprintf("-XX:%s=3 (JAVA_TOOL_OPTIONS)", [old])
		_java_of(11, sprintf("-XX:+UseG1GC -XX:%s=3", [old])).conc_gc_threads.set == false
	}
	_java_of(8, "-XX:+UseG1GC -XX:ParallelCMSThreads=3 -XX:ConcGCThreads=2").conc_gc_threads.value == 2
}
