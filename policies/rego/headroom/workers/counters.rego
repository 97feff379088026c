package headroom.workers

import data.headroom.cpu
import data.headroom.workload

# counters are the pools of a runtime's programs whose command works their size out from the node's cores, as HR505
# wants them.
counters(runtime) := [{
	"c": c,
	"sure": true,
	"path": found.path,
	"text": sprintf("%s starts a worker for each core of the node (%s)", [found.command.program, found.said]),
	"count": 0,
	"expected": sprintf("%s %v, limits.cpu rounded up", [_option(found.command), cpu.cores[id]]),
	"each": concat("", [_option(found.command), " %s"]),
} |
	some id, commands in started
	c := workload.containers[id]
	c.role != "init"
	some found in per_core(c)
	found.command.runtime == runtime
]

_option(command) := programs[command.program].options[0]
