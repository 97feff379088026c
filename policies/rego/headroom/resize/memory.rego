package headroom.resize

import data.headroom.ceiling
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.runtimes
import data.headroom.workload

# of_memory is what is to be said of memory limits that change.
of_memory := array.concat(
	[_too_little(kept) | some kept in _kept; kept.bytes > kept.c.memory_limit],
	[_gets_nothing(c, was, jvm.by_id[c.id]) |
		some [c, was] in in_place("memory")
		was.memory_limit > 0
		c.memory_limit > was.memory_limit
		jvm.by_id[c.id].sure
	],
)

_lowered := [[c, was] |
	some [c, was] in in_place("memory")
	c.memory_limit > 0
	_less(c.memory_limit, was.memory_limit)
]

_less(_, 0)

_less(now, was) if now < was

# _kept is what a running process may take, by what it found as it started: {c, was, bytes, words, why, severity,
# outcome}.
_kept := array.concat(_kept_by_jvms, array.concat(_kept_by_others, _kept_by_go))

_kept_by_jvms := [{
	"c": c,
	"was": was,
	"bytes": ceil(budget.total_mib) * 1048576,
	"words": sprintf("the running JVM was started for %v MiB (heap %v)", [budget.total_mib, budget.terms[0].mib]),
	"why": _why[outcome],
	"severity": "error",
	"outcome": outcome,
} |
	some [c, was] in _lowered
	j := jvm.by_id[c.id]
	j.sure
	budget := memory.budget(jvm.changed(j, object.union(j.c, {"memory_limit": was.memory_limit}), []))
	budget.complete
	outcome := _outcome(budget.terms[0].mib, c)
]

# The heap alone fills the new limit, or all that the JVM may need together does.
_outcome(heap_mib, c) := "certain" if heap_mib * 1048576 >= c.memory_limit

_outcome(heap_mib, c) := "possible" if heap_mib * 1048576 < c.memory_limit

_why := {
	"certain": "The heap keeps its size, and the container is OOMKilled.",
	"possible": "The heap keeps its size, and the container can be OOMKilled.",
}

# What a runtime, a cache or a database is bound to (HR504): a share of the limit is one of the old limit.
_kept_by_others := [{
	"c": c,
	"was": was,
	"bytes": bytes + 1, # as much as the limit is too much already
	"words": sprintf("the running process keeps its bound: %s", [ceiling.equation(object.union(bound, {"bytes": bytes}))]),
	"why": sprintf("The container is OOMKilled before %s.", [bound.before]),
	"severity": _severity(bound, c.memory_limit),
} |
	some [c, was] in _lowered
	some bound in _bounds
	bound.c.name == c.name
	bytes := sum([term.bytes | some term in bound.terms])
]

_bounds := bounds if bounds := runtimes.ceilings with input as workload.as_it_was

_severity(bound, limit) := "error" if {
	bound.sure
	sum([term.bytes | some term in bound.terms; term.sure]) >= limit
} else := "warning"

_kept_by_go := [{
	"c": c,
	"was": was,
	"bytes": g.gomemlimit.bytes + 1,
	"words": sprintf("the running process keeps its GOMEMLIMIT of %s", [quantity.format_memory(g.gomemlimit.bytes)]),
	"why": "The collector works harder only near it, and the container may be OOMKilled before.",
	"severity": "warning",
} |
	some [c, was] in _lowered
	some g in _gos
	g.container == c.name
	g.gomemlimit.bytes > 0
]

_gos := gos if gos := go.gos with input as workload.as_it_was

_too_little(kept) := {
	"container": kept.c.name,
	"path": memory.limit_path(kept.c),
	"message": sprintf("limits.memory goes from %s to %s, and %s.", [
		_amount(kept.was.memory_limit),
		_amount(kept.c.memory_limit),
		kept.words,
	]),
	"why": kept.why,
	"expected": sprintf("limits.memory of %vMi or more, or the change in the workload, whose new Pods start under it", [
		ceil(kept.bytes / 1048576),
	]),
	"severity": kept.severity,
	"outcome": object.get(kept, "outcome", "certain"),
	"figures": _figures(kept.c, kept.was),
}

_gets_nothing(c, was, j) := {
	"container": c.name,
	"path": memory.limit_path(c),
	"message": sprintf("limits.memory goes from %s to %s, and the running JVM keeps its heap%s.", [
		_amount(was.memory_limit),
		_amount(c.memory_limit),
		_fixed(j),
	]),
	"expected": sprintf("a restart%s, where the heap is to grow", [_with_other_flags(j)]),
	"severity": "warning",
	"harm": "cost",
	"figures": _figures(c, was),
}

_fixed(j) := sprintf(" (%s)", [jvm.origin(j, "MaxHeapSize")]) if j.flags.MaxHeapSize

_fixed(j) := "" if not j.flags.MaxHeapSize

_with_other_flags(j) := " with another -Xmx" if j.flags.MaxHeapSize

_with_other_flags(j) := "" if not j.flags.MaxHeapSize

_figures(c, was) := {"before_bytes": was.memory_limit, "limit_bytes": c.memory_limit}

_amount(0) := "none"

_amount(bytes) := quantity.format_memory(bytes) if bytes > 0
