package headroom.runtimes_crowds_test

import data.headroom.runtimes

pod(annotation, memory, resources) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"runtime.headroom.dev/app": annotation}},
	"spec": {"containers": [{
		"name": "app",
		"command": ["celery", "worker"],
		"resources": {"limits": object.union({"memory": memory}, resources)},
	}]},
}

crowd(annotation, memory, resources) := found[0] if {
	found := runtimes.crowds with input as pod(annotation, memory, resources)
}

test_what_one_takes_is_not_known if {
	found := crowd("python", "4Gi", {})
	found.severity == "info"
	found.why == "On a node of 64 cores each has 64 MiB of it. If that is too little, they are OOMKilled."
	startswith(found.expected, "--concurrency=N, with N × what one of them holds below 90 % of limits.memory; worker= in")
}

test_what_one_takes_is_declared if {
	found := crowd("python worker=180Mi", "4Gi", {})
	found.severity == "warning"
	startswith(found.why, "On a node of more than 20 cores they need more, at 180 MiB each (declared)")
	found.expected == "--concurrency=20, or fewer"
	crowd("python worker=8Gi", "4Gi", {}).expected == "--concurrency=1, or fewer"
}

test_nodes_that_are_known if {
	small := {"nodes": {"cores": 16}}
	not crowd("python worker=180Mi", "4Gi", {}) with data.headroom.overrides as small
	on_16 := crowd("python", "4Gi", {}) with data.headroom.overrides as small
	contains(on_16.why, "On a node of 16 cores each has 256 MiB")
	crowd("python worker=512Mi", "4Gi", {}).severity == "warning" with data.headroom.overrides as small
}

test_what_throttles_or_has_no_bound_is_silent if {
	not crowd("python", "4Gi", {"cpu": "2"})
	not crowd("python", null, {})
}
