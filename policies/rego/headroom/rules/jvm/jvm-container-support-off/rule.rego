# METADATA
# title: JVM without container support
# description: |
#   Container support is what makes a JVM read the limits of its container. Without it, it
#   takes a quarter of the node's memory for its heap and starts threads for all of the node's
#   cores: on 32 cores and a limit of 2, 23 collector threads instead of 2 (J1). JDK 10 brought
#   it, 8u191 has it too, and -XX:-UseContainerSupport switches it off. On nodes with cgroup v2 it
#   takes 8u372, 11.0.16 or 15 (J11), which is a warning, as no manifest tells what the nodes have. Kernels from 6.12 on
#   may list no controllers of cgroup v1, as Fedora's and Ubuntu's do. There a JVM before 8u502, 11.0.32, 17.0.20,
#   21.0.10 or 25 sees the node, too (J15). It is an info where its heap is a share of what it sees; with
#   `nodes: {kernel: "6.12"}` in headroom.yaml it is a warning, and with an older kernel there nothing is said.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:+UseContainerSupport in the java command's manual
# custom:
#   id: HR401
#   severity: error
#   harm: OOMKilled
#   certain: true
#   facts: [J1, J4, J11, J15]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Take -XX:-UseContainerSupport out; if it stands for another purpose, set -Xmx and
#     -XX:ActiveProcessorCount by hand and exempt the container. Move a JVM older than 8u191,
#     and JDK 9, to a current update. Where a kernel hides the limits, -XX:MaxRAM= with the memory limit
#     leaves MaxRAMPercentage what it was; -Xmx does it, too.
package headroom.rules.jvm["jvm-container-support-off"]

import data.headroom.ceiling
import data.headroom.runtime.jvm

report contains finding if {
	some j in array.concat(jvm.jvms, jvm.certain_others)
	jvm.off(j.flags, "UseContainerSupport")

	# A release that lacks it is spoken of by its name.
	not _of_release(j)
	finding := {
		"container": j.container,
		"path": j.flags.UseContainerSupport.path,
		"message": concat(" ", array.concat(
			[sprintf("-XX:-UseContainerSupport (%s) hides the container's limits from the JVM.", [
				j.flags.UseContainerSupport.source,
			])],
			jvm.unless_stronger(j, "UseContainerSupport"),
		)),
		"why": _why,
		"expected": "no -XX:-UseContainerSupport",
		"figures": {"version": j.version},
		"outcome": "possible",
		"severity": jvm.firm(j, "UseContainerSupport", jvm.certainty(j)),
	}
}

report contains finding if {
	some j in jvm.jvms
	lacks := jvm.release_lacks(j)
	finding := {
		"container": j.container,
		"path": array.concat(j.c.path, ["image"]),
		"message": _lacking(j, lacks),
		"why": _why_lacking(j),
		"expected": "Java 8u191, or 10 and later",
		"figures": {"version": j.version},
		"outcome": "possible",
		"severity": jvm.certainty(j),
	}
}

_lacking(j, lacks) := concat(" ", [
	sprintf("%s does not read the CPU limit, and reads limits.memory under cgroup v1 only", [lacks]),
	sprintf("(-XX:+UseCGroupMemoryLimitForHeap, %s).", [j.flags.UseCGroupMemoryLimitForHeap.source]),
]) if {
	_of_cgroup_v1(j)
} else := sprintf("%s does not read the container's limits.", [lacks])

_why_lacking(j) := concat(" ", [
	"Threads are sized to the node, and under cgroup v2 so is the heap:",
	"the container can be OOMKilled at its limit.",
]) if {
	_of_cgroup_v1(j)
} else := _why

_of_cgroup_v1(j) if jvm.on(j.flags, "UseCGroupMemoryLimitForHeap")

# Which cgroup version the nodes have, no manifest tells.
report contains finding if {
	some j in jvm.jvms
	not jvm.node_has_v1
	old := jvm.reads_v1_alone(j.facts.version)
	not _sees_its_limit(j)
	finding := {
		"container": j.container,
		"path": array.concat(j.c.path, ["image"]),
		"message": sprintf("%s reads the container's limits under cgroup v1 only; %s.", [old, _nodes(j)]),
		"why": _why,
		"expected": "Java 8u372, 11.0.16, or 15 and later",
		"figures": {"version": j.version},
		"outcome": "possible",
		"severity": _on_nodes(j),
	}
}

# Which kernel the nodes have, no manifest tells either. What is sized by hand does not ask.
report contains finding if {
	some j in jvm.judged
	j.c.memory_limit > 0
	jvm.heap_of_what_it_sees(j)
	not jvm.blind(j)
	not jvm.unread(j)
	old := jvm.reads_proc_cgroups(j.facts.version)
	finding := {
		"container": j.container,
		"path": array.concat(j.c.path, ["image"]),
		"message": concat(" ", [
			sprintf("%s does not see limits.memory on nodes whose kernel, 6.12 or later, lists no cgroup v1", [old.name]),
			"controllers (JDK-8349988).",
		]),
		"why": _share_of_node(j),
		"expected": sprintf("%s or later, or -XX:MaxRAM=%vm, which is limits.memory: the heap stays what it is", [
			old.fixed,
			ceiling.mib(j.c.memory_limit),
		]),
		"figures": {"version": j.version, "limit_mib": ceiling.mib(j.c.memory_limit)},
		"outcome": "possible",
		"severity": jvm.proc_cgroups_severity,
	}
}

_share_of_node(j) := sprintf("There its heap is %v MiB on a node of 64 GiB, and it can be OOMKilled at %v MiB.", [
	floor((65536 * jvm.share_of_what_it_sees(j)) / 100),
	ceiling.mib(j.c.memory_limit),
])

# The processors that it counts tell whether it sees its limit.
_sees_its_limit(j) if {
	j.c.cpu_limit > 0
	j.facts.processors <= ceil(j.c.cpu_limit / 1000)
}

_overlooks_its_limit(j) if {
	j.c.cpu_limit > 0
	j.facts.processors > ceil(j.c.cpu_limit / 1000)
	not j.flags.ActiveProcessorCount
}

_nodes(j) := sprintf("it counts %v processors (%s)", [j.facts.processors, jvm.fact_text(j, "processors")]) if {
	_overlooks_its_limit(j)
} else := "most nodes have v2"

_on_nodes(j) := "error" if {
	_overlooks_its_limit(j)
} else := "warning"

_of_release(j) if j.flags.UseContainerSupport.source == jvm.release_lacks(j)

_why := "Heap and threads are sized to the node, and the container can be OOMKilled at its limit."
