package headroom.runtime.beam_busy_wait_test

import data.headroom.runtime.beam

pod(limit, container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "image": "shop/orders:1", "resources": {"limits": {"cpu": limit, "memory": "1Gi"}}},
	container,
)]}}

spins(limit, container) := count(found) == 1 if {
	found := beam.spins with input as pod(limit, container)
}

flags(text) := {"env": [{"name": "ERL_FLAGS", "value": text}]}

secret := {"valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}

# Each case: the CPU limit, the container, and whether the limit counts what its schedulers spin.
cases := [
	["500m", {"command": ["erl", "-noshell"]}, true],
	["1", {"image": "elixir:1.18"}, true],
	["1", flags("+S 1"), true],
	["1001m", flags("+S 1"), false],
	["0", flags("+S 1"), false],
	["500m", flags("+sbwt none +sbwtdcpu none"), false],
	["500m", flags("+sbwtdcpu none"), false],
	["500m", {"command": ["erl", "+sbwt", "very_short"]}, false],
	["500m", {"command": ["erl", "-args_file", "vm.args"]}, false],
	["500m", {"image": "rabbitmq:4"}, false],
	["500m", {"image": "shop/rabbitmq-with-plugins:1", "env": flags("+S 1").env}, false],
	["500m", {"env": [{"name": "RABBITMQ_VM_MEMORY_HIGH_WATERMARK", "value": "400MiB"}]}, false],
	["500m", {"env": [object.union({"name": "ERL_FLAGS"}, secret)]}, false],
	["500m", {"image": "shop/orders:1"}, false],
	["500m", {"image": null, "command": ["iex"]}, true],
]

test_spins if {
	every case in cases {
		[limit, container, want] := case
		spins(limit, container) == want
	}
}

test_init_containers_are_over if {
	found := beam.spins with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "app",
		"command": ["erl"],
		"resources": {"limits": {"cpu": "1"}},
	}]}}
	found == []
}
