# METADATA
# title: Sizes
# description: |
#   The whole block of a container from its measured use, its class and what runs in it: requests,
#   limits, a JVM's processors, variables of runtimes, with the arithmetic of each value and how well it
#   is known. What a class asks for, what a JVM needs and which change makes nothing worse is decided
#   where the rules decide it. For one object at a time; no rule reads it.
package headroom.size

import data.headroom.classify
import data.headroom.cpu
import data.headroom.explain
import data.headroom.workload

# result has the containers that run beside each other, and the autoscalers that count by their
# requests.
result := {
	"containers": [_sized(c) | some c in cpu.running],
	"autoscalers": autoscalers,
}

_sized(c) := {
	"container": c.name,
	"class": classify.classes[c.id],
	"runtime": explain.runtime(c),
	"confidence": confidence(c),
	"values": array.concat(
		array.concat(cpu_values(c), array.concat(memory_values(c), heap_values(c))),
		[{"name": s.name, "now": _now(c, s.name), "wanted": s.value, "why": s.why} | some s in settings(c)],
	),
	"unsized": [text | some text in [cpus[c.id].unsized, memories[c.id].unsized]; text != ""],
	"notes": notes(c),
	"changes": changes(c),
	"before": {"cpu": max([0, c.cpu_request]), "memory": max([0, c.memory_request])},
	"after": {"cpu": max([0, cpus[c.id].request]), "memory": max([0, memories[c.id].request])},
}

# changes are those of a fix, [] where the container has what it should.
changes(c) := [] if {
	elsewhere != ""
} else := array.concat(
	# The heap's is made first: flags that are put in front of it move it.
	array.concat(heap_changes(c), cpus[c.id].changes),
	array.concat(memories[c.id].changes, go_memory(c)),
)

# settings are what changes beside the resources: {name, value, why}.
settings(c) := [setting |
	some change in changes(c)
	some setting in _setting(c, change)
]

_setting(c, change) := [{
	"name": change.behind[0],
	"value": concat(" ", change.flags),
	"why": concat("", ["right behind java: ", flags_why(c)]),
}] if {
	change.behind
} else := [{
	"name": "JAVA_TOOL_OPTIONS",
	"value": concat(" ", change.flags),
	"why": concat("", [_in_front(c), flags_why(c)]),
}] if {
	change.change == "jvm-flags"
} else := [{"name": change.name, "value": change.value, "why": _variable_why(change.name)}] if {
	change.change == "env"
} else := []

_in_front(c) := "in front of what it holds: " if {
	_now(c, "JAVA_TOOL_OPTIONS") != ""
} else := ""

_variable_why("GOMEMLIMIT") := "90 % of limits.memory: Go's collector works harder before it is OOMKilled"

_variable_why(name) := "as many threads as it has cores, or the program counts the node's" if name != "GOMEMLIMIT"

# A variable's value is not for reports: that there is one is.
_now(c, name) := "…" if {
	some entry in c.raw.env
	entry.name == name
} else := ""

# elsewhere is why nothing of the workload is changed here; "" as a rule.
elsewhere := "a field of its kind gives its resources, which is to be changed there" if {
	workload.restated
} else := "resources of the Pod (spec.resources) are shared by its containers, and are not divided here" if {
	some c in cpu.running
	"pod" in {c.cpu_request_source, c.cpu_limit_source, c.memory_request_source, c.memory_limit_source}
} else := ""
