package headroom.rules.measured["cpu-throttled_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["latency-cpu-limit"] as limit_rule
import data.headroom.rules.measured["cpu-throttled"] as rule

report(annotations, container, seen) := found if {
	found := rule.report with input as reviews.measured(annotations, container, seen)
}

limited := {"resources": {"limits": {"cpu": "2"}}}

severity(class, throttled, long) := [f.severity | some f in found] if {
	annotations := {"headroom.dev/workload-class": class}
	seen := {"periods": 1000, "throttled": throttled, "throttled_long_seconds": long}
	found := report(annotations, limited, seen)
}

# Each case: the class, throttled periods of a thousand, seconds over 5 %, and how severe that is.
cases := [
	["latency-sensitive", 9, 0, []],
	["latency-sensitive", 10, 0, ["info"]],
	["latency-sensitive", 11, 0, ["info"]],
	["latency-sensitive", 50, 0, ["info"]],
	["latency-sensitive", 11, 599, ["info"]],
	["latency-sensitive", 11, 600, ["warning"]],
	["latency-sensitive", 51, 0, ["warning"]],
	["latency-sensitive", 249, 0, ["warning"]],
	["latency-sensitive", 250, 0, ["error"]],
	["batch", 900, 6000, ["info"]],
	["cron", 900, 6000, ["info"]],
]

test_severities if {
	every case in cases {
		[class, throttled, long, want] := case
		severity(class, throttled, long) == want
	}
}

test_words if {
	some f in report({"headroom.dev/workload-class": "sidecar"}, limited, {
		"periods": 1000, "throttled": 412, "throttled_long_seconds": 10800,
	})
	startswith(f.message, "Throttled in 41.2 % of its periods, over 5 % for 3h (measured by Prometheus: ")
	endswith(f.message, "): about 41 % of short requests are delayed, 65 % of those that run 100 ms.")
	f.expected == "limits.cpu above 2, or fewer threads at once; then measure again"
	f.path == ["spec", "containers", 0, "resources", "limits", "cpu"]
	f.size == 41.2
}

test_the_share_of_requests if {
	every throttled, words in {
		11: "about 1 % of short requests are delayed, 2 % of those that run 100 ms.",
		100: "about 10 % of short requests are delayed, 19 % of those that run 100 ms.",
		500: "about 50 % of short requests are delayed, 75 % of those that run 100 ms.",
		1000: "about 100 % of short requests are delayed, 100 % of those that run 100 ms.",
	} {
		some f in report({}, limited, {"periods": 1000, "throttled": throttled})
		endswith(f.message, words)
	}
}

test_a_class_without_limits if {
	some f in report({"headroom.dev/workload-class": "latency-sensitive"}, limited, {"periods": 1000, "throttled": 412})
	startswith(f.expected, "no CPU limit")
}

# A container that follows the advice has no limit, and too few counts are not known.
test_silence if {
	throttled := {"periods": 1000, "throttled": 412}
	count(report({}, {}, throttled)) == 0
	count(report({}, limited, object.union(throttled, {"samples": 1}))) == 0
	count(report({}, limited, {"periods": 0, "throttled": 0})) == 0
	count(report({}, limited, {})) == 0
}

# HR202 speaks for it, and says so much of it.
test_the_limit_that_is_to_go_tells_it if {
	seen := {"periods": 1000, "throttled": 52}
	annotations := {"headroom.dev/workload-class": "latency-sensitive"}
	throttled := limit_rule.report with input as reviews.measured(annotations, limited, seen)
	some f in throttled
	endswith(f.message, "As measured, it was throttled in 5.2 % of its periods.")
	calm := limit_rule.report with input as reviews.measured(annotations, limited, {})
	some g in calm
	not contains(g.message, "As measured")
}
