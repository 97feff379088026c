package headroom.explain

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.workers
import data.headroom.workload

# pool is a container's pool of workers: {workers, cores_each, source, path}; null where nothing
# says that there is one. Of several, processes go before threads.
pool(c) := object.union(found, {"workers": asked.workers, "source": "asked for"}) if {
	asked.workers > 0
	found := object.union({"cores_each": 1, "path": [], "noun": "worker"}, _told(c))
} else := _told(c) if {
	count(_told(c)) > 0
} else := null

_told(c) := [{
	"workers": p.workers,
	"cores_each": p.k,
	"source": concat("", [p.source, _if_assumed(p.assumed)]),
	"path": workload.located(p.path),
	"noun": bursts.pool_nouns[p.per],
} |
	some p in workers.pools
	p.c.id == c.id
][0] if {
	workers.pools[_].c.id == c.id
} else := {}

_if_assumed(true) := ", each on one core (assumed)"

_if_assumed(false) := ""

# pool_burst is what the pool makes of the quota when all of it is busy (T12); null without a
# CPU limit or a pool.
pool_burst(c) := {
	"threads": busy,
	"threads_source": p.source,
	"pause_ms": period_ms,
	"pause_source": "busy all the time",
	"used_ms": busy * period_ms,
	"own_ms": 0,
	"quota_ms": granted,
	"period_ms": period_ms,
	"throttle_ms": frozen.frozen_ms,
	"stall_ms": frozen.frozen_ms,
	"text": _pool_text(p, granted, frozen),
} if {
	p := pool(c)
	busy := p.workers * p.cores_each
	granted := quota(c).ms
	frozen := cpu.first_throttle(busy, granted, period_ms)
} else := null

_pool_text(p, granted, frozen) := sprintf("With %s busy, the %v ms of a period are used up in %v ms, %s %v ms.", [
	cpu.plural(p.workers, p.noun),
	granted,
	cpu.tenths(frozen.at_ms),
	"and then everything is throttled for",
	cpu.tenths(frozen.frozen_ms),
]) if {
	frozen.frozen_ms > 0
} else := sprintf("With %s busy, the %v ms of a period suffice.", [cpu.plural(p.workers, p.noun), granted])
