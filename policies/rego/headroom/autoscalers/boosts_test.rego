package headroom.autoscalers_test

import data.headroom.autoscalers

boosts(containers, beside) := [[boost.by, boost.milli] | some boost in found] if {
	found := autoscalers.boosts with input as review(containers, beside)
}

factor(n) := {"startupBoost": {"cpu": {"type": "Factor", "factor": n}}}

quantity(text) := {"startupBoost": {"cpu": {"type": "Quantity", "quantity": text}}}

of_app(more) := policies([object.union({"containerName": "app"}, more)])

# Each case: the spec of a VerticalPodAutoscaler, and the limit of app (1 asked for, limit 2) as it starts.
boosted := [
	[factor(3), [6000]],
	[object.union(factor(3), {"updatePolicy": {"updateMode": "Off"}}), [6000]],
	[quantity("500m"), [3000]],
	[of_app(factor(2)), [4000]],
	[object.union(factor(3), of_app(factor(2))), [4000]],
	[object.union(factor(3), of_app({"mode": "Off"})), []],
	[object.union(factor(3), of_app({"controlledValues": "RequestsOnly"})), []],
	[object.union(factor(3), of_app({"startupBoost": null})), []],
	[{}, []],
	[factor(0), []],
	[factor("3"), []],
	[factor(1000000000000), []],
	[quantity("lots"), []],
	[{"startupBoost": {"cpu": {"type": "Other"}}}, []],
	[{"startupBoost": "nonsense"}, []],
]

test_boosts_of_verticals if {
	every case in boosted {
		[spec, want] := case
		[milli | some [_, milli] in boosts([app], {"autoscalers": [vertical(spec)]})] == want
	}
	one := {"autoscalers": [vertical(factor(3))]}
	boosts([container("app", {"limits": {"cpu": "2"}}, {})], one) == [["VerticalPodAutoscaler a", 6000]]
	boosts([container("app", {"requests": {"cpu": "0"}, "limits": {"cpu": "2"}}, {})], one) == [[
		"VerticalPodAutoscaler a",
		6000,
	]]
	boosts([container("app", {"requests": {"cpu": "2"}}, {})], one) == []
}

operator(selector, policy) := {"boosts": [{
	"kind": "StartupCPUBoost",
	"metadata": {"name": "b"},
	"selector": selector,
	"spec": {"resourcePolicy": {"containerPolicies": [policy]}},
}]}

percent(n) := {"containerName": "app", "percentageIncrease": {"value": n}}

selectors := [
	[{}, true],
	[{"matchLabels": {"app": "shop"}}, true],
	[{"matchLabels": {"app": "other"}}, false],
	[{"matchLabels": "app"}, false],
	["app", false],
	[{"matchExpressions": [{"key": "app", "operator": "In", "values": ["shop", "other"]}]}, true],
	[{"matchExpressions": [{"key": "app", "operator": "In", "values": ["other"]}]}, false],
	[{"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["other"]}]}, true],
	[{"matchExpressions": [{"key": "none", "operator": "NotIn", "values": ["other"]}]}, true],
	[{"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["shop"]}]}, false],
	[{"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, true],
	[{"matchExpressions": [{"key": "none", "operator": "Exists"}]}, false],
	[{"matchExpressions": [{"key": "none", "operator": "DoesNotExist"}]}, true],
	[{"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, false],
	[{"matchExpressions": [{"key": "tier", "operator": "Other"}]}, false],
	[{"matchExpressions": [null]}, false],
]

test_selectors if {
	every case in selectors {
		[selector, want] := case
		count(boosts([app], operator(selector, percent(50)))) == 1 == want
	}
}

match(type, value) := {"matchContainers": {"type": type, "value": value}, "percentageIncrease": {"value": 50}}

policies_of_operators := [
	[percent(50), [0]],
	[percent(0), []],
	[percent("50"), []],
	[match("ExactName", "app"), [0]],
	[match("ExactName", "ap"), []],
	[match("RegexName", "^a.p$"), [0]],
	[match("RegexName", concat("", [letter | some _ in numbers.range(1, 300); letter := "."])), []],
	[match("RegexName", "("), []],
	[match("RegexName", 5), []],
	[{"containerName": "app", "fixedResources": {"requests": "3"}}, [0]],
	[{"containerName": "app", "fixedResources": {"requests": "3", "limits": "4"}}, [0]],
	[{"containerName": "app", "fixedResources": {"requests": "3", "limits": "3"}}, []],
	[{"containerName": "app"}, []],
	["nonsense", []],
]

# A Burstable Pod does without its limit meanwhile.
test_boosts_of_operators if {
	every case in policies_of_operators {
		[policy, want] := case
		[milli | some [_, milli] in boosts([app], operator({}, policy))] == want
	}
	restarted := object.union(app, {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]})
	boosts([restarted], operator({}, percent(50))) == []
	kept := object.union(app, {"resizePolicy": [{"resourceName": "memory", "restartPolicy": "RestartContainer"}]})
	boosts([kept], operator({}, percent(50))) == [["StartupCPUBoost b", 0]]
}

guaranteed := [
	[percent(55), [1550]],
	[percent(0), []],
	[percent(1000000000000), []],
	[{"containerName": "app", "fixedResources": {"requests": "3", "limits": "3"}}, [3000]],
	[{"containerName": "app", "fixedResources": {"requests": "2", "limits": "3"}}, []],
	[{"containerName": "app", "fixedResources": {"requests": "500m", "limits": "500m"}}, []],
]

test_guaranteed_pods_keep_a_limit if {
	every case in guaranteed {
		[policy, want] := case
		[milli | some [_, milli] in boosts([fixed], operator({}, policy))] == want
	}
}
