package headroom.rules.running["autoscaler-fights-class_test"]

import data.headroom.rules.running["autoscaler-fights-class"] as rule

target := {"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}

scaler(kind, name, spec) := {"kind": kind, "metadata": {"name": name}, "spec": spec}

vertical(more) := scaler("VerticalPodAutoscaler", "grow", object.union({"targetRef": target}, more))

horizontal(resource) := scaler("HorizontalPodAutoscaler", "spread", {"scaleTargetRef": target, "metrics": [{
	"type": "Resource",
	"resource": {"name": resource, "target": {"type": "Utilization", "averageUtilization": 80}},
}]})

report(flag, beside) := {f | some f in found} if {
	found := rule.report with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {
			"apiVersion": "apps/v1",
			"kind": "Deployment",
			"metadata": {"name": "shop"},
			"spec": {"template": {"spec": {"containers": [{
				"name": "app",
				"command": ["java", flag, "-jar", "a.jar"],
				"resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "2Gi"}},
			}]}}},
		},
		"context": {"autoscalers": beside},
	}
}

test_a_fixed_heap if {
	some f in report("-Xmx1g", [vertical({})])
	f.container == "app"
	f.path == ["spec", "template", "spec", "containers", 0, "resources", "limits", "memory"]
	f.expected == sprintf("%s, or minAllowed: {memory: %vMi} there", [
		"controlledResources: [cpu] for container app in VerticalPodAutoscaler grow",
		f.figures.needed_mib,
	])
	f.figures.needed_mib > 1024
}

# What it may go on changing is what no fight is about.
test_nothing_is_left if {
	found := {f.expected | some f in report("-Xmx1g", [vertical({}), horizontal("cpu")])}
	every expected in found {
		startswith(expected, "mode: \"Off\" for container app in VerticalPodAutoscaler grow, or ")
	}
	count(found) == 2
}

test_in_place if {
	some f in report("-XX:MaxRAMPercentage=50", [vertical({"updatePolicy": {"updateMode": "InPlace"}})])
	startswith(f.expected, "resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}], or controlledRes")
	f.figures.needed_mib == 0
}

test_the_same_resource if {
	some f in report("-XX:MaxRAMPercentage=50", [vertical({}), horizontal("cpu")])
	f.expected == concat(", ", [
		"controlledResources: [memory] for container app in VerticalPodAutoscaler grow",
		"or in HorizontalPodAutoscaler spread a metric that is no share of a request",
	])
}

# What a tenant pays for stays, and its memory may follow its use.
test_an_allocation if {
	tenant := {"name": "app", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1", "memory": "1Gi"}}}
	[f] := [f |
		some f in rule.report with input as {
			"apiVersion": "headroom.dev/v1alpha1",
			"kind": "Review",
			"object": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "shop"}, "spec": {"template": {
				"metadata": {"annotations": {"headroom.dev/workload-class": "multi-tenant"}},
				"spec": {"containers": [tenant]},
			}}},
			"context": {"autoscalers": [vertical({})]},
		}
	]
	f.expected == "controlledResources: [memory] for container app in VerticalPodAutoscaler grow"
	f.harm == "starved"
}

test_memory_that_is_counted if {
	some f in report("-XX:MaxRAMPercentage=50", [horizontal("memory")])
	f.expected == "in HorizontalPodAutoscaler spread a metric that follows the load, such as requests in flight"
}

test_silence if {
	report("-Xmx1g", []) == set()
	report("-Xmx1g", [horizontal("cpu")]) == set()
	report("-XX:MaxRAMPercentage=50", [vertical({})]) == set()
}

test_a_limit_that_moves_with_the_request if {
	found := rule.report with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {
			"apiVersion": "apps/v1",
			"kind": "Deployment",
			"metadata": {"name": "shop"},
			"spec": {"template": {"spec": {"containers": [{
				"name": "app",
				"resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}},
			}]}}},
		},
		"context": {"autoscalers": [vertical({})]},
	}
	[f] := [f | some f in found]
	f.severity == "info"
	f.harm == "throttled"
	f.path == ["spec", "template", "spec", "containers", 0, "resources", "limits", "cpu"]
	f.expected == "controlledValues: RequestsOnly for container app in VerticalPodAutoscaler grow"
}
