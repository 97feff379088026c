package headroom.rules.running["jvm-startup-boost_test"]

import data.headroom.rules.running["jvm-startup-boost"] as rule

review(limit, command, more, beside) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"metadata": {"name": "shop"},
		"spec": {"template": {
			"metadata": {"annotations": {"headroom.dev/workload-class": "batch"}},
			"spec": {"containers": [object.union(
				{
					"name": "app",
					"image": "eclipse-temurin:17",
					"command": command,
					"resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"cpu": limit, "memory": "4Gi"}},
				},
				more,
			)]},
		}},
	},
	"context": beside,
}

vertical(factor) := {"autoscalers": [{
	"kind": "VerticalPodAutoscaler",
	"metadata": {"name": "shop"},
	"spec": {
		"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"},
		"startupBoost": {"cpu": {"type": "Factor", "factor": factor}},
	},
}]}

operator := {"boosts": [{"metadata": {"name": "starts"}, "spec": {"resourcePolicy": {"containerPolicies": [{
	"containerName": "app",
	"percentageIncrease": {"value": 50},
}]}}}]}

java := ["java", "-XX:MaxRAMPercentage=50.0", "-jar", "a.jar"]

report(limit, command, more, beside) := [f | some f in found] if {
	found := rule.report with input as review(limit, command, more, beside)
}

test_boosted_processors if {
	[f] := report("2", java, {}, vertical(3))
	f.message == "VerticalPodAutoscaler shop raises limits.cpu from 2 to 6 as the container starts."
	f.why == concat(" ", [
		"The JVM sizes its collector and pools by 6 processors, once, and keeps these threads when the boost ends:",
		"6 at once use up the 200 ms of CPU time per 100 ms in 33.3 ms, then they are throttled.",
	])
	f.expected == "-XX:ActiveProcessorCount=2, the steady count"
	f.path == ["spec", "template", "spec", "containers", 0, "env"]
	f.fix[0].flags == ["-XX:ActiveProcessorCount=2"]
	f.figures == {"limit_millicores": 2000, "boosted_millicores": 6000}
}

test_a_limit_that_is_taken_away if {
	[f] := report("2", java, {}, operator)
	f.message == "StartupCPUBoost starts takes limits.cpu of 2 away as the container starts."
	contains(f.why, "by all cores of the node, once")
}

# One processor takes Serial, and the boosted JVM has G1: only its owner changes that.
test_no_fix_changes_the_collector if {
	[f] := report("1", java, {}, vertical(3))
	f.expected == "-XX:ActiveProcessorCount=1, the steady count"
	f.fix == []
}

test_silence if {
	report("2", java, {}, vertical(1)) == []
	report("1200m", java, {}, {"autoscalers": []}) == []
	report("2", ["java", "-XX:ActiveProcessorCount=2", "-jar", "a.jar"], {}, vertical(3)) == []
	report("2", ["java", "-XX:-UseContainerSupport", "-jar", "a.jar"], {}, vertical(3)) == []
	report("2", ["redis-server"], {}, vertical(3)) == []
	secret := {"env": [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}]}
	report("2", java, secret, vertical(3)) == []
}
