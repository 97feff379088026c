package headroom.rules.runtimes["beam-busy-wait_test"]

import data.headroom.rules.runtimes["beam-busy-wait"] as rule

report(flags, from) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"env": [{"name": "ERL_FLAGS", "value": flags}],
		"envFrom": from,
		"resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": "500m"}},
	}]}}
}

test_reports if {
	some finding in report("+S 1", [])
	finding.container == "app"
	finding.path == ["spec", "containers", 0, "env"]
	finding.message == concat(" ", [
		"The BEAM's schedulers spin before they sleep (no +sbwt), and limits.cpu is 500m,",
		"which counts that as work.",
	])
	finding.figures == {"limit_millicores": 500}
}

test_says_what_may_set_it if {
	some finding in report("+S 1", [{"secretRef": {"name": "s"}}])
	endswith(finding.message, "This does not apply if envFrom sets it: Secret s.")
}

test_what_is_told_is_silent if report("+sbwt none +sbwtdcpu none +sbwtdio none", []) == set()

test_an_empty_variable_says_nothing if count(report(null, [])) == 1

test_nonsense_is_silent if {
	every env in [null, "ERL_FLAGS", 3, {}, [{"name": 3}]] {
		count(rule.report) == 0 with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
			"name": "app",
			"env": env,
			"resources": {"limits": {"cpu": "500m"}},
		}]}}
	}
}
