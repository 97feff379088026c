package headroom.rules.runtimes["runtime-counts-node_test"]

import data.headroom.rules.runtimes["runtime-counts-node"] as rule

report(limit, threads) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"env": [{"name": "OMP_NUM_THREADS", "value": threads}],
		"resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": limit}},
	}]}}
}

test_reports if {
	some finding in report("2", "32")
	finding.container == "app"
	finding.path == ["spec", "containers", 0, "env", 0, "value"]
	startswith(finding.message, "OpenMP runs 32 threads (OMP_NUM_THREADS=32), and limits.cpu is 2: 32 at once use")
	finding.expected == "OMP_NUM_THREADS: \"2\", limits.cpu rounded up"
	finding.fix == []
}

test_what_fits_is_silent if report("2", "4") == set()

test_no_limit_is_silent if report(null, "32") == set()

test_nonsense_is_silent if {
	every threads in ["", "0", "-1", "many", "1e3", null, 3, {}, "99999999999999999999"] {
		report("1", threads) == set()
	}
}
