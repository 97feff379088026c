package headroom.rules.measured["cpu-pressure_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["cpu-pressure"] as rule

report(annotations, container, seen) := found if {
	found := rule.report with input as reviews.measured(annotations, container, seen)
}

asked(cpu) := {"resources": {"requests": {"cpu": cpu}}}

waiting(seconds) := {"cpu_average": "1", "cpu_peak": "3", "cpu_waiting_seconds": seconds, "observed_seconds": 1000}

test_waiting if {
	some f in report({}, asked("500m"), waiting(200))
	startswith(f.message, "Threads waited for a CPU 20 % of the time, and it is hardly throttled: requests.cpu 500m ")
	f.expected == "requests.cpu: 3 (the measured peak)"
	f.path == ["spec", "containers", 0, "resources", "requests", "cpu"]
}

test_silence if {
	count(report({}, asked("500m"), waiting(100))) == 0
	count(report({}, asked("3"), waiting(900))) == 0
	count(report({}, asked("500m"), object.union(waiting(900), {"periods": 100, "throttled": 2}))) == 0
	count(report({}, asked("500m"), {})) == 0
}
