package headroom.runtime.python

import data.headroom.cpu
import data.headroom.environment
import data.headroom.process
import data.headroom.serving
import data.headroom.workers
import data.headroom.workload

# Workers by the core, in a gunicorn's file or by the start script of an image: Python counts the node's (R21).
_by_core := array.concat(_in_files, _in_images)

_in_files := [{
	"c": c,
	"sure": true,
	"path": file.at,
	"text": sprintf("gunicorn starts workers by the core of the node (cpu_count in %s)", [file.path]),
	"count": 0,
	"expected": sprintf("workers = %v (limits.cpu rounded up)", [cpu.cores[id]]),
	"each": "workers = %s",
} |
	some id, commands in workers.started
	c := workload.containers[id]
	c.role != "init"
	some command in commands
	command.program == "gunicorn"
	count(workers.command_claims(command)) == 0
	not environment.setting(c, "GUNICORN_CMD_ARGS").state in {"literal", "unknown", "resource"}
	file := workers.file_of(c, command)
	some line in regex.find_n(`(?m)^workers\s*=[^#\n]*`, file.text, -1)
	_counts(line, file.text)
	every groups in regex.find_all_string_submatch_n(`\b(?:getenv\(|environ\.get\(|environ\[)\s*["'](\w+)["']`, line, -1) {
		process.variable(c, groups[1]).state == "absent"
	}
]

# The line itself, or a variable of the file that it names.
_counts(line, _) if regex.match(`\bcpu_count\(`, line)

_counts(line, text) if {
	some groups in regex.find_all_string_submatch_n(`(?m)^([A-Za-z_]\w*)\s*=[^#\n]*\bcpu_count\(`, text, -1)
	regex.match(concat("", [`\b`, groups[1], `\b`]), trim_prefix(line, "workers"))
}

_in_images := [{
	"c": c,
	"sure": true,
	"path": array.concat(c.path, ["image"]),
	"text": "the image starts a gunicorn worker for each core of the node (no WEB_CONCURRENCY)",
	"count": 0,
	"expected": sprintf("WEB_CONCURRENCY: \"%v\" (limits.cpu rounded up)", [cpu.cores[c.id]]),
	"each": "WEB_CONCURRENCY: \"%s\"",
	"set": {"name": "WEB_CONCURRENCY", "value": sprintf("%v", [cpu.cores[c.id]])},
} |
	some server in serving.servers("python")
	server.words == []
	c := server.c
	c.role != "init"
	environment.hidden(c) == []
	every name in ["WEB_CONCURRENCY", "MAX_WORKERS", "GUNICORN_CONF"] {
		environment.setting(c, name).state == "absent"
	}
]
