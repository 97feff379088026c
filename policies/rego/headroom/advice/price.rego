package headroom.advice

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

# price is what the Pod has instead of its CPU limit, in one line: QoS class, priority, quota, and how full its
# nodes are. What is not known of these is left out.
price := concat("; ", array.concat(
	array.concat(_qos, _priority),
	array.concat(_quota, _full),
))

# Eviction goes by memory above its request, then by priority: a Pod whose memory requests are its limits keeps its
# place. The kernel's OOM killer goes by oom_score_adj, which is -997 for Guaranteed alone (M9).
_qos := [concat("", [
	"QoS class Guaranteed → Burstable (evicted in the same order, killed sooner if the node's memory runs out)",
	_own_cores,
])] if {
	cpu.guaranteed
} else := ["none, the QoS class stays Burstable"] if {
	workload.pod_level.cpu.limit == 0
} else := []

# The static CPU manager gives whole cores to Guaranteed Pods alone (T12).
default _own_cores := ""

_own_cores := ", and no cores of its own from a static CPU manager" if {
	some c in workload.containers
	c.cpu_limit % 1000 == 0
}

# The name of a class is the template's; the number is what a Pod got from it.
_priority := [sprintf("PriorityClass %s%s", [words.shown(name), _number])] if {
	name := workload.pod_spec.priorityClassName
	is_string(name)
	name != ""
} else := []

default _number := ""

_number := sprintf(" (%v)", [workload.pod_spec.priority]) if is_number(workload.pod_spec.priority)

# What keeps the Pod from being without a limit is HR209's.
_quota := [sprintf("%s %v in its namespace %s (HR209)", [cpu.fight.kind, cpu.fight.name, _fights[cpu.fight.does]])] if {
	cpu.fight.does
} else := [concat(" and ", said)] if {
	said := [sprintf("ResourceQuota %v bounds requests.cpu of its namespace at %s", [
		object.get(quota, ["metadata", "name"], ""),
		quantity.format_cpu(most),
	]) |
		some quota in workload.context.resource_quotas
		cpu.quota_selects(quota.spec)
		most := [n | some key in ["requests.cpu", "cpu"]; n := quantity.milli(quota.spec.hard[key]); n >= 0][0]
	]
	said != []
} else := []

_fights := {"limits": "sets one again", "refuses": "refuses it without one"}

# How full the fullest of its nodes is, as the audit counts it.
_full := [sprintf("CPU requests on %s: %v %% of allocatable", [
	_which(node),
	round((100 * requested) / allocatable),
])] if {
	node := workload.context.nodes[0]
	is_string(node.name)
	requested := quantity.milli(node.requested)
	allocatable := quantity.milli(node.allocatable)
	requested >= 0
	allocatable > 0
} else := []

_which(node) := sprintf("the fullest of its %v nodes (%s)", [node.of, words.shown(node.name)]) if {
	node.of > 1
} else := sprintf("its node (%s)", [words.shown(node.name)])
