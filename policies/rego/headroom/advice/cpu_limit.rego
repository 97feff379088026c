package headroom.advice

import data.headroom.config
import data.headroom.cpu
import data.headroom.memory
import data.headroom.nodes
import data.headroom.quantity
import data.headroom.registry
import data.headroom.runtime.jvm
import data.headroom.runtimes

# no_cpu_limit says how a latency-sensitive container does without one, with what its fix sets beside.
no_cpu_limit(c, changes) := concat("", [_no_limit(c, changes), _but])

# Without a limit a JVM counts the node's cores (J3): twice the average, at least 2, is what
# its limit would have had to be.
_no_limit(c, changes) := sprintf("no CPU limit%s", [_request_kept(c)]) if {
	jvm.release_lacks(jvm.by_id[c.id]) # a limit does not change what it counts (HR401)
} else := sprintf("no CPU limit%s, and -XX:ActiveProcessorCount=%v on java's own command line: %s", [
	_request_kept(c),
	object.get(j.numbers, "ActiveProcessorCount", _processors(j, changes)),
	"what stands before it may drop variables",
]) if {
	j := jvm.by_id[c.id]
	j.command.java
	not jvm.surely_arrives(j)
	not j.flags.ActiveProcessorCount.source == "command line"
} else := sprintf("no CPU limit%s, and %s%s", [
	_request_kept(c),
	in_place(j, sprintf("-XX:ActiveProcessorCount=%v", [n])),
	_why_so_many(j, n),
]) if {
	j := jvm.by_id[c.id]
	not j.flags.ActiveProcessorCount
	n := _processors(j, changes)
} else := sprintf("no CPU limit%s, and %s: without it %s counts the node's cores", [
	_request_kept(c),
	sprintf(runtime.follows, [cpu.cores[c.id]]),
	runtime.words,
]) if {
	runtime := registry.about[runtimes.running[c.id].name]
	runtime.follows
	not _told(c)
} else := sprintf("no CPU limit%s; the CPU request protects it and its neighbours", [_request_kept(c)])

_told(c) if {
	some counter in runtimes.counters
	counter.c.id == c.id
	counter.count > 0
}

# A request that is only the limit's goes with it.
_request_kept(c) := sprintf(" and requests.cpu: %s", [quantity.format_cpu(c.cpu_request)]) if {
	c.cpu_request_source == "limit"
	c.cpu_request > 0
} else := ""

_processors(j, changes) := to_number(count_of) if {
	some change in changes
	some flag in change.flags
	startswith(flag, "-XX:ActiveProcessorCount=")
	count_of := split(flag, "=")[1]
	j.sure
} else := jvm.wanted_processors(j)

# Measured: 2 GiB, 150 MB of live data that turns over; P99 80 ms with Serial, 22 ms with G1 and one thread. So
# one processor is for those alone that have no room for more.
_why_so_many(j, 1) := sprintf(" (with two it would take %s: %v MiB expected of the %v, and %v %% have to stay free)", [
	two.gc,
	budget.total_mib,
	budget.limit_mib,
	round(config.settings.memory.headroom * 100),
]) if {
	two := jvm.changed(j, object.union(j.c, {"cpu_limit": 0}), ["-XX:ActiveProcessorCount=2"])
	budget := memory.budget(two)
	budget.total_mib > memory.allowed(budget.limit_mib)
} else := " (as many as it counts now)"

_why_so_many(j, n) := concat("", [": without it the JVM counts the node's cores", _memory_beside(j, n)]) if n != 1

# A collector for so many may need more memory than the one that it has.
_memory_beside(j, n) := sprintf("; with limits.memory of %vMi%s for its collector, %s", [
	mib,
	and_request(j.c),
	then.gc,
]) if {
	_fits(j)
	then := jvm.changed(j, object.union(j.c, {"cpu_limit": 0}), [sprintf("-XX:ActiveProcessorCount=%v", [n])])
	not _fits(then)
	mib := memory.sufficient_limit_mib(then)
	mib > 0
} else := ""

_fits(j) if {
	budget := memory.budget(j)
	budget.total_mib <= memory.allowed(budget.limit_mib)
}

default _but := ""

_but := " (HR209: the namespace sets one)" if cpu.fight.does

# namespace says how a namespace lets a container do without a CPU limit.
namespace := {
	"LimitRange": "a LimitRange without default, max and maxLimitRequestRatio for cpu; defaultRequest may stay",
	"ResourceQuota": "a ResourceQuota that counts requests.cpu rather than limits.cpu",
}

# allocated_limit is the limit that makes a Pod's limits come to what its tenant pays for.
allocated_limit(c, wanted) := sprintf("limits.cpu%s, so that the Pod's limits come to %s, the allocation", [
	concat("", {sprintf(": %s%s", [quantity.format_cpu(wanted), request_beside(c, wanted)]) | wanted > 0}),
	quantity.format_cpu(cpu.allocation.milli),
]) if {
	cpu.allocation.milli > 0
} else := "limits.cpu; headroom.dev/cpu-allocation would say how much the Pod may have"

# limit_over_request is one that the API server takes. A request that no node has room for is HR001's to set right.
limit_over_request(pair) := "a lower request" if {
	_beyond_nodes(pair.resource, pair.request)
} else := sprintf(_over_request[pair.source], [pair.resource, pair.request])

_beyond_nodes("cpu", request) if quantity.milli(request) > _most_of_a_node.cpu

_beyond_nodes("memory", request) if quantity.bytes(request) > _most_of_a_node.memory

_most_of_a_node := object.union(quantity.most, nodes.largest)

_over_request := {
	"container": "limits.%s of at least %s, or a lower request",
	"limit-range": "a LimitRange that gives it limits.%s of %s or more, or a lower request",
	"pod": "limits.%s of at least %s for the Pod, or a lower request",
}

# limit_of_zero is for those who meant no limit.
limit_of_zero(pair) := " A limit of 0 is not the same as none: for no limit, leave it out." if pair.limit == "0"

limit_of_zero(pair) := "" if pair.limit != "0"
