package headroom.rules.memory["memory-peak-near-limit_test"]

import data.headroom.reviews_test as reviews
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
	contains(f.message, "measured peak is 900Mi of a limit of 1000Mi: 90 %, and 80 % is the most")
	f.expected == "limits.memory: 1125Mi or more (peak / 0.8)"
	f.figures == {"peak_bytes": 943718400, "limit_bytes": 1048576000, "most_permille": 800}
}

test_little_is_left if {
	said := "Less than 10 % of the limit is left. At the limit it is OOMKilled."
	every peak, little in {"900Mi": false, "943718401": true, "1000Mi": true} {
		some f in report(peak, "1000Mi")
		endswith(f.message, said) == little
	}
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
	every share in [0, 0.0001, -0.5] {
		none := rule.report with input as pod({"app": "900Mi"}, [app("1000Mi")])
			with data.headroom.overrides as {"memory": {"peak": share}}
		count(none) == 0
	}
	least := {"memory": {"peak": 0.001}}
	bound := rule.report with input as pod({"app": "1000001"}, [app("1000M")]) with data.headroom.overrides as least
	{f.figures.most_permille | some f in bound} == {1}
	at := rule.report with input as pod({"app": "1000000"}, [app("1000M")]) with data.headroom.overrides as least
	count(at) == 0
}

test_the_smallest_limit if {
	count(report("1", "1")) == 1
	count(report("0", "1")) == 0
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
	two := [app("1000Mi"), object.union(app("1000Mi"), {"name": "other"}), object.union(app("1Gi"), {"name": "third"})]
	both := rule.report with input as pod({"other": "900Mi", "third": "100Mi"}, two)
	{[f.container, f.path[2]] | some f in both} == {["other", 1]}
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

# What was measured goes before the annotation.
measured(changes, annotations) := found if {
	entry := object.union(
		{"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40},
		changes,
	)
	found := rule.report with input as reviews.of_object(
		pod(annotations, [app("1000Mi")]),
		{"measured": {"app": entry}},
	)
}

test_a_measured_peak if {
	some f in measured({"memory_peak": "943718399"}, {"app": "100Mi"})
	f.message == concat("", [
		"The peak is 900Mi of a limit of 1000Mi ",
		"(measured by Prometheus: 10 080 samples over 7d, newest 40s old): ",
		"90 %, and 80 % is the most that leaves room. At the limit it is OOMKilled.",
	])
	f.figures.peak_bytes == 943718399
	count(measured({"memory_peak": "800Mi"}, {"app": "900Mi"})) == 0
	some g in measured({}, {"app": "900Mi"})
	startswith(g.message, "The measured peak is 900Mi of a limit of 1000Mi: 90 %")
	f.follows == []
}

test_too_few_samples_leave_the_annotation if {
	some f in measured({"memory_peak": "100Mi", "samples": 12}, {"app": "900Mi"})
	startswith(f.message, concat("", [
		"The measured peak is 900Mi of a limit of 1000Mi ",
		"(Prometheus has 12 samples, at least 60 are wanted): 90 %",
	]))
}

test_kills_are_told if {
	some f in measured({"memory_peak": "900Mi", "oom_kills": 1}, {})
	endswith(f.message, "At the limit it is OOMKilled, as it did once in 7d.")
	some g in measured({"memory_peak": "900Mi", "oom_kills": 3, "window_seconds": 0}, {})
	endswith(g.message, "At the limit it is OOMKilled, as it did 3 times.")
	some h in measured({"memory_peak": "900Mi", "oom_kills": 2}, {})
	endswith(h.message, "as it did twice in 7d.")
	"oom-killed" in h.follows
}

test_a_small_peak_is_exact if {
	some f in rule.report with input as reviews.of_object(
		pod({}, [app("5Mi")]),
		{"measured": {"app": {"source": "a", "samples": 60, "memory_peak": "5000000"}}},
	)
	startswith(f.message, "The peak is 5M of a limit of 5Mi (measured by a: 60 samples, newest 0s old)")
}

test_it_says_when_that_was_measured if {
	dated := json.patch(pod({"app": "900Mi"}, [app("1000Mi")]), [{
		"op": "add",
		"path": "/metadata/annotations/measured.headroom.dev~1app",
		"value": "date=2026-11-21 over=7d of=memory-peak",
	}])
	[f] := [f | some f in rule.report with input as dated]
	contains(f.message, "peak is 900Mi of a limit of 1000Mi (measured 2026-11-21 over 7d): 90 %, and 80 % is the most")
}
