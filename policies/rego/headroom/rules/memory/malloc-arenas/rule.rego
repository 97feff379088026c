# METADATA
# title: Arenas of malloc are not bounded
# description: |
#   glibc's malloc gives threads arenas of their own, up to eight for each core of the node, whatever the CPU limit is.
#   What is free in one is of no use to another and seldom goes back. 16 threads of Ruby had 182 MiB resident, and 79
#   with MALLOC_ARENA_MAX=2 (R24). It grows with the node: a Pod that fits on 4 cores may be OOMKilled on 64. This
#   speaks of JVMs whose declared threads are 250 or more, of Ruby's servers, and of Python's with 8 threads or more.
#   Images with musl (Alpine), a preloaded jemalloc or tcmalloc and GLIBC_TUNABLES are left out.
# related_resources:
# - ref: https://sourceware.org/glibc/manual/latest/html_node/Memory-Allocation-Tunables.html
#   description: glibc's tunable arena_max
# custom:
#   id: HR310
#   severity: info
#   harm: OOMKilled
#   facts: [M2, R24, R26]
#   fixable: false
#   remediation: |
#     Set MALLOC_ARENA_MAX to 2, and look at the working set before and after. Threads that allocate much native memory
#     at once may wait for each other then; 4 is between.
package headroom.rules.memory["malloc-arenas"]

import data.headroom.ceiling
import data.headroom.nodes
import data.headroom.runtimes

report contains finding if {
	some threaded in runtimes.threaded
	c := threaded.c
	finding := {
		"container": c.name,
		"path": array.concat(c.path, ["env"]),
		"message": sprintf("MALLOC_ARENA_MAX is not set: glibc gives %s up to %v memory pools (arenas) on %v.", [
			threaded.text,
			8 * _cores,
			_node,
		]),
		"why": sprintf("%s, and it may be OOMKilled at %v MiB.", [
			"What is freed stays in a pool: the process holds more than it uses",
			ceiling.mib(c.memory_limit),
		]),
		"expected": "MALLOC_ARENA_MAX: \"2\"",
		"figures": {"arenas": 8 * _cores, "limit_bytes": c.memory_limit},
	}
}

_cores := nodes.cores_or(16)

_node := sprintf("a node of %v cores", [_cores])
