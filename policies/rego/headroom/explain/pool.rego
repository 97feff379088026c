package headroom.explain

import data.headroom.cpu
import data.headroom.runtime.workers
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
	"path": array.concat(workload.path_prefix, p.path),
	"noun": cpu.pool_nouns[p.per],
} |
	some p in workers.pools
	p.c.id == c.id
][0] if {
	workers.pools[_].c.id == c.id
} else := {}

_if_assumed(true) := ", each on one core (assumed)"

_if_assumed(false) := ""
