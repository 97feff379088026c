package headroom.runtime.python

import data.headroom.cpu
import data.headroom.workers
import data.headroom.workload

counters := array.concat(_of_celery, _by_core)

# _of_celery are celery's workers where nothing says how many: one for each core of the node (R20).
_of_celery := [{
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
	not _of_airflow(c)
	count(workers.option_values(command, ["--concurrency", "-c", "--autoscale"])) == 0
]

# Airflow tells its celery how many, 16 unless it is told another number.
_of_airflow(c) if {
	is_string(c.raw.image)
	contains(c.raw.image, "airflow")
}

_of_airflow(c) if {
	some field in ["command", "args"]
	some text in c.raw[field]
	is_string(text)
	regex.match(`\bairflow\b`, text)
}
