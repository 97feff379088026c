package headroom.runtimes

import data.headroom.environment
import data.headroom.images
import data.headroom.registry
import data.headroom.workers

# ceilings are the sizes that runtimes may grow to in memory, as HR504 wants them.
ceilings := [] if {
	_quiet
} else := [ceiling | some name in registry.names; some ceiling in data.headroom.runtime[name].ceilings]

# refused are bounds that a runtime does not take, as HR504 wants them.
refused := [] if {
	_quiet
} else := [bound | some name in registry.names; some bound in data.headroom.runtime[name].refused]

# unread are variables with flags that a runtime does not read, as HR411 wants them.
unread := [] if {
	_quiet
} else := [variable | some name in registry.names; some variable in data.headroom.runtime[name].unread]

# counters are what runtimes size by the cores that they count, as HR505 wants them.
counters := [counter | some name in _sizing; some counter in data.headroom.runtime[name].counters]

_sizing := {name | some name, declared in registry.about; declared.sizes} if {
	_quiet
} else := registry.names

# Most Pods set no variable, run no program and have no image that any of them asks about.
_quiet if {
	environment.silent
	workers.with_program == set()
	registry.imaged == {}
	registry.declared == {}
	images.native_images == {}
	not _planned
}

_planned if images.found[_].record.plans

# reached are the ceilings that come to the memory limit, with the bytes of all their terms and of the sure ones.
reached := [object.union(ceiling, {"bytes": all, "certain": certain}) |
	some ceiling in ceilings
	limit := ceiling.c.memory_limit
	limit > 0
	all := sum([term.bytes | some term in ceiling.terms])
	all >= limit
	certain := _certain(ceiling, limit)
]

default _certain(_, _) := false

_certain(ceiling, limit) if {
	ceiling.sure
	sum([term.bytes | some term in ceiling.terms; term.sure]) >= limit
}

# near are the ceilings that surely stay below the memory limit, and leave less than a tenth of it for all that they do
# not count.
near := [object.union(ceiling, {"bytes": all, "left": limit - all}) |
	some ceiling in ceilings
	ceiling.sure
	limit := ceiling.c.memory_limit
	all := sum([term.bytes | some term in ceiling.terms])
	all < limit
	sum([term.bytes | some term in ceiling.terms; term.sure]) > limit * _near
]

_near := 0.9

# stopped are programs that refuse the sizes that they are given, as HR508 wants them.
stopped := [stop | some name in registry.names; some stop in data.headroom.runtime[name].stopped]
