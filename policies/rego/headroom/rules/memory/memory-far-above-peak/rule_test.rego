package headroom.rules.memory["memory-far-above-peak_test"]

import data.headroom.rules.memory["memory-far-above-peak"] as rule

pod(peak, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"memory-peak.headroom.dev/app": peak}},
	"spec": {"containers": [object.union({"name": "app"}, container)]},
}

limit(memory) := {"resources": {"requests": {"memory": memory}, "limits": {"memory": memory}}}

wants(peak, container) := [f.expected | some f in found] if {
	found := rule.report with input as pod(peak, container)
}

test_far_above_the_peak if {
	every case in [
		["2Gi", limit("12Gi"), ["requests.memory and limits.memory: 2560Mi"]],
		["2Gi", limit("5Gi"), []],
		["2Gi", limit("5121Mi"), ["requests.memory and limits.memory: 2560Mi"]],
		["2Gi", {}, []],
		["0", limit("12Gi"), []],
		["much", limit("12Gi"), []],
		["2Gi", limit("much"), []],
	] {
		wants(case[0], case[1]) == case[2]
	}
}

test_what_it_says if {
	[f] := [f | some f in rule.report] with input as pod("2Gi", limit("12Gi"))
	f.message == "The measured peak is 2Gi of a limit of 12Gi."
	startswith(f.why, "Memory is reserved that is not used")
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	f.figures == {"peak_bytes": 2147483648, "limit_bytes": 12884901888, "wanted_bytes": 2684354560}
}

java(flag) := object.union(limit("12Gi"), {"command": ["java", flag, "-jar", "a.jar"]})

test_what_is_sized_by_its_limit_is_not_judged if {
	wants("1Gi", java("-XX:MaxRAMPercentage=50.0")) == []
	count(wants("1Gi", java("-Xmx512m"))) == 1
	go := {"env": [{"name": "GOMEMLIMIT", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}}]}
	wants("1Gi", object.union(limit("12Gi"), go)) == []
}

# What the flags, or GOMEMLIMIT, let it take is more than its peak was.
test_what_bounds_it_has_room if {
	wants("1Gi", java("-Xmx8g")) == []
	go := object.union(limit("12Gi"), {"env": [{"name": "GOMEMLIMIT", "value": "4500MiB"}]})
	wants("1Gi", go) == ["requests.memory and limits.memory: 5000Mi"]
}

test_init_containers_and_the_limit_of_a_pod if {
	init := object.union(pod("1Gi", limit("12Gi")), {"spec": {
		"containers": [],
		"initContainers": [object.union({"name": "app"}, limit("12Gi"))],
	}})
	count(rule.report) == 0 with input as init
	of_pod := {"spec": {"resources": {"limits": {"memory": "12Gi"}}}}
	count(rule.report) == 0 with input as object.union(pod("1Gi", {}), of_pod)
}

test_the_share_of_the_config if {
	found := rule.report with input as pod("2Gi", limit("12Gi")) with data.headroom.overrides as {"memory": {"peak": 0}}
	count(found) == 0
}
