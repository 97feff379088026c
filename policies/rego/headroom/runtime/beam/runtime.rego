# METADATA
# title: Erlang and Elixir
# description: |
#   The BEAM: Erlang/OTP, Elixir, RabbitMQ, EMQX, VerneMQ. Shown by the annotation, by the command, by the image or by
#   variables that it alone reads. `+S` is how many schedulers it runs (R40).
package headroom.runtime.beam

import data.headroom.cpu
import data.headroom.environment
import data.headroom.serving
import data.headroom.workload

about := {
	"aliases": ["erlang", "elixir", "otp"],
	"words": "Erlang or Elixir",
	"follows": "ERL_FLAGS: +S %v",
	"rank": 4,
	"images": [
		"rabbitmq", "bitnami/rabbitmq", "bitnamilegacy/rabbitmq", "erlang", "elixir", "emqx/emqx", "vernemq/vernemq",
	],
	"starts": ["erl", "beam.smp", "rabbitmq-server", "iex", "elixir"],
	"variables": [
		"ELIXIR_ERL_OPTIONS", "ERL_AFLAGS", "ERL_FLAGS", "ERL_ZFLAGS",
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "RABBITMQ_VM_MEMORY_HIGH_WATERMARK",
	],
}

found := object.union(serving.found("beam"), {id: {"sure": true, "evidence": concat(" ", [min(names), "is set"])} |
	some id, present in environment.present
	names := present & {name | some name in about.variables}
	names != set()
})

# counters are the schedulers that a variable or an option sets.
counters := [{
	"c": c,
	"sure": true,
	"path": said.path,
	"text": sprintf("The BEAM runs %v schedulers (+S %v)", [said.count, said.count]),
	"count": said.count,
	"expected": sprintf("+S %v:%v (limits.cpu rounded up)", [cpu.cores[id], cpu.cores[id]]),
} |
	some id in ({id | some id, _ in found} | {id | some id, server in serving.served; server.runtime == "beam"})
	c := workload.containers[id]
	c.role != "init"
	settings := [said | some words in _lines(c); said := _schedulers(words)]
	said := settings[count(settings) - 1]
]

_lines(c) := array.concat(
	[server.words | server := serving.served[c.id]; server.runtime == "beam"],
	[words | some name in about.variables; words := serving.variable_words(c, name)],
)

# +S 8, +S8 and +S 8:4: schedulers, and those of them that are online.
_schedulers(words) := all[count(all) - 1] if {
	all := [{"count": to_number(online), "path": path} |
		some i, [word, path] in words
		some text in _texts(words, i, word)
		groups := regex.find_all_string_submatch_n(`^([1-9][0-9]{0,3})(?::([1-9][0-9]{0,3}))?$`, text, 1)[0]
		online := [n | some n in [groups[2], groups[1]]; n != ""][0]
	]
}

_texts(words, i, "+S") := [words[i + 1][0]]

_texts(_, _, word) := [substring(word, 2, -1)] if regex.match(`^\+S[0-9]`, word)
