package headroom.runtime.python

import data.headroom.workers
import data.headroom.workload

# allocators are gunicorns and uwsgis with many threads, as HR310 wants them: {c, text} (R24).
allocators := [{
	"c": workload.containers[id],
	"text": sprintf("%s threads of each worker (%s --threads %s)", [said, command.program, said]),
} |
	some id, commands in workers.started
	some command in commands
	command.program in {"gunicorn", "uwsgi"}
	values := workers.option_values(command, ["--threads"])
	said := values[count(values) - 1].text
	regex.match(`^[1-9][0-9]{0,4}$`, said)
	to_number(said) >= 8
]
