# METADATA
# title: More workers than cores
# description: |
#   A pool of w workers, each of which needs k cores while it works, needs k times w cores (T12). 8
#   workers on 6.4 cores were throttled and answered in 200 ms, on 8 cores in half of that; 8 busy
#   threads on one core use up its quota of 100 ms in 12.5 ms and are frozen for the other 87.5.
#   Processes are counted (unicorn, puma, gunicorn, uvicorn, hypercorn, granian, fastapi run, uwsgi,
#   celery's prefork pool), also those that a file of gunicorn or uwsgi or a script from a ConfigMap of
#   the same input starts, and a UV_THREADPOOL_SIZE above libuv's own 4. Threads of one Ruby or Python
#   process take turns and are not counted. Workers that mostly wait share a core: where the need of one
#   is not known, up to four times the cores, as the servers' manuals advise, are an info. So are
#   workers without a CPU limit, which nothing throttles.
# related_resources:
# - ref: https://docs.gunicorn.org/en/stable/settings.html#workers
#   description: gunicorn's workers, GUNICORN_CMD_ARGS and WEB_CONCURRENCY
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR502
#   severity: warning
#   harm: throttled
#   size: "% of the cores"
#   facts: [T12]
#   kyverno: true
#   remediation: |
#     Say what one worker needs with cores-per-worker.headroom.dev/<container>: those that mostly
#     wait need less than one core each. Where it is a whole one, run as many workers as there are
#     whole cores and more replicas, or raise the CPU limit to workers × cores per worker.
package headroom.rules.runtimes["workers-exceed-cores"]

import data.headroom.advice
import data.headroom.bursts
import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workers

report contains finding if {
	some pool in workers.pools
	c := cpu.without_limit(pool.c)
	severity := bursts.crowded(pool, c)
	finding := {
		"container": pool.container,
		"path": pool.path,
		"message": sprintf("%v %s (%s), %s, need %v cores; %s", [
			pool.workers,
			_noun[pool.per],
			pool.source,
			_each(pool),
			workers.needed(pool) / 1000,
			_room(pool, c),
		]),
		"expected": advice.workers(pool, c),
		"figures": {
			"workers": pool.workers,
			"cores_per_worker": pool.k,
			"cores": cpu.whole_cores(c),
			"limit_millicores": pool.c.cpu_limit,
		},
		"size": quantity.percent(workers.needed(pool), advice.usable(c)),
		"severity": severity,
		"harm": jvm.threads_harm(c),
	}
}

_noun := {"process": "workers", "thread": "threads"}

_each(pool) := "1 core each (assumed)" if pool.assumed

_each(pool) := sprintf("%v each (declared)", [pool.k]) if not pool.assumed

_room(pool, c) := sprintf(
	"%s: all busy, they use up %v ms of CPU time in %v ms and are throttled for the rest of each 100 ms.%s",
	[
		cpu.limit_words(c),
		quota,
		cpu.tenths(quota / (pool.workers * pool.k)),
		{true: " Less if they wait for I/O.", false: ""}[pool.assumed],
	],
) if {
	c.cpu_limit > 0
	quota := cpu.quota_ms(c.cpu_limit, 100)
} else := sprintf("%s nothing is throttled: beyond %s (twice the average, %s%s, at least %v) only idle CPU is left.", [
	{true: "without the CPU limit (HR202)", false: "there is no CPU limit, and"}[cpu.loses_limit(pool.c)],
	cpu.plural(cpu.cores_of(c), "core"),
	quantity.format_cpu(cpu.average[c.id].milli),
	cpu.measurement(c),
	cpu.least_cores(c),
])
