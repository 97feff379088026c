package headroom.runtime.beam_test

import data.headroom.runtime.beam
import data.headroom.runtimes

pod(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"containers": [object.union({"name": "app"}, container)]},
}

counts(container) := [counter.count | some counter in found] if {
	found := beam.counters with input as pod(container)
}

flags(text) := {"env": [{"name": "ERL_FLAGS", "value": text}]}

test_schedulers if {
	every case in [
		[flags("+S 8"), [8]],
		[flags("+S8:4 +sbwt none"), [4]],
		[flags("+S 8 +S 2"), [2]],
		[flags("+sbwt none"), []],
		[flags("+S"), []],
		[flags("+S many"), []],
		[{"command": ["erl", "+S", "16", "-noshell"]}, [16]],
		[{"image": "rabbitmq:4", "env": [{"name": "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "value": "+S 6:6"}]}, [6]],
		[{"image": "rabbitmq:4"}, []],
		[{"command": ["java", "+S", "16"]}, []],
	] {
		[container, want] := case
		counts(container) == want
	}
}

test_found if {
	runtimes.running[0].name == "beam" with input as pod({"image": "rabbitmq:4-management"})
	runtimes.running[0].name == "beam" with input as pod(flags("+K true"))
	runtimes.running[0].name == "" with input as pod({"image": "kbudde/rabbitmq-exporter"})
}

test_init_containers_are_over if {
	found := beam.counters with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [object.union(
		{"name": "app"},
		flags("+S 64"),
	)]}}
	found == []
}
