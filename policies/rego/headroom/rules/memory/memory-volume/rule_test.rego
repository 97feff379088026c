package headroom.rules.memory["memory-volume_test"]

import data.headroom.rules.memory["memory-volume"] as rule

pod(container, volumes) := {"apiVersion": "v1", "kind": "Pod", "spec": {
	"containers": [object.union(
		{
			"name": "app",
			"resources": {"limits": {"memory": "1Gi"}},
			"volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],
		},
		container,
	)],
	"volumes": volumes,
}}

report(container, volumes) := found if {
	found := rule.report with input as pod(container, volumes)
}

memory(fields) := [{"name": "shm", "emptyDir": object.union({"medium": "Memory"}, fields)}]

test_without_a_size if {
	[f] := [f | some f in report({}, memory({}))]
	f.severity == "info"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	startswith(f.message, "Volume shm is memory (medium: Memory) without a sizeLimit.")
	contains(f.why, "(1024 MiB)")
	contains(f.expected, "/dev/shm")
}

test_with_a_size if {
	every case in [
		["512Mi", {}, 0], ["1Gi", {}, 1], ["2Gi", {}, 1], ["much", {}, 0], ["0", {}, 0],
		["512Mi", {"command": ["java", "-Xmx512m", "-jar", "a.jar"]}, 1],
		["256Mi", {"command": ["java", "-Xmx512m", "-jar", "a.jar"]}, 0],
	] {
		[size, container, want] := case
		count(report(container, memory({"sizeLimit": size}))) == want
	}
	[f] := [f | some f in report({"command": ["java", "-Xmx512m", "-jar", "a.jar"]}, memory({"sizeLimit": "512Mi"}))]
	f.severity == "warning"
	f.message == concat(" ", [
		"Memory-backed volumes (shm) may take 512 MiB beside a heap of 512 MiB,",
		"and limits.memory is 1024 MiB.",
	])
}

test_what_is_no_memory_of_the_container_is_silent if {
	report({}, [{"name": "shm", "emptyDir": {}}]) == set()
	report({}, [{"name": "other", "emptyDir": {"medium": "Memory"}}]) == set()
	report({"volumeMounts": [{"name": "shm", "mountPath": "/dev/shm", "readOnly": true}]}, memory({})) == set()
	report({"resources": null}, memory({})) == set()
	report({"volumeMounts": null}, memory({})) == set()
	every wrong in [null, 5, "a", [null], [{"name": 5, "emptyDir": {"medium": "Memory"}}], [{"emptyDir": 5}]] {
		report({}, wrong) == set()
	}
}
