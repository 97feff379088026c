package headroom.workload

import data.headroom.quantity

# Spark adds an overhead to the memory of a driver or an executor, which is its heap: what a field says, else a share
# of it, 384 MiB at least. Executors have memory off the heap and that of Python on top.
# Source: https://github.com/apache/spark, resource-managers/kubernetes/core/src/main/scala/org/apache/spark/deploy/k8s/
# features/BasicDriverFeatureStep.scala and BasicExecutorFeatureStep.scala
_with_overhead(path, value) := sprintf("%dMi", [(heap + _overhead(heap)) + sum(_on_top)]) if {
	entry.overhead
	_is_heap(path)
	heap := _whole_mib(value)
} else := value

# Nothing is added to a memoryLimit.
_is_heap(["memory"])

_is_heap(["memoryLimit"]) if _node_at(_node, ["memoryLimit"]) == null

_whole_mib(value) := floor(quantity.bytes(value) / 1048576) if quantity.bytes(value) > 0

_overhead(heap) := _spark_mib(said[0]) if {
	said := _first_said([_node_at(_node, ["memoryOverhead"]), _conf("spark.%s.memoryOverhead")])
} else := max([floor(heap * to_number(said[0])), 384]) if {
	said := _first_said([
		_conf("spark.%s.memoryOverheadFactor"),
		_node_at(_application, ["memoryOverheadFactor"]),
		_conf("spark.kubernetes.memoryOverheadFactor"),
		_usual_factor,
	])
	regex.match(`^[0-9]*[.]?[0-9]+$`, sprintf("%v", [said[0]]))
}

_first_said(values) := [value | some value in values; value != null] if {
	some value in values
	value != null
}

# Python and R run outside the JVM and need more.
_usual_factor := 0.4 if {
	_application.type in {"Python", "R"}
} else := 0.1

_on_top := [_spark_mib(value) |
	entry.overhead.role == "executor"
	some name, applies in {
		"spark.executor.pyspark.memory": object.get(_application, "type", "") == "Python",
		"spark.memory.offHeap.size": _conf("spark.memory.offHeap.enabled") in {"true", true},
	}
	applies
	value := _conf(name)
	value != null
]

_spark_mib(value) := _whole_mib(_amount("memory", sprintf("%v", [value])))

_application := _node_at(manifest, _steps(entry.overhead.of))

_conf(name) := _node_at(_application, ["sparkConf", replace(name, "%s", entry.overhead.role)])
