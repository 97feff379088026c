package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# refused_sums are {severity, message, expected} of programs that refuse their own sizes.
refused_sums(object, maps) := [[stop.message, stop.expected] | some stop in stopped] if {
	stopped := jvm.stopped with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": object,
		"context": {"config_maps": maps},
	}
}

task_manager(text) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
	"name": "app", "image": "flink:1.18", "args": ["taskmanager"],
	"env": [{"name": "FLINK_PROPERTIES", "value": text}],
	"resources": {"limits": {"memory": "2Gi"}},
}]}}

test_flink_refuses_parts_beyond_the_whole if {
	parts := "taskmanager.memory.task.heap.size: 1g\ntaskmanager.memory.managed.size: 512m\n"
	refused_sums(task_manager(parts), []) == [[
		concat(" ", [
			"taskmanager.memory.managed.size 512 MiB + taskmanager.memory.task.heap.size 1024 MiB",
			"+ at least 544 MiB for Flink and the JVM = 2080 MiB, and taskmanager.memory.process.size is 1728 MiB.",
		]),
		"taskmanager.memory.process.size of 2368m and limits.memory of 2368Mi, or smaller parts",
	]]
	refused_sums(task_manager(concat("", [parts, "taskmanager.memory.process.size: 2368m\n"])), []) == []
	refused_sums(task_manager("taskmanager.memory.process.size: 512m\n"), []) == []
	refused_sums(task_manager("taskmanager.memory.managed.size: much\n"), []) == []
}

flink_conf(size) := [{"metadata": {"name": "conf", "namespace": "a"}, "data": {"flink-conf.yaml": sprintf(
	"taskmanager.memory.process.size: 1728m\ntaskmanager.memory.task.heap.size: %s\n",
	[size],
)}}]

test_flink_with_a_file if {
	file := {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "a"},
		"spec": {
			"containers": [{
				"name": "app", "image": "flink:1.18", "args": ["taskmanager"],
				"volumeMounts": [{"name": "conf", "mountPath": "/opt/flink/conf"}],
				"resources": {"limits": {"memory": "2Gi"}},
			}],
			"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
		},
	}
	[[_, expected]] := refused_sums(file, flink_conf("1400m"))
	expected == "taskmanager.memory.process.size of 2240m and limits.memory of 2240Mi, or smaller parts"
	[[_, fits]] := refused_sums(file, flink_conf("1200m"))
	fits == "taskmanager.memory.process.size of 1984m, or smaller parts"
	refused_sums(file, flink_conf("1g")) == []
	refused_sums(file, []) == []
}

flink_deployment(settings) := {
	"apiVersion": "flink.apache.org/v1beta1",
	"kind": "FlinkDeployment",
	"spec": {"flinkConfiguration": settings, "taskManager": {"resource": {"memory": "2048m", "cpu": 1}}},
}

test_flink_of_the_operator if {
	refused_sums(flink_deployment({"taskmanager.memory.task.heap.size": "2g"}), []) == [[
		concat(" ", [
			"taskmanager.memory.task.heap.size 2048 MiB + at least 544 MiB for Flink and the JVM = 2592 MiB,",
			"and taskManager.resource.memory is 2048 MiB.",
		]),
		"taskManager.resource.memory of 2944m, or smaller parts",
	]]
	refused_sums(flink_deployment({"taskmanager.memory.task.heap.size": "1g"}), []) == []
	refused_sums(flink_deployment({"taskmanager": {"memory": "2g"}}), []) == []
}

trino := {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "a"}, "spec": {
	"containers": [{
		"name": "app", "image": "trinodb/trino:435",
		"volumeMounts": [{"name": "conf", "mountPath": "/etc/trino"}],
		"resources": {"limits": {"memory": "8Gi"}},
	}],
	"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
}}

trino_conf(text) := [{"metadata": {"name": "conf", "namespace": "a"}, "data": {
	"jvm.config": "-server\n-Xmx4G\n",
	"config.properties": text,
}}]

test_trino_refuses_a_query_beyond_the_heap if {
	refused_sums(trino, trino_conf("coordinator=true\nquery.max-memory-per-node=3GB\n")) == [[
		concat(" ", [
			"query.max-memory-per-node 3072 MiB + 30 % of the heap that it keeps free 1228 MiB",
			"is more than the heap of 4096 MiB.",
		]),
		"query.max-memory-per-node of at most 2867MB, or a larger heap",
	]]
	headroom := "query.max-memory-per-node=3GB\nmemory.heap-headroom-per-node=%s\n"
	[[message, _]] := refused_sums(trino, trino_conf(sprintf(headroom, ["2GB"])))
	contains(message, "+ memory.heap-headroom-per-node 2048 MiB is")
	refused_sums(trino, trino_conf(sprintf(headroom, ["1GB"]))) == []
	refused_sums(trino, trino_conf("query.max-memory-per-node=2GB\n")) == []
	refused_sums(trino, trino_conf("query.max-memory=9GB\n")) == []
}
