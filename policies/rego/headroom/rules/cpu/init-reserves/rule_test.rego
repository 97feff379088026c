package headroom.rules.cpu["init-reserves_test"]

import data.headroom.rules.cpu["init-reserves"] as rule

asks(name, cpu, memory) := {"name": name, "resources": {"requests": {"cpu": cpu, "memory": memory}}}

sidecar(name, cpu) := object.union(asks(name, cpu, "64Mi"), {"restartPolicy": "Always"})

report(inits, containers) := found if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"initContainers": inits, "containers": containers},
	}
}

test_reports if {
	[f] := [f | some f in report([asks("init", "2", "50Mi")], [asks("app", "100m", "128Mi")])]
	f.container == "init"
	f.path == ["spec", "initContainers", 0, "resources", "requests", "cpu"]
	f.severity == "warning"
	f.message == "This init container makes its Pod reserve 2 CPU; the containers together ask for 100m."
	f.why == "It ends before they start, but the Pod keeps 20 times what they ask for reserved."
	f.expected == "requests.cpu of at most 100m for init, which may use more where the node has it"
	f.figures == {"asked": 2000, "beside": 100}
}

# Each case: init containers, containers, and the severities by resource.
test_by_factor if {
	app := asks("app", "200m", "256Mi")
	every case in [
		[[asks("a", "200m", "256Mi")], [app], set()],
		[[asks("a", "399m", "256Mi")], [app], set()],
		[[asks("a", "400m", "256Mi")], [app], {["cpu", "info"]}],
		[[asks("a", "1100m", "256Mi")], [app], {["cpu", "info"]}],
		[[asks("a", "1200m", "256Mi")], [app], {["cpu", "warning"]}],
		[[asks("a", "200m", "512Mi")], [app], {["memory", "info"]}],
		[[asks("a", "200m", "2Gi")], [app], {["memory", "warning"]}],
		[[asks("a", "20m", "1Mi")], [asks("app", "1m", "1Mi")], set()],
		[[asks("a", "400m", "256Mi")], [app, asks("b", "200m", "1Mi")], set()],
		[[asks("a", "400m", "256Mi"), asks("b", "2", "256Mi")], [app], {["cpu", "info"], ["cpu", "warning"]}],
	] {
		[inits, containers, want] := case
		{[f.path[5], f.severity] | some f in report(inits, containers)} == want
	}
}

# A sidecar that was started before runs beside the init container, and beside the containers.
test_sidecars_count_on_both_sides if {
	app := asks("app", "200m", "1Gi")
	before := report([sidecar("proxy", "300m"), asks("init", "1", "64Mi")], [app])
	{f.expected | some f in before} == {"requests.cpu of at most 200m for init, which may use more where the node has it"}
	behind := report([asks("init", "1", "64Mi"), sidecar("proxy", "300m")], [app])
	{f.expected | some f in behind} == {"requests.cpu of at most 500m for init, which may use more where the node has it"}
}

test_what_is_not_known_is_silent if {
	init := asks("init", "8", "8Gi")
	report([init], [asks("app", "many", "much")]) == set()
	report([asks("init", "many", null)], [asks("app", "1", "1Gi")]) == set()
	report([init], []) == set()
	report(null, [asks("app", "1", "1Gi")]) == set()
}

# To the scheduler a container without a request asks for nothing.
test_no_request_counts_nothing if {
	init := asks("init", "2", "64Mi")
	[f] := [f | some f in report([init], [{"name": "app"}])]
	f.severity == "warning"
	f.message == "This init container makes its Pod reserve 2 CPU; the containers together ask for nothing."
	f.why == "It ends before they start, but the Pod keeps that reserved."
	f.expected == "requests.cpu for the containers, and no more for init"
	{f.figures.beside | some f in report([init], [asks("app", "100m", "1Gi"), {"name": "b"}])} == {100}
}

test_what_the_pod_reserves_is_its_own if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {
		"resources": {"requests": {"cpu": "4", "memory": "4Gi"}},
		"initContainers": [asks("init", "2", "1Gi")],
		"containers": [asks("app", "100m", "128Mi")],
	}}
	found == set()
}
