package headroom.advice_test

import data.headroom.main

by_cpu := {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "spread"}, "spec": {
	"scaleTargetRef": {"kind": "Pod", "name": "a"},
	"targetCPUUtilizationPercentage": 80,
}}

# scaled is what a rule wants of a container with a request, and an average of 500m, under that autoscaler.
scaled(rule, requests) := [f.expected |
	some f in main.result.findings with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {
			"apiVersion": "v1",
			"kind": "Pod",
			"metadata": {"name": "a", "annotations": {
				"headroom.dev/workload-class": "latency-sensitive",
				"cpu-average.headroom.dev/app": "500m",
			}},
			"spec": {"containers": [{"name": "app", "resources": {
				"requests": object.union(requests, {"memory": "1Gi"}),
				"limits": {"memory": "1Gi"},
			}}]},
		},
		"context": {"autoscalers": [by_cpu]},
	}
	f.rule == rule
]

test_what_becomes_of_the_target if {
	[known] := scaled("HR203", {"cpu": "1"})
	startswith(known, concat("", [
		"requests.cpu: 500m, with averageUtilization: 160 in HorizontalPodAutoscaler spread (now 80),",
		" which then scales as before; ",
	]))
	[none] := scaled("HR201", {})
	startswith(none, concat("", [
		"requests.cpu: 500m, by which HorizontalPodAutoscaler spread then scales:",
		" its averageUtilization is a share of it; ",
	]))
}
