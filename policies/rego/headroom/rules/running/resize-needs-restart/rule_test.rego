package headroom.rules.running["resize-needs-restart_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.running["resize-needs-restart"] as rule

pod(resources, more) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "command": ["java", "-jar", "a.jar"], "resources": {"limits": resources}},
	more,
)]}}

resize(from, to, more) := reviews.of_object(pod(to, more), {"before": [pod(from, more)]})

report(from, to, more) := [f | some f in found] if {
	found := rule.report with input as resize(from, to, more)
}

half := {"command": ["java", "-XX:MaxRAMPercentage=75", "-jar", "a.jar"]}

test_a_heap_that_was_sized_by_the_old_limit if {
	[f] := report({"memory": "4Gi"}, {"memory": "2Gi"}, half)
	f.severity == "error"
	startswith(f.message, "limits.memory goes from 4Gi to 2Gi, and the running JVM was started for ")
	endswith(f.message, " MiB (heap 3072).")
	f.why == "The heap keeps its size, and the container is OOMKilled."
	f.outcome == "certain"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
}

# 3072 MiB of heap have room in 3200, and not all that the JVM needs beside it.
test_a_heap_that_has_room_alone if {
	[f] := report({"memory": "4Gi"}, {"memory": "3200Mi"}, half)
	f.why == "The heap keeps its size, and the container can be OOMKilled."
	f.outcome == "possible"
}

test_room_enough if {
	report({"memory": "4Gi"}, {"memory": "3Gi"}, {"command": ["java", "-Xmx1g", "-jar", "a.jar"]}) == []
	report({"memory": "4Gi"}, {"memory": "4Gi"}, half) == []
}

test_raised if {
	[f] := report({"memory": "2Gi"}, {"memory": "4Gi"}, half)
	f.severity == "warning"
	f.message == "limits.memory goes from 2Gi to 4Gi, and the running JVM keeps its heap."
	f.expected == "a restart, where the heap is to grow"
	f.harm == "cost"
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

test_a_runtime_that_is_bound if {
	[f] := report({"memory": "4Gi"}, {"memory": "2Gi"}, {"command": ["redis-server", "--maxmemory", "3gb"]})
	f.severity == "error"
}

test_silence if {
	report({"memory": "4Gi"}, {"memory": "2Gi"}, {"command": ["redis-server"]}) == []
	rule.report == set() with input as pod({"memory": "2Gi"}, half)
}
