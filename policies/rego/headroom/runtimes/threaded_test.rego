package headroom.runtimes_threaded_test

import data.headroom.runtimes

found(container) := of({}, container)

of(annotations, container) := count(all) if {
	all := runtimes.threaded with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": annotations},
		"spec": {"containers": [object.union(
			{"name": "app", "command": ["sidekiq"], "resources": {"limits": {"memory": "1Gi"}}},
			container,
		)]},
	}
}

env(name) := {"env": [{"name": name, "value": "2"}]}

test_who_shares_arenas if {
	every case in [
		[{}, 1],
		[{"image": "example.com/app:1"}, 1],
		[{"image": "example.com/app:1-alpine"}, 0],
		[{"image": 5}, 0],
		[{"resources": null}, 0],
		[env("MALLOC_ARENA_MAX"), 0],
		[env("GLIBC_TUNABLES"), 0],
		[env("LD_PRELOAD"), 0],
		[{"envFrom": [{"secretRef": {"name": "a"}}]}, 0],
		[{"command": ["sh", "-c", "export MALLOC_ARENA_MAX=2; exec sidekiq"]}, 0],
	] {
		[container, want] := case
		found(container) == want
	}
	java := {"command": ["java", "-jar", "a.jar"]}
	of({"jvm.headroom.dev/app": "threads=250"}, java) == 1
	of({"jvm.headroom.dev/app": "threads=249"}, java) == 0
	of({"jvm.headroom.dev/app": "threads=250"}, object.union(java, {"image": "hyperledger/besu:24.1"})) == 0
}

test_few_threads_are_silent if {
	runtimes.threaded == [] with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["java", "-jar", "a.jar"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
}
