package headroom.rules.memory["malloc-arenas_test"]

import data.headroom.rules.memory["malloc-arenas"] as rule

report(container) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
		{"name": "app", "command": ["sidekiq"], "resources": {"limits": {"memory": "1Gi"}}},
		container,
	)]}}
}

test_reports if {
	[f] := [f | some f in report({})]
	f.container == "app"
	f.path == ["spec", "containers", 0, "env"]
	startswith(f.message, "MALLOC_ARENA_MAX is not set: glibc gives sidekiq's threads up to 128 memory pools")
	endswith(f.why, "at 1024 MiB.")
	f.expected == "MALLOC_ARENA_MAX: \"2\""
}

test_nodes_that_are_known if {
	[f] := [f | some f in report({})] with data.headroom.overrides as {"nodes": {"cores": 96}}
	contains(f.message, "up to 768 memory pools (arenas) on a node of 96 cores")
}

test_silent if {
	report({"env": [{"name": "MALLOC_ARENA_MAX", "value": "2"}]}) == set()
	report({"command": ["sleep"]}) == set()
	report({"command": null}) == set()
}
