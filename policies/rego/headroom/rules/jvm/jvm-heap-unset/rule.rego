# METADATA
# title: Maximum heap not set
# description: |
#   Without -Xmx and -XX:MaxRAMPercentage the maximum heap is a quarter of the limit, and half of it
#   below 250 MiB (measured on JDK 8 to 28). Most of the requested memory then lies idle, while the
#   collector runs more often than it would have to. Not all of the rest is free for the heap:
#   metaspace, compiled code, direct memory and stacks need some (HR303). Where an image's own script
#   takes a share of the node's memory, as Cassandra's does, no limit bounds it: on a large node the
#   heap alone is more than the limit.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxRAMPercentage in the java command's manual
# custom:
#   id: HR406
#   severity: warning
#   harm: cost
#   facts: [J6]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure what the JVM takes beside the heap (headroom diagnose POD), say it in
#     jvm.headroom.dev/<container>, and set the share that the finding then names, at most
#     -XX:MaxRAMPercentage=50.0, in JAVA_TOOL_OPTIONS, with the decimal point: Java 8 does not start on 50.
#     Where the limit has room for the most that may be beside the heap, the finding names a share at once.
#     Below 250 MiB it has no effect; set -Xmx there.
package headroom.rules.jvm["jvm-heap-unset"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm

report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	not j.heap.set
	not j.flags.MaxRAM
	not jvm.heap_is_scripts(j)
	not _refused(j)
	limit_mib := memory.budgets[id].limit_mib
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": jvm.unless_set(j, _message(j)),
		"why": _effect(j),
		"expected": advice.heap_share(j, limit_mib),
		"figures": {"heap_mib": memory.mebibytes(j.heap.bytes), "limit_mib": limit_mib},
		"fix": fix.heap_share(j, limit_mib),
		"harm": _harm(j),
		"severity": _severity(j),
	}
}

# What the JVM refuses to start with may say the heap: HR409 speaks of it, and the JVM's default is not the cause.
_refused(j) if {
	some s in j.startup
	s.all
	_may_say_heap(s)
}

_may_say_heap(s) if regex.match(`-Xmx|-XX:Max(?:RAM|Heap)|\$`, concat(" ", s.flags))

_may_say_heap(s) if s.reason == jvm.several_in_one

# A script that goes by the node's memory does not see the limit: from some node on the heap, and what is expected
# beside it, are more than the limit.
report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	of_node := jvm.heap_of_the_node(j)
	limit_mib := memory.budgets[id].limit_mib
	limit_mib > 0
	killed := _killed_on(j, of_node.node, limit_mib)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": jvm.unless_set(j, _of_node_message(of_node)),
		"why": _of_node_why(j, killed, limit_mib),
		"expected": advice.heap_instead(j, of_node, memory.largest_heap_mib(j, limit_mib)),
		"figures": {"least_mib": of_node.node.least, "most_mib": of_node.node.most, "limit_mib": limit_mib},
		"harm": "OOMKilled",
		"severity": jvm.absence(j, "warning"),
	}
}

# _killed_on is the smallest node, {gib, heap_mib}, in whole GiB, on which that happens; undefined where none does it.
_killed_on(j, node, limit_mib) := [{"gib": gib, "heap_mib": heap_mib} |
	some gib in numbers.range(_smallest_node_gib, ceil((node.most * 100) / (node.percent * 1024)))
	heap_mib := jvm.share_mib(node, gib * 1073741824)
	memory.total_mib(j, heap_mib * 1048576) > limit_mib
][0]

# No node of a cluster has less.
_smallest_node_gib := 2

_of_node_message(of_node) := sprintf("%s is not set: the image's start script takes %v %% of %s, %v to %v MiB.", [
	of_node.instead[0],
	of_node.node.percent,
	"the node's memory",
	of_node.node.least,
	of_node.node.most,
])

_of_node_why(j, killed, limit_mib) := sprintf(
	"The least of it, and %v MiB expected beside it, are over the limit of %v MiB: the container is OOMKilled.",
	[round(memory.total_mib(j, killed.heap_mib * 1048576) - killed.heap_mib), limit_mib],
) if {
	killed.gib == _smallest_node_gib
} else := sprintf(
	"On a node of %v GiB it is %v MiB. With %v MiB expected beside it the container is OOMKilled: its limit is %v MiB.",
	[killed.gib, killed.heap_mib, round(memory.total_mib(j, killed.heap_mib * 1048576) - killed.heap_mib), limit_mib],
) if {
	killed.gib > _smallest_node_gib
}

# What starts java out of sight may set a heap: the default is possible then, and no more.
_severity(j) := "info" if {
	jvm.started_unseen(j)
} else := jvm.absence(j, "warning")

_message(j) := sprintf("%s where the manifest shows it; %s may set it.", [_unset, j.unknown[0].what]) if {
	jvm.started_unseen(j)
} else := sprintf("%s, and there is no memory limit.", [_unset]) if {
	j.c.memory_limit <= 0
} else := sprintf("%s, and %s reads the limit under cgroup v1 only.", [_unset, _hides(j)]) if {
	j.heap.bytes == 0
	_of_cgroup_v1(j)
} else := sprintf("%s, and %s hides the limit.", [_unset, _hides(j)]) if {
	j.heap.bytes == 0
} else := sprintf("%s: %s gives a heap of %v MiB from a limit of %v MiB%s.", [
	_why(j),
	_default(j),
	memory.mebibytes(j.heap.bytes),
	memory.mebibytes(j.c.memory_limit),
	_unless_image(j),
])

# An image may set JAVA_TOOL_OPTIONS or JDK_JAVA_OPTIONS; one that was read, or is known, is counted. Where something
# else may set the heap, that is said, and is enough.
_unless_image(j) := "" if {
	jvm.image_read(j.c)
} else := "" if {
	count(jvm.unless_hidden(j)) > 0
} else := ", unless the image's variables set one"

_hides(j) := lacks if {
	lacks := jvm.release_lacks(j)
} else := jvm.origin(j, "UseContainerSupport")

_effect(j) := "Otherwise the JVM picks the maximum heap, as a rule a quarter of the limit." if {
	jvm.started_unseen(j)
} else := "Under cgroup v2 the maximum heap is a quarter of the node's memory." if {
	j.c.memory_limit > 0
	_of_cgroup_v1(j)
} else := "The maximum heap is a quarter of the node's memory." if {
	_of_the_node(j)
} else := "The heap is what the JVM picks, not what the limit has room for."

_of_cgroup_v1(j) if {
	jvm.release_lacks(j)
	jvm.on(j.flags, "UseCGroupMemoryLimitForHeap")
}

# Of the node's memory and under a limit, the heap outgrows the limit; without one, it takes the
# memory of the neighbours.
_harm(j) := "neighbours" if {
	j.c.memory_limit <= 0
} else := "OOMKilled" if {
	_of_the_node(j)
} else := "cost"

_of_the_node(j) if j.c.memory_limit <= 0

_of_the_node(j) if j.heap.bytes == 0

_unset := "Neither -Xmx nor -XX:MaxRAMPercentage is set"

_why(j) := sprintf("%s has no effect on less than 250 MiB, and -Xmx is not set", [jvm.origin(j, flag)]) if {
	flag := [flag | some flag in ["MaxRAMPercentage", "MaxRAMFraction"]; j.flags[flag]][0]
} else := _unset

# Where the share comes to less than 124.8 MiB, the JVM takes as much (J6), rounded to whole 2 MiB.
_default(j) := "-Xms" if {
	j.heap.flag == "InitialHeapSize"
} else := "what compressed pointers reach" if {
	j.heap.compressed
} else := "the JVM's least" if {
	j.heap.bytes == jvm.aligned(jvm.least_heap)
	j.heap.bytes - jvm.aligned(1) > (j.c.memory_limit * j.heap.percent) / 100
} else := sprintf("the default of %v %%", [j.heap.percent])
