package headroom.rules.measured["oom-killed_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["oom-killed"] as rule

report(annotations, container, seen) := found if {
	found := rule.report with input as reviews.measured(annotations, container, seen)
}

limit(size) := {"resources": {"limits": {"memory": size}}}

test_kills if {
	some f in report({}, limit("1Gi"), {"oom_kills": 3, "memory_peak": "1020Mi"})
	f.message == "OOMKilled 3 times in 7d (Prometheus). Its memory peak is 1020 MiB, the limit 1024 MiB."
	f.expected == "limits.memory: 1280Mi or more"
	f.severity == "error"
	f.outcome == "possible"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	f.figures == {"kills": 3, "limit_bytes": 1073741824}
}

# Few samples do not matter: what is killed all the time has few.
test_kills_without_samples if {
	some f in report({}, limit("1Gi"), {"oom_kills": 1, "samples": -1, "age_seconds": -1, "window_seconds": 0})
	f.message == "OOMKilled once (Prometheus)."
}

test_no_limit_is_the_pods_or_the_nodes if {
	some f in report({}, {}, {"oom_kills": 2})
	f.expected == "a larger limits.memory, and requests.memory with it"
}

test_a_larger_limit_since if {
	some f in report({}, limit("2Gi"), {"oom_kills": 3, "memory_peak": "1020Mi"})
	f.severity == "info"
	endswith(f.message, " The limit was smaller then.")
}

java(flags) := object.union(limit("1Gi"), {"command": array.concat(["java"], flags)})

test_foretold if {
	some f in report({}, java(["-Xmx1000m"]), {"oom_kills": 1})
	regex.match(` Its budget comes to [0-9.]+ MiB, and the limit is 1024: too little was left free\.$`, f.message)
	f.figures.budget_mib > 1024
	f.expected == "a smaller heap or a larger limit, as HR303 or HR304 says"
}

test_not_foretold if {
	some f in report({}, java(["-Xmx64m", "-Xss512k"]), {"oom_kills": 1})
	endswith(f.message, ": something that it does not count took the rest.")
	contains(f.expected, "; or say what takes it: jvm.headroom.dev/app: direct=")
}

# Exit code 137 alone is no proof of anything.
test_an_end_of_unknown_cause if {
	some f in report({}, limit("1Gi"), {"probe_kills": 2, "memory_peak": "1000Mi"})
	f.severity == "info"
	f.message == concat(" ", [
		"Ended twice in 7d with exit code 137 or 143, and not as OOMKilled (Prometheus).",
		"The cause is not known: a process in it that was OOMKilled, or somebody who ended it;",
		"its memory peak is 97.7 % of the limit.",
	])
	f.figures == {"kills": 2, "limit_bytes": 1073741824}
	some probed in report({}, {"livenessProbe": {}}, {"probe_kills": 1})
	endswith(probed.message, ": a failed probe, a process in it that was OOMKilled, or somebody who ended it.")
}

# HR605 says more, and so does a kill that is known.
test_an_end_that_others_tell_of if {
	throttled := {"probe_kills": 2, "periods": 1000, "throttled": 80}
	slow := {"livenessProbe": {}, "resources": {"limits": {"cpu": "2"}}}
	count(report({}, slow, throttled)) == 0
	{f.severity | some f in report({}, limit("1Gi"), {"probe_kills": 2, "oom_kills": 1})} == {"error"}
}

test_silence if {
	count(report({}, limit("1Gi"), {"oom_kills": 0})) == 0
	count(report({}, limit("1Gi"), {})) == 0
}
