package headroom.runtime.python

import data.headroom.cpu
import data.headroom.runtime.workers
import data.headroom.workload

# counters are celery's workers where nothing says how many: one for each core of the node (R20).
counters := [{
	"c": c,
	"sure": true,
	"path": array.concat(c.path, ["command"]),
	"text": "celery starts a worker for each core of the node (no --concurrency)",
	"count": 0,
	"expected": sprintf("--concurrency=%v, limits.cpu rounded up", [cpu.cores[id]]),
} |
	some id, commands in workers.started
	c := workload.containers[id]
	c.role != "init"
	some command in commands
	command.program == "celery"
	workers.counts(command)
	count(workers.option_values(command, ["--concurrency", "-c", "--autoscale"])) == 0
]
