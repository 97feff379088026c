package headroom.runtime.ruby

import data.headroom.cpu
import data.headroom.environment
import data.headroom.process
import data.headroom.workers
import data.headroom.workload

# counters are puma's workers where the node's cores decide on them: WEB_CONCURRENCY=auto, a file that counts
# processors, or that of a Rails application, which may (R28).
counters := array.concat(workers.counters("ruby"), [object.union(found, {
	"c": c,
	"count": 0,
	"expected": sprintf("WEB_CONCURRENCY: \"%v\" (limits.cpu rounded up)", [cpu.cores[id]]),
	"each": "WEB_CONCURRENCY: \"%s\"",
}) |
	some id, commands in workers.started
	c := workload.containers[id]
	c.role != "init"
	some command in commands
	_is_puma(command)
	not workers.told(c, command)
	count(workers.command_claims(command)) == 0
	found := _by_core(c, command)
])

_is_puma(command) if command.program == "puma"

# rails server starts puma, Rails' own server since 5.0.
_is_puma(command) if {
	command.program == "rails"
	command.words[0][0] in {"s", "server"}
}

# auto takes what concurrent-ruby says is available: the quota, where there is one.
_by_core(c, command) := {
	"sure": true,
	"path": setting.path,
	"text": "puma starts a worker for each core of the node (WEB_CONCURRENCY=auto, no CPU limit)",
} if {
	setting := environment.setting(c, "WEB_CONCURRENCY")
	setting.text == "auto"
	c.cpu_limit == 0
} else := {
	"sure": true,
	"path": file.at,
	"text": sprintf("puma starts a worker for each core of the node (%s counts its processors)", [file.path]),
} if {
	_unsaid(c)
	file := _file(c, command)
	regex.match(_counting, process.mounted(c, file.path).text)
} else := {
	"sure": false,
	"path": file.at,
	"text": concat(" ", [
		sprintf("puma's workers are those of %s, which is not seen: in Rails 7.1, and in many", [file.path]),
		"applications, one for each core of the node (no WEB_CONCURRENCY)",
	]),
} if {
	_unsaid(c)
	environment.hidden(c) == []
	file := _file(c, command)
	not process.mounted(c, file.path)
	_serves(c)
}

# Neither variable says a number.
_unsaid(c) if {
	every name in ["WEB_CONCURRENCY", "PUMA_WORKERS"] {
		environment.setting(c, name).state == "absent"
	}
}

# Rails' file starts workers in production alone.
_serves(c) if {
	some name in ["RAILS_ENV", "RACK_ENV"]
	environment.setting(c, name).text == "production"
}

_counting := `(?m)^[^#\n]*\b(?:physical_processor_count|processor_count|nprocessors)\b`

# _file is what -C names, else the one that puma reads by itself.
_file(c, command) := {"path": value.text, "at": value.path} if {
	values := workers.option_values(command, ["--config", "-C"])
	value := values[count(values) - 1]
} else := {"path": "config/puma.rb", "at": array.concat(c.path, ["command"])}
