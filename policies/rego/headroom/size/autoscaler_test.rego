package headroom.size_test

scaled(metrics, request) := found if {
	plain := review("latency-sensitive", [object.union({"name": "app"}, memory(request, "500Mi"))], {"app": use})
	scaler := {
		"kind": "HorizontalPodAutoscaler",
		"metadata": {"name": "cart"},
		"spec": {"scaleTargetRef": {"kind": "Deployment", "name": "cart"}, "metrics": metrics},
	}
	found := result(object.union(plain, {"context": {"measured": {"app": use}, "autoscalers": [scaler]}})).autoscalers
}

share(name, percent) := {"type": "Resource", "resource": {"name": name, "target": {"averageUtilization": percent}}}

test_as_much_use_as_before if {
	[a] := scaled([share("cpu", 20)], "800m")
	a == {
		"name": "cart", "metric": 0, "resource": "cpu", "container": "",
		"now": 20, "same": 80, "wanted": 80,
		"why": "20 % × 800 / 200: a Pod uses as much as before when another is added",
	}
	[lower] := scaled([share("cpu", 80)], "100m")
	lower.wanted == 40
}

test_no_more_than_is_reserved if {
	[a] := scaled([share("cpu", 50)], "800m")
	[a.same, a.wanted] == [200, 100]
	startswith(a.why, "200 % would be as much use of a Pod as now")
	[over] := scaled([share("cpu", 150)], "800m")
	over.wanted == 600
}

test_targets_that_stay if {
	[a] := scaled([share("cpu", 50)], "200m")
	[a.wanted, a.why] == [50, "its requests stay"]
	[m] := scaled([share("memory", 50)], "200m")
	m.wanted == 50
}

test_one_container if {
	[a] := scaled(
		[{"type": "Pods"}, {
			"type": "ContainerResource",
			"containerResource": {"name": "cpu", "container": "app", "target": {"averageUtilization": 20}},
		}],
		"800m",
	)
	[a.metric, a.container, a.wanted] == [1, "app", 80]
	[none] := scaled(
		[{
			"type": "ContainerResource",
			"containerResource": {"name": "cpu", "container": "other", "target": {"averageUtilization": 20}},
		}],
		"800m",
	)
	none.why == "a container has no request, so that the share of it is not known"
}

test_metrics_that_are_no_share if {
	every wrong in [null, 0, -1, "50", 1.5, 1e9, []] {
		scaled([share("cpu", wrong)], "800m") == []
	}
	scaled([share("gpu", 50)], "800m") == []
	scaled("metrics", "800m") == []
}
