package headroom.advice

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm

# workers is what fits a pool that needs so many millicores and its cores together.
workers(pool, needed) := concat(", or ", array.concat(
	_fewer_workers(pool, cpu.cores[pool.c.id]),
	_more_cpu(pool, pool.c, needed),
))

_fewer_workers(pool, cores) := [text |
	cores >= pool.k
	text := sprintf("at most %s", [jvm.plural(floor(cores / pool.k), _worker[pool.per])])
]

_worker := {"process": "worker", "thread": "thread"}

# The limit decides; without one the request does, where nobody has measured the average. What is
# measured cannot be asked for, but a worker may need less of a core than is assumed.
_more_cpu(_, c, needed) := [sprintf("limits.cpu: %s", [quantity.format_cpu(needed)])] if c.cpu_limit > 0

_more_cpu(pool, c, needed) := array.concat(
	[sprintf("requests.cpu: %s", [quantity.format_cpu(ceil(needed / 2))]) | cpu.average[c.id].assumed],
	[sprintf("the annotation cores-per-worker.headroom.dev/%s, with %s or less if that is what one needs", [
		pool.container,
		quantity.format_cpu(floor((cpu.cores[c.id] * 1000) / pool.workers)),
	])],
) if {
	c.cpu_limit == 0
}
