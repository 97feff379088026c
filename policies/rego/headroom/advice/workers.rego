package headroom.advice

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workers

# workers is what fits a pool and its container together. What one worker needs comes first where it is
# only assumed: if it is less, only the annotation has to be added.
workers(pool, c) := concat(", or ", ways) if {
	ways := array.concat(array.concat(_declared_need(pool, c), _more_cpu(pool, c)), _fewer_workers(pool, c))
	count(ways) > 0
} else := "another limit than its class asks for: a single worker needs more"

_declared_need(pool, c) := [sprintf("the annotation cores-per-worker.headroom.dev/%s, where one needs %s or less", [
	pool.container,
	quantity.format_cpu(need),
]) |
	pool.assumed
	need := floor(_usable(c) / pool.workers)
	need > 0
]

_usable(c) := c.cpu_limit if c.cpu_limit > 0

_usable(c) := cpu.cores_of(c) * 1000 if c.cpu_limit <= 0

# One worker for each core that there is. A single one of several is said only where it is known that each
# keeps a core busy: those that wait for I/O would leave the core idle.
_fewer_workers(pool, c) := [sprintf("at most %s%s", [
	jvm.plural(most, _worker[pool.per]),
	{true: " if each keeps a core busy", false: ""}[pool.assumed],
]) |
	most := workers.fitting(pool, _usable(c))
	most >= _fewest[pool.assumed]
	most < pool.workers
]

_fewest := {true: 2, false: 1}

_worker := {"process": "worker", "thread": "thread"}

# Without a limit a measured average decides, which is not the user's to set.
_more_cpu(pool, c) := higher_limit(c, workers.needed(pool)) if c.cpu_limit > 0

_more_cpu(_, c) := [] if c.cpu_limit == 0
