package headroom.runtime.python

import data.headroom.cpu
import data.headroom.workers
import data.headroom.workload

counters := array.concat(_of_celery, array.concat(_by_core, workers.counters("python")))

# _of_celery are celery's workers where nothing says how many: one for each core of the node (R20).
_of_celery := [{
	"c": c,
	"sure": true,
	"path": array.concat(c.path, ["command"]),
	"text": "celery starts a worker for each core of the node (no --concurrency)",
	"count": 0,
	"expected": sprintf("--concurrency=%v (limits.cpu rounded up)", [cpu.cores[id]]),
	"each": "--concurrency=%s",
} |
	some id, commands in workers.started
	c := workload.containers[id]
	c.role != "init"
	some command in commands
	command.program == "celery"
	workers.counts(command)
	not workers.told(c, command)
	count(workers.option_values(command, ["--concurrency", "-c", "--autoscale"])) == 0
]
