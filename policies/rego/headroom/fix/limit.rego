package headroom.fix

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.process
import data.headroom.registry
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.workers
import data.headroom.workload

# with_limit is the fix that makes a container's CPU limit that many millicores, 0 for none, and its
# request, where one is given. It includes what keeps the container from being worse off; [] if
# nothing would.
with_limit(c, limit, request) := changes if {
	after := object.union(c, {
		"cpu_limit": limit,
		"lost_limit": max([0, c.cpu_limit]),
		"cpu_limit_source": "container",
		"cpu_request": _request(c, request),
	})
	_holds(after)
	_request_stays(c, request)
	_bill_stays(c, limit)
	_class_allowed
	_lets_go(c, after)

	# A pool of workers may not come to exceed the cores (HR502), nor to be told so more severely.
	every pool in [pool | some pool in workers.pools; pool.c.id == c.id] {
		_crowded(pool, after) <= _crowded(pool, cpu.without_limit(c))
	}
	_counts_seen(c, after)
	changes := array.concat(
		array.concat(_limit_change(c, limit), _request_change(c, request)),
		array.concat(_jvm_flags(c, after), _go_variable(c, after)),
	)
} else := []

_limit_change(c, 0) := [remove_cpu_limit(c)]

_limit_change(c, limit) := [set_cpu_limit(c, limit)] if limit > 0

_request(c, 0) := c.cpu_request

_request(_, request) := request if request > 0

# A request that the container does not say itself stays what it was: the new limit would
# become its default.
_request_change(c, request) := [set_cpu_request(c, request)] if {
	request > 0
	request != c.cpu_request
} else := [set_cpu_request(c, c.cpu_request)] if {
	c.cpu_request_source != "container"
	c.cpu_request > 0
} else := []

_request_stays(_, request) if request > 0

# The Pod's own request is no single container's.
_request_stays(c, 0) if c.cpu_request_source != "pod"

# What a tenant pays for is the sum of the limits, which other containers may not change.
_bill_stays(_, _) if not cpu.held

_bill_stays(_, _) if cpu.allocation.milli == 0

_bill_stays(c, _) if cpu.is_tenant(c)

# If the limits are not paid for, the Namespace's allocation is the most that there may be.
_bill_stays(c, limit) if {
	not cpu.tenants
	others := sum([cpu.addable(other.cpu_limit) | some other in cpu.running; other.id != c.id])
	limit + others <= cpu.allocation.milli
}

# A tenant may not shed its limit by a class that its namespace does not allow (HR104).
_class_allowed if count(data.headroom.rules.classification["class-not-allowed"].report) == 0

# Kubernetes refuses a limit below its request.
_holds(after) if after.cpu_limit >= after.cpu_request

_holds(after) if after.cpu_limit == 0

# Without its limit a container counts the cores of the node. Whether that makes it take more
# memory, or refuse to start, depends on what runs in it: it has to be known.
_lets_go(_, after) if after.cpu_limit > 0

_lets_go(c, _) if {
	cpu.fight == null
	workload.pod_level.cpu.limit == 0
	_runtime_known(c)
	not jvm.takes_away(c)
	not _mentions_limit
}

_runtime_known(c) if registry.declared[c.name][0] in registry.steady

_runtime_known(c) if _is_jvm(c)

_runtime_known(c) if go.gos[_].c.id == c.id

_runtime_known(c) if workers.pools[_].c.id == c.id

# What is filled in with limits.cpu would be filled in with the node's cores.
_mentions_limit if workload.containers[_].raw.env[_].valueFrom.resourceFieldRef.resource == "limits.cpu"

_mentions_limit if {
	some volume in workload.pod_spec.volumes
	contains(json.marshal(volume), `"resource":"limits.cpu"`)
}

_crowded(pool, c) := {"info": 1, "warning": 2}[bursts.crowded(pool, c)]

default _crowded(_, _) := 0

# A source that was not read may set the number of threads. A new or lower limit could throttle those.
_counts_seen(_, after) if after.cpu_limit == 0

_counts_seen(c, after) if {
	c.cpu_limit > 0
	after.cpu_limit >= c.cpu_limit
}

_counts_seen(c, _) if not _count_may_come(c)

_count_may_come(c) if {
	some source in process.bulk(c)
	source.why
	strings.any_prefix_match(_thread_variables, source.prefix)
}

_thread_variables := (go.variables | workers.variables) | object.keys(jvm.ranks)

# The flags that a JVM needs beside its new limit: none, or its processor count. Undefined
# for a guess, for one whose flags are hidden, and where it would be worse off either way.
_jvm_flags(c, after) := [] if {
	not _is_jvm(c)
} else := [change | some change in [flags(j, added)]; count(added) > 0] if {
	j := jvm.by_id[c.id]
	j.sure
	not j.secret
	not jvm.words_filled_in(j)
	before := complaints(j)
	added := [added |
		some added in _processor_counts(j, after)
		not worse(before, complaints(jvm.changed(j, after, added)))
	][0]
}

_is_jvm(c) if jvm.jvms[_].c.id == c.id

# Twice the average first (J3) or, where that is not known, as many as the limit had; else as many as it counts now. One
# processor is the Serial collector's, and too few for a large heap.
_processor_counts(j, after) := [[] | _starts_under(j, after); not serial_then(j, after.cpu_limit)] if {
	after.cpu_limit > 0
} else := [[]] if {
	jvm.counts_for_sure(j)
} else := [[flag] |
	not j.flags.ActiveProcessorCount
	surely_gets(j)
	some n in [cpu.cores_of(after), j.processors]
	n > 0
	not _too_few(j, n)
	flag := sprintf("-XX:ActiveProcessorCount=%v", [n])
	jvm.may_inject(j, [flag])
]

_too_few(j, n) if {
	n < 2
	j.heap.bytes > jvm.server_memory
}

# serial_then: a limit of one CPU makes a JVM choose Serial, which is nothing for a heap that is large, or may be so out
# of sight.
serial_then(j, limit) if {
	limit > 0
	limit <= 1000
	j.processors != 1
	not _counts_or_chose(j)
	_may_be_large(j)
}

_counts_or_chose(j) if jvm.counts_for_sure(j)

_counts_or_chose(j) if {
	count(j.chosen) > 0
	count(jvm.stronger(j, "")) == 0
}

_may_be_large(j) if j.heap.bytes > jvm.server_memory

_may_be_large(j) if {
	count(jvm.stronger(j, "")) > 0
	not _little_memory(j.c)
}

_little_memory(c) if {
	c.memory_limit > 0
	c.memory_limit <= jvm.server_memory
}

# Fewer processors go with all that an image which was not read may set, or a count of the manifest's own decides.
_starts_under(j, after) if {
	j.c.cpu_limit > 0
	after.cpu_limit >= j.c.cpu_limit
}

_starts_under(j, _) if jvm.counts_for_sure(j)

_starts_under(j, after) if jvm.fits_hidden(j, [sprintf("-XX:ActiveProcessorCount=%v", [cpu.cores_of(after)])])

# surely_gets says that a JVM gets the flags that are written for it.
surely_gets(j) if jvm.behind_java(j)

surely_gets(j) if jvm.surely_arrives(j)

# GOMAXPROCS, where Go would take too many threads under the new limit. Undefined where that
# is so and it cannot be set.
_go_variable(c, after) := [env(c, "GOMAXPROCS", json.marshal(go.procs_wanted(after)))] if {
	some g in go.gos
	g.c.id == c.id
	go.procs_problem(object.union(g, {"c": after}))
	go.may_set_procs(g)
} else := [] if {
	every g in [g | some g in go.gos; g.c.id == c.id; not _throttled(g)] {
		not _has_problem(g, after)
	}
}

# Without a limit a thread on every core is no fault yet. It becomes one with the limit.
_throttled(g) if {
	go.procs_throttle(g)
	go.procs_problem(g)
}

_has_problem(g, c) if go.procs_problem(object.union(g, {"c": c}))
