# METADATA
# title: Advice on a JVM's memory
# description: |
#   How a JVM comes to leave free what has to be left of its limit (M1), in words. HR303, HR304
#   and HR406 ask for the same, so that a fix of one of them satisfies the others.
package headroom.advice

import data.headroom.evidence
import data.headroom.memory
import data.headroom.runtime.jvm

# wanted_memory names the ways that pass: a smaller heap, where one is left that a JVM could run
# with, and a larger limit. Where too much of the budget is assumed for a number, it is what to measure first.
wanted_memory(j, limit_mib) := measured_memory(j) if {
	not evidence.numbered(memory.figure(memory.budget(j)))
} else := concat(", or ", ways) if {
	ways := [way | some way in [heap_way(j, limit_mib), limit_way(j, limit_mib)]; way != ""]
	count(ways) > 0
} else := "other flags: no limit passes with these"

# measured_memory asks for what is assumed of a budget, as it was measured.
measured_memory(j) := concat("; ", array.concat(
	["measure first, then lower the heap or raise the limit"],
	array.concat(_asked_facts(assumed), _asked_cap(j, assumed)),
)) if {
	assumed := {term.name | some term in memory.budget(j).terms; term.grade == "assumed"}
}

# It names no container, so that what is the same of several is said once.
_asked_facts(assumed) := [sprintf("headroom diagnose POD shows %s for its jvm.headroom.dev annotation", [
	jvm.listed(facts),
])] if {
	facts := [fact | some [region, fact] in _facts; region in assumed]
	count(facts) > 0
} else := []

_facts := [["stacks", "threads="], ["metaspace", "classes="], ["native", "native="]]

# What is not told by an annotation is bounded by a flag, direct memory first.
_asked_cap(j, assumed) := [sprintf("set %s", [in_place(j, caps[0])])] if {
	caps := [cap | some [region, cap] in _caps; region in assumed]
	count(caps) > 0
} else := []

_caps := [["direct", "-XX:MaxDirectMemorySize"], ["code cache", "-XX:ReservedCodeCacheSize"]]
