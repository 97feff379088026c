package headroom.rules.memory["memory-peak-near-limit_test"]

import data.headroom.rules.memory["memory-peak-near-limit"] as rule

pod(peaks, containers) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {concat("", ["memory-peak.headroom.dev/", name]): peak | some name, peak in peaks}},
	"spec": {"containers": containers},
}

app(limit) := {"name": "app", "resources": {"limits": {"memory": limit}}}

report(peak, limit) := found if {
	found := rule.report with input as pod({"app": peak}, [app(limit)])
}

test_above_the_share if {
	found := report("900Mi", "1000Mi")
	count(found) == 1
	some f in found
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	contains(f.message, "measured peak is 900Mi of a limit of 1000Mi: 90 %, where 80 % is the most")
	f.expected == "limits.memory: 1125Mi or more (peak / 0.8)"
	f.figures == {"peak_bytes": 943718400, "limit_bytes": 1048576000, "most_permille": 800}
}

test_exactly_the_share_passes if count(report("800Mi", "1000Mi")) == 0

test_one_byte_more_does_not if {
	found := report("838860801", "1000Mi")
	count(found) == 1
	some f in found
	f.expected == "limits.memory: 1001Mi or more (peak / 0.8)"
}

test_config_moves_the_share if {
	changed := {"memory": {"peak": 0.95}}
	found := rule.report with input as pod({"app": "900Mi"}, [app("1000Mi")]) with data.headroom.overrides as changed
	count(found) == 0
}

test_no_limit_or_unreadable if {
	count(report("900Mi", "0")) == 0
	count(report("900Mi", "1GB")) == 0
	count(report("900MB", "1Gi")) == 0
	count(report(null, "1Gi")) == 0
}

test_no_annotation if {
	found := rule.report with input as pod({}, [app("1Gi")])
	count(found) == 0
}

test_each_container_has_its_own if {
	found := rule.report with input as pod({"other": "900Mi", "init": "900Mi"}, [app("1000Mi")])
	count(found) == 0
}

test_init_containers_are_not_judged if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"memory-peak.headroom.dev/init": "900Mi"}},
		"spec": {"containers": [], "initContainers": [{"name": "init", "resources": {"limits": {"memory": "1000Mi"}}}]},
	}
	count(found) == 0
}

test_the_pods_limit if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"memory-peak.headroom.dev/app": "900Mi"}},
		"spec": {"resources": {"limits": {"memory": "1000Mi"}}, "containers": [{"name": "app"}]},
	}
	some f in found
	f.path == ["spec", "resources", "limits", "memory"]
}
