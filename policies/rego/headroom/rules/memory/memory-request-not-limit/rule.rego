# METADATA
# title: Memory request is not the memory limit
# description: |
#   The scheduler reserves the request; what lies between it and the limit is not reserved on the node.
#   CPU can be taken back from a container, memory cannot: when the node runs out, containers above
#   their request are evicted or killed first, at the moment of the highest load. So request all of it.
#   A limit of more than twice the request is seldom used up, and a request that large may leave the Pod
#   without a node: lower the limit to the measured peak first. headroom changes nothing there by
#   itself. HR208 covers a request above the limit, HR306 a limit that lost its unit. An ordinary init
#   container is not judged: its request would stay reserved for as long as the Pod lives (HR211).
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
#   description: Quality of service classes
# - ref: https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
#   description: Who is evicted first
# custom:
#   id: HR302
#   severity: error
#   harm: evicted
#   size: "MiB of all Pods not reserved"
#   facts: [M5]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Raise requests.memory to limits.memory. If the limit is over twice the request, it is most often too
#     high: measure the peak (`headroom annotate`), and lower both to that and a quarter of it on top.
package headroom.rules.memory["memory-request-not-limit"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.memory
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	c.role != "init"
	c.memory_request < c.memory_limit
	c.memory_request >= memory.least_request
	c.memory_limit >= memory.least_limit
	c.memory_limit_source != "pod"
	found := _finding(
		c.name, c.path, c.raw, object.get(_words, c.memory_limit_source, "limits.memory"),
		c.memory_request, c.memory_limit,
	)
	finding := object.union(found, {"expected": advice.request_at_limit(c, c.memory_request, c.memory_limit)})
}

# Containers that share the Pod's own limit are held to the Pod's own request.
report contains finding if {
	some c in workload.containers
	c.memory_limit_source == "pod"
	pod := workload.pod_level.memory
	pod.request < pod.limit
	pod.request >= memory.least_request
	pod.limit >= memory.least_limit
	found := _finding(
		"", workload.spec_path, workload.pod_spec, "the Pod's limits.memory",
		pod.request, pod.limit,
	)
	finding := object.union(found, {"expected": advice.pod_request_at_limit(pod.request, pod.limit)})
}

_words := {"limit-range": "the LimitRange's default limit"}

_finding(container, base, raw, limit_words, request, limit) := {
	"container": container,
	"path": path,
	"message": sprintf("requests.memory is %s, %s is %s: %s not reserved on the node.", [
		quantity.format_memory(request), limit_words, quantity.format_memory(limit),
		memory.about(limit - request),
	]),
	"why": "When the node runs out of memory, containers above their request are OOMKilled or evicted first.",
	"figures": object.union({"request_bytes": request, "limit_bytes": limit}, memory.raise_cost),
	"size": quantity.mib(limit - request) * memory.pods,
	"fix": [change | not memory.far_apart(request, limit); some change in fix.memory_request(path, raw.resources, limit)],
} if {
	path := array.concat(base, ["resources", "requests", "memory"])
}
