package headroom.autoscalers_test

import data.headroom.autoscalers
import data.headroom.reviews_test as reviews

# A review of a Deployment, with what stands beside it.
review(containers, beside) := reviews.of_object(
	{
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"metadata": {"name": "shop"},
		"spec": {"template": {
			"metadata": {"labels": {"app": "shop", "tier": "front"}, "annotations": {
				"class.headroom.dev/tenant": "multi-tenant",
			}},
			"spec": {"containers": containers},
		}},
	},
	beside,
)

target := {"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}

scaler(kind, spec) := {"kind": kind, "metadata": {"name": "a"}, "spec": spec}

vertical(spec) := scaler("VerticalPodAutoscaler", object.union({"targetRef": target}, spec))

horizontal(spec) := scaler("HorizontalPodAutoscaler", object.union({"scaleTargetRef": target}, spec))

container(name, resources, more) := object.union({"name": name, "resources": resources}, more)

app := container("app", {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}, {})

targets := [
	[target, true],
	[{"kind": "Deployment", "name": "shop"}, true],
	[{"apiVersion": "apps/v1beta1", "kind": "Deployment", "name": "shop"}, true],
	[{"apiVersion": "example.com/v1", "kind": "Deployment", "name": "shop"}, false],
	[{"apiVersion": "v1", "kind": "Deployment", "name": "shop"}, false],
	[{"apiVersion": 5, "kind": "Deployment", "name": "shop"}, false],
	[{"kind": "StatefulSet", "name": "shop"}, false],
	[{"kind": "Deployment", "name": "other"}, false],
	[null, false],
	["shop", false],
]

test_targets if {
	every case in targets {
		[reference, want] := case
		one := scaler("VerticalPodAutoscaler", {"targetRef": reference})
		found := autoscalers.verticals with input as review([app], {"autoscalers": [one]})
		count(found) == 1 == want
		horizontals := autoscalers.horizontals with input as review([app], {"autoscalers": [one]})
		horizontals == []
	}
}

# Each case: the spec beside the target, and what is changed: [resource, limits, in_place].
both := [["cpu", true, false], ["memory", true, false]]

policies(list) := {"resourcePolicy": {"containerPolicies": list}}

verticals := [
	[{}, both],
	[{"updatePolicy": {"updateMode": "Auto"}}, both],
	[{"updatePolicy": {"updateMode": ""}}, both],
	[{"updatePolicy": {"updateMode": 5}}, both],
	[{"updatePolicy": {"updateMode": "Off"}}, []],
	[{"updatePolicy": {"updateMode": "InPlace"}}, [["cpu", true, true], ["memory", true, true]]],
	[policies([{"containerName": "app", "mode": "Off"}]), []],
	[policies([{"containerName": "*", "mode": "Off"}]), []],
	[policies([{"containerName": "*", "mode": "Off"}, {"containerName": "app", "mode": "Auto"}]), both],
	[policies([{"containerName": "other", "mode": "Off"}]), both],
	[policies([{"containerName": "app", "controlledResources": ["cpu"]}]), [["cpu", true, false]]],
	[policies([{"containerName": "app", "controlledResources": []}]), []],
	[policies([{"containerName": "app", "controlledValues": "RequestsOnly"}]), [
		["cpu", false, false],
		["memory", false, false],
	]],
	[policies("nonsense"), both],
	[policies(["nonsense", null]), both],
	[{"resourcePolicy": null}, both],
]

test_what_verticals_change if {
	every case in verticals {
		[spec, want] := case
		found := autoscalers.controls with input as review([app], {"autoscalers": [vertical(spec)]})
		[[one.resource, one.limits, one.in_place] | some one in found] == want
	}
}

resource(name, target_of) := {"type": "Resource", "resource": {"name": name, "target": target_of}}

share(percent) := {"type": "Utilization", "averageUtilization": percent}

# Each case: the spec beside the target, and what is counted: [resource, container, share, target].
metrics := [
	[{}, [["cpu", "", true, 80]]],
	[{"metrics": []}, [["cpu", "", true, 80]]],
	[{"metrics": "nonsense"}, [["cpu", "", true, 80]]],
	[{"targetCPUUtilizationPercentage": 60}, [["cpu", "", true, 60]]],
	[{"metrics": [resource("cpu", share(70))]}, [["cpu", "", true, 70]]],
	[{"metrics": [resource("memory", {"type": "AverageValue", "averageValue": "1Gi"})]}, [["memory", "", false, 0]]],
	[
		{"metrics": [{"type": "ContainerResource", "containerResource": {
			"name": "cpu",
			"container": "app",
			"target": share(50),
		}}]},
		[["cpu", "app", true, 50]],
	],
	[{"metrics": [{"type": "External"}, null, "a", resource("cpu", null), {"type": "Resource"}]}, []],
]

test_what_horizontals_count if {
	every case in metrics {
		[spec, want] := case
		found := autoscalers.counted with input as review([app], {"autoscalers": [horizontal(spec)]})
		[[one.resource, one.container, one.share, one.target] | some one in found] == want
	}
	old := object.union(horizontal({}), {"metadata": {"name": "a", "annotations": {
		"autoscaling.alpha.kubernetes.io/metrics": "[]",
	}}})
	autoscalers.counted == [] with input as review([app], {"autoscalers": [old]})
}

java := {"command": ["java", "-Xmx512m", "-jar", "a.jar"]}

gibibytes(n) := {
	"requests": {"cpu": "1", "memory": sprintf("%vGi", [n])},
	"limits": {"cpu": "1", "memory": sprintf("%vGi", [n])},
}

fixed := container("app", gibibytes(2), java)

shared := container("app", gibibytes(2), {"command": ["java", "-XX:MaxRAMPercentage=50", "-jar", "a.jar"]})

tenant := container("tenant", gibibytes(2), {})

fights(containers, list) := [[fight.kind, fight.container] | some fight in found] if {
	found := autoscalers.fights with input as review(containers, {"autoscalers": list})
}

in_place := {"updatePolicy": {"updateMode": "InPlaceOrRecreate"}}

by_memory := horizontal({"metrics": [resource("memory", share(80))]})

restarting(resource) := object.union(shared, {"resizePolicy": [{
	"resourceName": resource,
	"restartPolicy": "RestartContainer",
}]})

guessed := container("app", {}, {"image": "example.com/java-app:1"})

# Each case: containers, what stands beside them, and the fights.
cases := [
	[[fixed], [vertical({})], [["fixed heap", "app"]]],
	[[fixed], [vertical(policies([{"containerName": "app", "controlledResources": ["cpu"]}]))], []],
	[[fixed], [vertical(policies([{"containerName": "app", "controlledValues": "RequestsOnly"}]))], []],
	[[fixed], [vertical(policies([{"containerName": "app", "minAllowed": {"memory": "1900Mi"}}]))], []],
	[[fixed], [vertical(policies([{"containerName": "app", "minAllowed": {"memory": "1"}}]))], [["fixed heap", "app"]]],
	[[container("app", {"requests": {"memory": "2Gi"}}, java)], [vertical({})], []],
	[[shared], [vertical({})], []],
	[[shared], [vertical(in_place)], [["heap in place", "app"]]],
	[[restarting("cpu")], [vertical(in_place)], [["heap in place", "app"]]],
	[[restarting("memory")], [vertical(in_place)], []],
	[[app], [vertical({}), horizontal({})], [["same resource", "app"]]],
	[[app], [vertical({}), horizontal({"metrics": [{"type": "External"}]})], [["moved limit", "app"]]],
	[[app], [vertical({}), by_memory], [["same resource", "app"], ["moved limit", "app"]]],
	[[app], [vertical(policies([{"containerName": "app", "controlledValues": "RequestsOnly"}]))], []],
	[[app], [vertical(policies([{"containerName": "app", "controlledResources": ["memory"]}]))], []],
	[[container("app", {"limits": {"memory": "1Gi"}}, {})], [vertical({})], []],
	[[tenant], [vertical({})], [["allocation", "tenant"]]],
	[[tenant], [vertical(policies([{"containerName": "*", "controlledValues": "RequestsOnly"}]))], []],
	[[shared], [by_memory], [["heap counted", "app"]]],
	[[object.union(shared, {"command": ["java", "-XX:+UseZGC", "-jar", "a.jar"]})], [by_memory], []],
	[[app], [by_memory], []],
	[[guessed], [vertical(in_place), by_memory], [["same resource", "app"]]],
	[[fixed], [], []],
]

test_fights if {
	every case in cases {
		[containers, list, want] := case
		fights(containers, list) == want
	}
}

test_words if {
	found := autoscalers.fights with input as review([fixed], {"autoscalers": [vertical({}), by_memory]})
	every fight in found {
		startswith(autoscalers.why[fight.kind], upper(substring(autoscalers.why[fight.kind], 0, 1)))
	}
	seen := [autoscalers.seen(fight.kind, fight) | some fight in found]
	startswith(seen[0], "VerticalPodAutoscaler a sets limits.memory by what was used, and the heap is fixed, -Xmx512m (")
	regex.match(`: the JVM may come to use [0-9]+ MiB\.$`, seen[0])
	seen[1] == "VerticalPodAutoscaler a changes requests.memory, and HorizontalPodAutoscaler a scales by a share of it."
	startswith(seen[2], "HorizontalPodAutoscaler a scales by memory, and a JVM (Serial) seldom ")
	[other] := autoscalers.fights with input as review([shared], {"autoscalers": [vertical(in_place)]})
	endswith(autoscalers.seen(other.kind, other), "(updateMode: InPlaceOrRecreate).")
	[last] := autoscalers.fights with input as review([tenant], {"autoscalers": [vertical({})]})
	endswith(autoscalers.seen(last.kind, last), "what the tenant pays for.")
	[moved] := autoscalers.fights with input as review([app], {"autoscalers": [vertical({})]})
	endswith(autoscalers.seen(moved.kind, moved), "moves limits.cpu with requests.cpu, now 2 to 1 (controlledValues).")
}

# The share of the request that another one needs, for the scaling to stay.
test_another_target if {
	beside := {"autoscalers": [horizontal({"metrics": [resource("cpu", share(80))]})]}
	metric := {"target": 80, "container": "app"}
	c := {"name": "app", "cpu_request": 1000}
	autoscalers.target_for(metric, c, 500) == 160 with input as review([app], beside)
	autoscalers.target_for(metric, c, 2000) == 40 with input as review([app], beside)
	autoscalers.target_for({"target": 80, "container": ""}, c, 2000) == 53 with input as review([app, tenant], beside)
	not autoscalers.target_for(metric, c, 500) with input as review([container("app", {}, {})], beside)
	not autoscalers.target_for({"target": "80", "container": ""}, c, 500) with input as review([app], beside)
	count(autoscalers.shares(c)) == 1 with input as review([app], beside)
}
