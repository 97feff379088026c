package headroom.rules.measured["restarted-while-throttled_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["restarted-while-throttled"] as rule

report(annotations, container, seen) := found if {
	found := rule.report with input as reviews.measured(annotations, container, seen)
}

probed(probe) := {"livenessProbe": probe, "resources": {"limits": {"cpu": "2"}}}

throttled := {"periods": 1000, "throttled": 80, "probe_kills": 4}

test_killed if {
	some f in report({}, probed({}), throttled)
	f.message == concat(" ", [
		"Ended 4 times with exit code 137 or 143, not as OOMKilled, and its Pods were throttled in 8 % of their periods:",
		"a throttled one may not answer its livenessProbe within 1 s.",
	])
	f.expected == "no throttling (HR602), or livenessProbe.timeoutSeconds of 5 or more"
	f.path == ["spec", "containers", 0, "livenessProbe", "timeoutSeconds"]
	some slow in report({}, probed({"timeoutSeconds": 3}), throttled)
	slow.figures.timeout_seconds == 3
}

test_silence if {
	count(report({}, probed({"timeoutSeconds": 5}), throttled)) == 0
	count(report({}, {"resources": {"limits": {"cpu": "2"}}}, throttled)) == 0
	count(report({}, {"livenessProbe": {}}, throttled)) == 0
	count(report({}, probed({}), object.union(throttled, {"throttled": 50}))) == 0
	count(report({}, probed({}), object.union(throttled, {"probe_kills": 0}))) == 0
	count(report({}, probed({}), {})) == 0
}
