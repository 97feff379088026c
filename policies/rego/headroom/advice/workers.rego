package headroom.advice

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workers

# workers is what fits a pool and its container together. Where it is only assumed what one worker needs, that is to be
# measured first: it is often little, and then only the annotation has to be added. No limit is made of a guess.
workers(pool, c) := concat(", or ", ways) if {
	ways := array.concat(array.concat(_declared_need(pool, c), _more_cpu(pool, c)), _fewer_workers(pool, c))
	count(ways) > 0
} else := "another limit than its class asks for: a single worker needs more"

_declared_need(pool, c) := [sprintf("%s/%s with the measured need of one%s", [
	"the annotation cores-per-worker.headroom.dev",
	pool.container,
	_need_that_fits(floor(usable(c) / pool.workers)),
])] if {
	pool.assumed
} else := []

_need_that_fits(milli) := sprintf(": %s or less fits", [quantity.format_cpu(milli)]) if milli > 0

_need_that_fits(milli) := ", and limits.cpu for all of them" if milli == 0

# usable is what workers share, in millicores: the limit or, without one, the cores that stand in for it.
usable(c) := c.cpu_limit if c.cpu_limit > 0

usable(c) := cpu.cores_of(c) * 1000 if c.cpu_limit <= 0

# One worker for each core that there is. A single one of several is said only where it is known that each
# keeps a core busy: those that wait for I/O would leave the core idle.
_fewer_workers(pool, c) := [sprintf("at most %s%s", [
	jvm.plural(most, _worker[pool.per]),
	{true: " if each keeps a core busy", false: ""}[pool.assumed],
]) |
	most := workers.fitting(pool, usable(c))
	most >= _fewest[pool.assumed]
	most < pool.workers
]

_fewest := {true: 2, false: 1}

_worker := {"process": "worker", "thread": "thread"}

# Without a limit a measured average decides, which is not the user's to set.
_more_cpu(pool, c) := higher_limit(c, workers.needed(pool)) if {
	c.cpu_limit > 0
	not pool.assumed
} else := []
