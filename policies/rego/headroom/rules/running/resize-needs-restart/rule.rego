# METADATA
# title: Resized under a running process
# description: |
#   A resize changes the limits of a container that goes on running. A JVM works out its heap and the threads of its
#   collector once, by the limits that it finds when it starts, and keeps them. So a memory limit that is lowered below
#   what it was started for is an error: the heap may grow to the old size, and is OOMKilled. A limit that is raised
#   gives the heap nothing before a restart, and -XX:ActiveProcessorCount stays what it was. A resizePolicy of
#   RestartContainer restarts the process, so that nothing is said.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/
#   description: Resize CPU and memory of containers
# custom:
#   id: HR606
#   severity: error
#   harm: OOMKilled
#   certain: true
#   facts: [M1, J3]
#   remediation: |
#     Give the container resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}], or change the limit in
#     the workload, which replaces its Pods.
package headroom.rules.running["resize-needs-restart"]

import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

report contains object.union(finding, {
	"container": j.container,
	"figures": {"before_bytes": before.memory_limit, "limit_bytes": j.c.memory_limit},
}) if {
	some j in jvm.jvms
	j.sure
	before := workload.before[j.container]
	some finding in array.concat(_memory(j, before), _cpu(j, before))
}

# The process was started under the limit as it was.
_started(j, before) := jvm.changed(j, object.union(j.c, {"memory_limit": before.memory_limit}), [])

_memory(j, before) := [{
	"path": memory.limit_path(j.c),
	"message": sprintf("limits.memory goes from %s to %s, and the running JVM was started for %v MiB (heap %v): %s.", [
		quantity.format_memory(before.memory_limit),
		quantity.format_memory(j.c.memory_limit),
		budget.total_mib,
		budget.terms[0].mib,
		"the heap keeps its size, and is OOMKilled",
	]),
	"expected": sprintf("%s or more, or a restart (resizePolicy: RestartContainer)", [
		quantity.format_memory(ceil(budget.total_mib) * 1048576),
	]),
	"severity": "error",
}] if {
	_in_place(j.c, "memory")
	j.c.memory_limit > 0
	j.c.memory_limit < before.memory_limit
	budget := memory.budget(_started(j, before))
	budget.complete
	j.c.memory_limit < budget.total_mib * 1048576
} else := [{
	"path": memory.limit_path(j.c),
	"message": sprintf("limits.memory goes from %s to %s: the running JVM keeps the heap that it was started with.", [
		quantity.format_memory(before.memory_limit),
		quantity.format_memory(j.c.memory_limit),
	]),
	"expected": "a restart, where the heap is to grow",
	"severity": "info",
}] if {
	_in_place(j.c, "memory")
	before.memory_limit > 0
	j.c.memory_limit > before.memory_limit
} else := []

_cpu(j, before) := [{
	"path": array.concat(j.c.path, ["resources", "limits", "cpu"]),
	"message": sprintf("limits.cpu changes, and %s: the running JVM keeps its number of processors.", [
		sprintf("-XX:ActiveProcessorCount=%v is fixed at the start", [j.numbers.ActiveProcessorCount]),
	]),
	"expected": "a restart with another -XX:ActiveProcessorCount, where it is to use more or fewer",
	"severity": "info",
}] if {
	_in_place(j.c, "cpu")
	j.c.cpu_limit != before.cpu_limit
	j.numbers.ActiveProcessorCount
} else := []

_in_place(c, resource) if {
	restarts := [policy |
		some policy in c.raw.resizePolicy
		policy.resourceName == resource
		policy.restartPolicy == "RestartContainer"
	]
	restarts == []
}
