# METADATA
# title: More workers than cores
# description: |
#   A pool of w workers of which each needs k cores while it works needs k times w cores
#   (T12). 8 workers on 6.4 cores were throttled and answered in 200 ms, on 8 cores in half
#   of that; 8 busy threads on one core use its quota of 100 ms up in 12.5 ms and are frozen
#   for the other 87.5. Processes are counted (unicorn, puma, gunicorn, uvicorn, hypercorn,
#   uwsgi, celery's prefork pool) and a UV_THREADPOOL_SIZE that is set; threads of one Ruby
#   or Python process are not, since they take turns.
# related_resources:
# - ref: https://docs.gunicorn.org/en/stable/settings.html#workers
#   description: gunicorn's workers, GUNICORN_CMD_ARGS and WEB_CONCURRENCY
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR502
#   severity: warning
#   facts: [T12]
#   kyverno: true
#   remediation: |
#     Run as many workers as there are cores and more replicas, or raise the CPU limit to
#     workers × cores per worker. Workers that mostly wait need less than one core each: say
#     so with cores-per-worker.headroom.dev/<container>.
package headroom.rules.runtimes["workers-exceed-cores"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.workers

report contains finding if {
	some pool in workers.pools
	c := pool.c

	# Whole millicores: in floating point 25 * 0.6 is a little more than 15.
	needed := round((pool.workers * pool.k) * 1000)
	needed > cpu.cores[c.id] * 1000

	# Without a limit the average stands for the cores; without both nobody knows them. There is no
	# advice on a limit that cannot be read, and so no finding.
	cpu.cores_known(c)
	finding := {
		"container": pool.container,
		"path": pool.path,
		"message": sprintf("%v %s (%s), each %s, need %v cores; %s", [
			pool.workers,
			_noun[pool.per],
			pool.source,
			_each(pool),
			needed / 1000,
			_room(pool, c),
		]),
		"expected": advice.workers(pool, needed),
		"figures": {
			"workers": pool.workers,
			"cores_per_worker": pool.k,
			"cores": cpu.cores[c.id],
			"limit_millicores": c.cpu_limit,
		},
	}
}

_noun := {"process": "workers", "thread": "threads"}

_each(pool) := "assumed to keep 1 core busy" if pool.assumed

_each(pool) := sprintf("declared to need %v", [pool.k]) if not pool.assumed

_room(pool, c) := sprintf("%s. All busy, they use the %v ms of each 100 ms up in %v ms and are frozen for the rest.", [
	cpu.limit_words(c),
	quota,
	round((10 * quota) / (pool.workers * pool.k)) / 10,
]) if {
	c.cpu_limit > 0
	quota := cpu.quota_ms(c.cpu_limit, 100)
} else := sprintf("there is no CPU limit, and twice the average (%s%s), at least 2, makes %v.", [
	quantity.format_cpu(cpu.average[c.id].milli),
	cpu.measurement(c),
	cpu.cores[c.id],
])
