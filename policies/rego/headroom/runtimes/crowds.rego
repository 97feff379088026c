package headroom.runtimes

import data.headroom.ceiling
import data.headroom.config
import data.headroom.cpu
import data.headroom.nodes
import data.headroom.workers

# crowds are the processes that a container starts for each core of its node where no CPU limit tells of them. What they
# take together is held against the memory limit. Each is {counter, severity, why, expected}. What one takes is the
# application's (R21), so that there is a number only where an annotation says it.
crowds := [object.union({"counter": counter}, _crowd(counter)) |
	some counter in counters
	counter.each
	counter.count == 0
	counter.c.memory_limit > 0
	not cpu.throttles(counter.c)
	not _fits(counter.c)
]

# The largest node starts no more than fit.
_fits(c) if {
	config.settings.nodes.cores > 0
	_cores <= _most(c)
}

# _most is how many fit that take what an annotation says.
_most(c) := floor((c.memory_limit * workers.share) / workers.declared_bytes(c.name))

_crowd(counter) := {
	"severity": {true: "warning", false: "info"}[counter.sure],
	"why": sprintf("On a node of more than %v cores they need more, at %v MiB each (declared), and are OOMKilled.", [
		_most(counter.c),
		ceiling.mib(workers.declared_bytes(counter.c.name)),
	]),
	"expected": sprintf("%s, or fewer", [sprintf(counter.each, [sprintf("%v", [max([1, _most(counter.c)])])])]),
} if {
	workers.declared_bytes(counter.c.name) > 0
} else := {
	"severity": "info",
	"why": sprintf("On a node of %v cores each has %v MiB of it. If that is too little, they are OOMKilled.", [
		_cores,
		ceiling.mib(counter.c.memory_limit / _cores),
	]),
	"expected": concat(" ", [
		sprintf("%s, with N × what one of them holds below 90 %% of limits.memory;", [sprintf(counter.each, ["N"])]),
		sprintf("worker= in the annotation runtime.headroom.dev/%s says what one holds, as measured", [counter.c.name]),
	]),
}

_cores := nodes.cores_or(64)

# shared are pools of processes whose number is told, and of which each has less of the limit than a server needs (R21):
# {pool, each}. Where the annotation of the runtime says what one takes, HR504 reckons with that.
shared := [{"pool": pool, "each": each} |
	some pool in workers.pools
	pool.per == "process"
	reads(pool.runtime, "worker=1Mi")
	pool.workers > 1
	pool.c.memory_limit > 0
	not workers.declared_bytes(pool.c.name)
	each := pool.c.memory_limit / pool.workers
	each < _server
]

_server := 67108864
