package headroom.images_test

import data.headroom.judge
import data.headroom.runtime.jvm

# An operator sets a heap where its resource sizes none; what the resource says of flags takes its place.
test_heaps_that_operators_set if {
	every case in [
		["Kafka", "kafka", "8Gi", {}, 4096, "MaxHeapSize"],
		["Kafka", "kafka", "16Gi", {"gcLoggingEnabled": true}, 5120, "MaxHeapSize"],
		["Kafka", "kafka", "8Gi", {"-Xmx": "3g"}, 3072, "MaxHeapSize"],
		# The script looks for any option of the heap.
		["Kafka", "kafka", "8Gi", {"-Xms": "1g"}, 2048, ""],
		["Kafka", "kafka", "8Gi", {"-XX": {"MaxRAMPercentage": "60"}}, 4916, "MaxRAMPercentage"],
		["Kafka", "zookeeper", "2Gi", {}, 1536, "MaxHeapSize"],
		["Kafka", "zookeeper", "4Gi", {}, 2048, "MaxHeapSize"],
		["Kafka", "cruiseControl", "2Gi", {}, 1536, "MaxHeapSize"],
		["KafkaNodePool", "", "1Gi", {}, 512, "MaxHeapSize"],
		["KafkaConnect", "", "2Gi", {}, 1536, "MaxHeapSize"],
		["KafkaMirrorMaker2", "", "2Gi", {}, 1536, "MaxHeapSize"],
		["KafkaBridge", "", "2Gi", {}, 1536, "MaxHeapSize"],
	] {
		[kind, field, limit, options, mib, flag] := case
		[j] := [j | some j in jvm.jvms] with input as _strimzi(kind, field, limit, options)
		j.heap.flag == flag
		ceil(j.heap.bytes / 1048576) == mib
	}
}

test_the_collector_that_operators_choose if {
	every case in [[{}, "G1"], [{"-XX": {"UseZGC": true}}, "ZGC"], [{"-XX": {"MaxGCPauseMillis": 50}}, "Serial"]] {
		[options, collector] := case
		[j] := [j | some j in jvm.jvms] with input as _strimzi("KafkaConnect", "", "1Gi", options)
		j.gc == collector
	}
}

test_a_heap_that_an_operator_sets_is_judged if {
	[tight] := [f |
		some f in judge.result.findings with input as _strimzi("KafkaConnect", "", "600Mi", {})
		f.rule == "HR303"
	]
	tight.path == ["spec", "jvmOptions"]
	contains(tight.message, "(heap 450)")
}

_strimzi(kind, field, limit, options) := {
	"apiVersion": "kafka.strimzi.io/v1beta2",
	"kind": kind,
	"metadata": {"name": "a"},
	"spec": [{field: part}, part][count({1 | field == ""})],
} if {
	part := {"jvmOptions": options, "resources": {
		"requests": {"cpu": "1", "memory": limit},
		"limits": {"memory": limit},
	}}
}
