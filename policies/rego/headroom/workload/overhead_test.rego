package headroom.workload_test

import data.headroom.workload

# What Spark makes of the memory of a driver and an executor.
test_memory_with_spark_s_overhead if {
	every case in [
		[{}, {"memory": "512m"}, "896Mi", "896Mi"],
		[{}, {"memory": "8g"}, "9011Mi", "9011Mi"],
		[{}, {}, "1408Mi", "1408Mi"],
		[{"type": "Python"}, {"memory": "4g"}, "5734Mi", "5734Mi"],
		[{"memoryOverheadFactor": "0.2"}, {"memory": "4g"}, "4915Mi", "4915Mi"],
		[{}, {"memory": "4g", "memoryOverhead": "1g"}, "5120Mi", "5120Mi"],
		[{}, {"memory": "4g", "memoryOverhead": "512"}, "4608Mi", "4608Mi"],
		# A limit of its own has no overhead.
		[{}, {"memory": "4g", "memoryOverhead": "1g", "memoryLimit": "5g"}, "5120Mi", "5Gi"],
		# What cannot be read adds nothing.
		[{"memoryOverheadFactor": "much"}, {"memory": "4g"}, "4Gi", "4Gi"],
		[{"sparkConf": {"spark.executor.memoryOverhead": "1g"}}, {"memory": "4g"}, "5120Mi", "5120Mi"],
		[{"sparkConf": {"spark.executor.memoryOverheadFactor": 0.5}}, {"memory": "4g"}, "6144Mi", "6144Mi"],
		[
			{"type": "Python", "sparkConf": {"spark.executor.pyspark.memory": "1g"}},
			{"memory": "4g", "memoryOverhead": "1g"}, "6144Mi", "6144Mi",
		],
		[
			{"sparkConf": {"spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "2g"}},
			{"memory": "4g", "memoryOverhead": "1g"}, "7168Mi", "7168Mi",
		],
	] {
		[application, executor, request, limit] := case
		[c] := [c | some c in workload.containers] with input as _spark(object.union(application, {"executor": executor}))
		[c.raw.resources.requests.memory, c.raw.resources.limits.memory] == [request, limit]
	}
	of_python := {"type": "Python", "driver": {"memory": "4g"}, "sparkConf": {"spark.executor.pyspark.memory": "1g"}}
	[driver] := [c | some c in workload.containers] with input as _spark(of_python)
	driver.raw.resources.limits.memory == "5734Mi"
}

test_words_of_spark_s_overhead if {
	spark := _spark({"driver": {"memory": "512m", "memoryLimit": "1g"}})
	text := workload.worded("requests.memory is 896Mi, limits.memory 1Gi") with input as spark
	text == "memory and its overhead is 896m, memoryLimit 1g"
}

_spark(spec) := {
	"apiVersion": "sparkoperator.k8s.io/v1beta2",
	"kind": "SparkApplication",
	"metadata": {"name": "pi"},
	"spec": spec,
}
