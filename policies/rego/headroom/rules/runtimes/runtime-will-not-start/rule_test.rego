package headroom.rules.runtimes["runtime-will-not-start_test"]

import data.headroom.rules.runtimes["runtime-will-not-start"] as rule

report(args) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "cache",
		"image": "ghcr.io/dragonflydb/dragonfly:v1.30.0",
		"args": args,
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
}

test_reports if {
	some finding in report(["--maxmemory=768mb", "--proactor_threads=4"])
	finding.container == "cache"
	finding.path == ["spec", "containers", 0, "args", 0]
	finding.message == concat(" ", [
		"Dragonfly runs 4 threads (--proactor_threads) and wants 256 MiB for each; maxmemory is 768 MiB (--maxmemory).",
	])
	finding.severity == "error"
	finding.outcome == "certain"
}

test_what_fits_is_silent if report(["--maxmemory=768mb", "--proactor_threads=3"]) == set()
