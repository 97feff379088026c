package headroom.rules.running["resize-needs-restart_test"]

import data.headroom.rules.running["resize-needs-restart"] as rule

pod(resources, more) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "command": ["java", "-jar", "a.jar"], "resources": {"limits": resources}},
	more,
)]}}

resize(from, to, more) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": pod(to, more),
	"context": {"before": [pod(from, more)]},
}

report(from, to, more) := [f | some f in found] if {
	found := rule.report with input as resize(from, to, more)
}

half := {"command": ["java", "-XX:MaxRAMPercentage=75", "-jar", "a.jar"]}

test_a_heap_that_was_sized_by_the_old_limit if {
	[f] := report({"memory": "4Gi"}, {"memory": "2Gi"}, half)
	f.severity == "error"
	startswith(f.message, "limits.memory goes from 4Gi to 2Gi, and the running JVM was started for ")
	contains(f.message, " MiB (heap 3072): ")
	endswith(f.message, "the heap keeps its size, and is OOMKilled.")
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
}

test_room_enough if {
	report({"memory": "4Gi"}, {"memory": "3Gi"}, {"command": ["java", "-Xmx1g", "-jar", "a.jar"]}) == []
	report({"memory": "4Gi"}, {"memory": "4Gi"}, half) == []
}

test_raised if {
	[f] := report({"memory": "2Gi"}, {"memory": "4Gi"}, half)
	f.severity == "info"
	f.expected == "a restart, where the heap is to grow"
}

restarting(resource) := object.union(half, {"resizePolicy": [{
	"resourceName": resource,
	"restartPolicy": "RestartContainer",
}]})

test_a_restart_settles_it if {
	report({"memory": "4Gi"}, {"memory": "2Gi"}, restarting("memory")) == []
	report({"memory": "2Gi"}, {"memory": "4Gi"}, restarting("memory")) == []
	count(report({"memory": "4Gi"}, {"memory": "2Gi"}, restarting("cpu"))) == 1
}

pinned := {"command": ["java", "-XX:ActiveProcessorCount=2", "-Xmx64m", "-jar", "a.jar"]}

test_pinned_processors if {
	[f] := report({"cpu": "2", "memory": "1Gi"}, {"cpu": "4", "memory": "1Gi"}, pinned)
	f.path == ["spec", "containers", 0, "resources", "limits", "cpu"]
	contains(f.message, "-XX:ActiveProcessorCount=2 is fixed at the start")
	report({"cpu": "2", "memory": "1Gi"}, {"cpu": "2", "memory": "1Gi"}, pinned) == []
	report({"cpu": "2"}, {"cpu": "4"}, {"command": ["java", "-Xmx64m", "-jar", "a.jar"]}) == []
}

test_silence if {
	report({"memory": "4Gi"}, {"memory": "2Gi"}, {"command": ["redis-server"]}) == []
	rule.report == set() with input as pod({"memory": "2Gi"}, half)
}
