package headroom.advice

import data.headroom.quantity

# for_burst is what fits a burst (see cpu.gc_bursts and cpu.pool_bursts) and its quota together:
# fewer threads or workers, as far as one of them fits, or a higher limit.
for_burst(burst) := sprintf("%sa limit of at least %s", [_fewer(burst), quantity.format_cpu(ceil(burst.used_ms * 10))])

_fewer(burst) := _at_most("GC threads", floor(burst.quota_ms / burst.pause_ms)) if burst.gc_threads

_fewer(burst) := _at_most("workers", floor(burst.quota_ms / (burst.cores_per_worker * 100))) if burst.workers

_at_most(_, 0) := ""

_at_most(what, most) := sprintf("%s: at most %v, or ", [what, most]) if most > 0
