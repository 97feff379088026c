package headroom.runtime.beam

import data.headroom.cpu
import data.headroom.environment
import data.headroom.workload

# spins are the containers whose schedulers wait busily, which their CPU limit counts: {c, path, hidden}. Up to a limit
# of one CPU what they spin away is a large part of it (R42).
spins := [{"c": c, "path": array.concat(c.path, ["env"]), "hidden": environment.hidden(c)} |
	some id, shown in found
	shown.sure
	c := workload.containers[id]
	c.role != "init"
	c.cpu_limit > 0
	c.cpu_limit <= _most_milli
	not cpu.loses_limit(c)
	not _has_flags_of_its_own(c)
	not _says_how_long(c)
]

_most_milli := 1000

# RabbitMQ's script and those of other products bring flags of their own, which are not seen.
_has_flags_of_its_own(c) if {
	is_string(c.raw.image)
	regex.match(`rabbitmq|emqx|vernemq|ejabberd|mongooseim|couchdb|riak`, c.raw.image)
}

_has_flags_of_its_own(c) if {
	some words in _lines(c)
	words[_][0] in {"-args_file", "-vm_args"}
}

_has_flags_of_its_own(c) if {
	some name in environment.present[c.id]
	startswith(name, "RABBITMQ_")
}

_has_flags_of_its_own(c) if {
	some name in about.variables
	environment.setting(c, name).state in {"resource", "unknown"}
}

_says_how_long(c) if {
	some words in _lines(c)
	startswith(words[_][0], "+sbwt")
}
