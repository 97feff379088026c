package headroom.autoscalers

import data.headroom.cpu
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# fights are what autoscalers do against what runs in a container, or against each other: {kind, container, path,
# control, metric, j, mib}, as far as each has them.
fights := array.concat(_lost, _moved_limits)

_lost := array.concat(
	array.concat(_fixed_heaps, _heaps_in_place),
	array.concat(_same_resource, array.concat(_allocations, _heaps_counted)),
)

# lost are the [autoscaler, container's id, resource] that the autoscaler had better leave alone.
lost := {[fight.control.scaler.metadata.name, fight.control.c.id, fight.control.resource] | some fight in _lost}

# The limit follows what was used, and the heap that -Xmx fixes does not follow the limit.
_fixed_heaps := [{
	"kind": "fixed heap",
	"container": control.c.name,
	"path": memory.limit_path(control.c),
	"control": control,
	"j": j,
	"mib": mib,
} |
	some control in _memory_limits
	j := jvm.by_id[control.c.id]
	j.sure
	j.flags.MaxHeapSize
	budget := memory.budget(j)
	budget.complete
	mib := ceil(budget.total_mib)
	not _at_least(control.policy, mib)
]

_at_least(policy, mib) if quantity.bytes(policy.minAllowed.memory) >= mib * 1048576

_memory_limits := [control |
	some control in controls
	control.resource == "memory"
	control.limits
	control.c.memory_limit > 0
	control.c.memory_limit_source != "pod"
]

# A heap that is a share of the limit follows it from the next start on.
_heaps_in_place := [{
	"kind": "heap in place",
	"container": control.c.name,
	"path": memory.limit_path(control.c),
	"control": control,
	"j": j,
} |
	some control in _memory_limits
	control.in_place
	not _memory_restarts(control.c)
	j := jvm.by_id[control.c.id]
	j.sure
	not j.flags.MaxHeapSize
]

_memory_restarts(c) if {
	some policy in c.raw.resizePolicy
	policy.resourceName == "memory"
	policy.restartPolicy == "RestartContainer"
}

# One changes the request by which the other counts.
_same_resource := [{
	"kind": "same resource",
	"container": control.c.name,
	"path": array.concat(control.c.path, ["resources", "requests", control.resource]),
	"control": control,
	"metric": metric,
} |
	some control in controls
	some metric in counted
	metric.share
	metric.resource == control.resource
	counts(metric, control.c)
]

# What a tenant pays for is its limit.
_allocations := [{
	"kind": "allocation",
	"container": control.c.name,
	"path": cpu.limit_path(control.c),
	"control": control,
} |
	some control in controls
	control.resource == "cpu"
	control.limits
	control.c.cpu_limit > 0
	cpu.is_tenant(control.c)
]

# A heap is seldom given back (J13).
_heaps_counted := [{
	"kind": "heap counted",
	"container": j.container,
	"path": memory.limit_path(j.c),
	"metric": metric,
	"j": j,
} |
	some metric in counted
	metric.resource == "memory"
	some j in jvm.judged
	j.sure
	j.c.list == "containers"
	counts(metric, j.c)
	j.gc in {"Serial", "Parallel", "G1", "CMS"}
]

# Where the request goes down, so does the limit (T15). A limit that HR202 takes away is left out, and a request that
# the autoscaler had better leave alone.
_moved_limits := [{
	"kind": "moved limit",
	"container": control.c.name,
	"path": cpu.limit_path(control.c),
	"control": control,
} |
	some control in controls
	control.resource == "cpu"
	control.limits
	control.c.cpu_limit_source == "container"
	control.c.cpu_request > 0
	control.c.cpu_limit > control.c.cpu_request
	cpu.throttles(control.c)
	not cpu.is_tenant(control.c)
	not [control.scaler.metadata.name, control.c.id, "cpu"] in lost
]
