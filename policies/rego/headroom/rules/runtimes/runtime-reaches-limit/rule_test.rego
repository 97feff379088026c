package headroom.rules.runtimes["runtime-reaches-limit_test"]

import data.headroom.rules.runtimes["runtime-reaches-limit"] as rule

report(memory, heap) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["node", sprintf("--max-old-space-size=%v", [heap]), "server.js"],
		"resources": {"limits": {"memory": memory}},
	}]}}
}

test_reports if {
	some finding in report("2Gi", 4096)
	finding.container == "app"
	finding.path == ["spec", "containers", 0, "command", 1]
	finding.message == "The old space may grow to 4096 MiB (--max-old-space-size=4096), and the memory limit is 2048 MiB."
	finding.why == "The container will be OOMKilled before V8 collects garbage."
	finding.severity == "error"
	finding.size == 200
}

test_what_fits_is_silent if report("2Gi", 1536) == set()

# Node's buffers lie outside the old space.
test_what_leaves_little if {
	some finding in report("2Gi", 1900)
	finding.severity == "info"
	finding.message == concat(" ", [
		"The old space may grow to 1900 MiB (--max-old-space-size=1900), and the memory limit of 2048 MiB leaves",
		"148 MiB beside that.",
	])
	startswith(finding.expected, "--max-old-space-size=1536 ")
	report("2Gi", 1843) == set()
}

pool(memory, annotation, command) := found if {
	found := rule.report with input as {
		"apiVersion": "v1", "kind": "Pod",
		"metadata": {"annotations": {"runtime.headroom.dev/app": annotation}},
		"spec": {"containers": [{
			"name": "app", "command": command,
			"resources": {"limits": {"memory": memory}},
		}]},
	}
}

test_workers_that_have_little if {
	some finding in pool("512Mi", "python", ["gunicorn", "-w", "16", "shop"])
	finding.message == "16 workers (gunicorn --workers 16) share limits.memory of 512 MiB: each has 32 MiB of it."
	finding.severity == "info"
	contains(finding.expected, "runtime.headroom.dev/app")
	pool("1Gi", "python", ["gunicorn", "-w", "16", "shop"]) == set()
	pool("512Mi", "python worker=20Mi", ["gunicorn", "-w", "16", "shop"]) == set()
	pool("32Mi", "python", ["gunicorn", "-w", "1", "shop"]) == set()
	pool(null, "python", ["gunicorn", "-w", "16", "shop"]) == set()
}

test_no_limit_is_silent if report(null, 4096) == set()

test_what_an_image_plans if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "flink:1.18",
		"args": ["taskmanager"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	{f.severity | some f in found} == {"warning"}
}

test_what_is_not_certain_is_a_warning if {
	some finding in rule.report with data.headroom.runtimes.ceilings as [{
		"c": {"name": "app", "memory_limit": 100},
		"sure": false,
		"path": [],
		"terms": [{"text": "1 MiB", "bytes": 1048576, "sure": true}],
		"before": "it ends",
		"expected": "less",
	}]
	finding.severity == "warning"
	finding.why == "The container can be OOMKilled before it ends."
}

test_a_bound_that_the_runtime_does_not_take if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"env": [{"name": "DOTNET_GCHeapHardLimitPercent", "value": "0x64"}],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	found == {{
		"container": "app",
		"path": ["spec", "containers", 0, "env", 0, "value"],
		"message": "DOTNET_GCHeapHardLimitPercent is hexadecimal: 0x64 is 100 %, and .NET takes less than 100 % only.",
		"why": "The heap's bound stays at the default, 75 % of limits.memory.",
		"expected": `no DOTNET_GCHeapHardLimitPercent, or at most "0x4B", which is 75 %`,
		"figures": {"percent": 100},
		"severity": "warning",
	}}
}
