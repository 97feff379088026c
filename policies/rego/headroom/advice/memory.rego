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

# measured_memory asks for what is assumed of a budget before the heap or the limit changes.
measured_memory(j) := concat(", ", array.concat(what_is_assumed(j), ["then lower the heap or raise the limit"]))

# what_is_assumed asks for all that is assumed of a budget: what an annotation says, and what flags bound. It names no
# container, so that what is the same of several is said once.
what_is_assumed(j) := array.concat(
	[sprintf("annotate %s (headroom diagnose POD shows them)", [jvm.listed(facts)]) |
		facts := _facts_assumed(j)
		count(facts) > 0
	],
	[sprintf("set %s", [in_place(j, jvm.listed(caps))]) |
		caps := [cap | some [region, cap] in _caps; region in _assumed(j)]
		count(caps) > 0
	],
)

_facts_assumed(j) := [fact | some [region, fact] in _facts; region in _assumed(j)]

_assumed(j) := {term.name | some term in memory.budget(j).terms; term.grade == "assumed"}

_facts := [["stacks", "threads="], ["metaspace", "classes="], ["native", "native="]]

_caps := [["direct", "-XX:MaxDirectMemorySize"], ["code cache", "-XX:ReservedCodeCacheSize"]]
