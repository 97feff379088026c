# METADATA
# title: Memory request or limit missing
# description: |
#   Without a memory request the scheduler counts the container as nothing and puts it where
#   no memory is left; it is the first to be evicted. Without a memory limit a leak grows
#   until the node runs out, and the kernel kills whatever it finds, neighbours included.
#   A runtime that sizes itself by its limit (a JVM's MaxRAMPercentage, Go's GOMEMLIMIT)
#   takes the node's memory instead. What a LimitRange or the Pod itself sets counts. Ordinary init
#   containers are over when the Pod runs, and are not asked, but where a ResourceQuota on limits.memory refuses the
#   Pod for them: the Deployment is accepted and stays at zero replicas.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# - ref: https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
#   description: Who is evicted first
# custom:
#   id: HR301
#   severity: error
#   harm: evicted
#   facts: [M2, M5]
#   kyverno: true
#   remediation: |
#     Set requests.memory and limits.memory to the same value: the measured peak and a
#     quarter of it on top (M2).
package headroom.rules.memory["memory-missing"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.runtime.jvm
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	_asked(c)
	0 in {c.memory_request, c.memory_limit}
	[field, message, why, harm] := _refused(c, _missing(c))
	finding := {
		"container": c.name,
		"path": array.concat(c.path, ["resources", field, "memory"]),
		"message": message,
		"why": why,
		"expected": _wanted(c),
		"figures": {"request_bytes": c.memory_request, "limit_bytes": c.memory_limit},
		"harm": harm,
	}
}

_asked(c) if c.role != "init"

_asked(c) if count(_quotas(c)) > 0

# The API server refuses a Pod for what a quota counts and nothing says for a container. `memory: "0"` says it, a limit
# is a request, too, and a LimitRange fills in what is empty before quotas are asked.
_quotas(c) := [quota |
	c.memory_limit_source == ""
	some resource in array.concat(["limits.memory"], _of_requests(c))
	some quota in cpu.quotas(resource)
]

_of_requests(c) := ["requests.memory", "memory"] if c.memory_request_source == ""

else := []

_refused(c, missing) := missing if count(_quotas(c)) == 0

_refused(c, [field, message, _, _]) := [field, message, why, "start"] if {
	quota := _quotas(c)[0]
	why := sprintf("ResourceQuota %v in this namespace has %s: it refuses every Pod with such a container.", [
		quota.name,
		quota.what,
	])
}

# Of a container without any resources, HR201 says nothing by itself.
_wanted(c) := sprintf("%s; %s", [advice.all_memory(c), advice.cpu_request(c)[0]]) if {
	_nothing(c)
} else := advice.all_memory(c)

_nothing(c) if {
	c.cpu_request == 0
	c.memory_request == 0
	c.memory_limit == 0
}

# A request defaults to the limit, so one that is missing beside a limit says 0.
_missing(c) := ["requests", "requests.memory is 0 beside a limit.", _no_request, "evicted"] if {
	c.memory_limit != 0
} else := ["limits", "limits.memory is not set.", _no_limit(c), "neighbours"] if {
	c.memory_request != 0
} else := ["limits", "Neither requests nor limits are set.", _neither(c), "evicted"] if {
	_nothing(c)
} else := ["limits", "Neither requests.memory nor limits.memory is set.", _neither(c), "evicted"]

_neither(c) := concat(" ", [_no_request, _no_limit(c)])

_no_request := "Nothing is reserved on the node, and the container is evicted first when memory runs out."

# A share of the limit is one of the node's memory then.
_no_limit(c) := sprintf(
	"Its heap may take %s %% of the node's memory (-XX:MaxRAMPercentage, %s), and neighbours are OOMKilled too.",
	[flags.MaxRAMPercentage.value, flags.MaxRAMPercentage.source],
) if {
	flags := jvm.jvms[c.id].flags
	regex.match(`^[0-9]{1,2}(?:[.][0-9]+)?$`, flags.MaxRAMPercentage.value)
	object.subset({"MaxRAMPercentage"}, object.keys(flags) & {"MaxHeapSize", "MaxRAM", "MaxRAMPercentage"})
} else := "A leak takes the node's memory, and neighbours are OOMKilled too."
