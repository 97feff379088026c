package headroom.workers

import data.headroom.process
import data.headroom.workload

# A script may work the number of workers out: -w $(nproc), --workers=$((2 * $(nproc) + 1)), WORKERS=$(nproc).

# per_core has what commands of a container work out from the cores they count: {command, said, path}. What counts
# them looks at the node's (R20, R21): the processors that may be used, not the quota.
per_core(c) := [{"command": command, "said": said, "path": path} |
	some command in commands(c)
	counts(command)
	option := programs[command.program].options[0]
	some [text, path] in _argv(c)
	some said in _said(text, command, option)
]

_said(text, command, option) := [concat(" ", [option, value])] if {
	values := option_values(command, programs[command.program].options)
	contains(values[count(values) - 1].text, process.unresolved)
	value := _computed(text, concat("|", programs[command.program].options))
} else := [concat("=", [name, value]) |
	count(option_values(command, programs[command.program].options)) == 0
	some name in programs[command.program].variables
	value := _assigned_value(text, name)
]

# The option's own value, or the variable that it names.
_computed(text, options) := _counting(groups[1]) if {
	pattern := sprintf(`(?s)(?:^|[\s"'])(?:%s)[\s=]*["']?(%s)`, [options, process.shell_replaces])
	groups := regex.find_all_string_submatch_n(pattern, text, 1)[0]
	_counting(groups[1])
} else := _assigned_value(text, name) if {
	pattern := sprintf(`(?s)(?:^|[\s"'])(?:%s)[\s=]*["']?\$\{?([A-Za-z_][A-Za-z0-9_]*)`, [options])
	name := regex.find_all_string_submatch_n(pattern, text, 1)[0][1]
}

_assigned_value(text, name) := _counting(groups[1]) if {
	pattern := sprintf(`(?s)\b%s=["']?(%s)`, [name, process.shell_replaces])
	groups := regex.find_all_string_submatch_n(pattern, text, 1)[0]
}

# What counts the processors of the machine; nproc --all and /proc/cpuinfo do not even look at the affinity.
_counting(text) := text if regex.match(`\bnproc\b|_NPROCESSORS_|/proc/cpuinfo|cpu_count|nprocessors`, text)

# counters are the pools of a runtime's programs whose command works their size out from the node's cores, as HR505
# wants them.
counters(runtime) := [{
	"c": c,
	"sure": true,
	"path": found.path,
	"text": sprintf("%s starts a worker for each core of the node (%s)", [found.command.program, found.said]),
	"count": 0,
	"expected": sprintf("%s %v, limits.cpu rounded up", [_option(found.command), ceil(c.cpu_limit / 1000)]),
	"each": concat("", [_option(found.command), " %s"]),
} |
	some id, commands in started
	c := workload.containers[id]
	c.role != "init"
	some found in per_core(c)
	found.command.runtime == runtime
]

_option(command) := programs[command.program].options[0]
