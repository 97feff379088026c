# METADATA
# title: Advice on a JVM's memory
# description: |
#   How a JVM comes to leave free what has to be left of its limit (M1), in words. HR303, HR304
#   and HR406 ask for the same, so that a fix of one of them satisfies the others.
package headroom.advice

# wanted_memory names the ways that pass: a smaller heap, where one is left that a JVM could run
# with, and a larger limit.
wanted_memory(j, limit_mib) := concat(", or ", ways) if {
	ways := [way | some way in [heap_way(j, limit_mib), limit_way(j, limit_mib)]; way != ""]
	count(ways) > 0
} else := "other flags: no limit passes with these"
