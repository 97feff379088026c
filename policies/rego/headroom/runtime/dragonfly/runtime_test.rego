package headroom.runtime.dragonfly_test

import data.headroom.runtime.dragonfly
import data.headroom.runtimes

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "image": "docker.dragonflydb.io/dragonflydb/dragonfly:v1.30.0"},
	container,
)]}}

with_limits(cpu, memory, args) := {"args": args, "resources": {"limits": {"cpu": cpu, "memory": memory}}}

# of are {severity, expected} of what stops a server.
of(container) := [[stop.severity, stop.expected] | some stop in stopped] if {
	stopped := dragonfly.stopped with input as pod(container)
}

test_threads_by_the_limit if {
	of(with_limits("8", "1Gi", ["--maxmemory=1gb"])) == [[
		"error",
		"--proactor_threads=4, or --maxmemory=2048mb and limits.memory of 2560Mi",
	]]
	of(with_limits("4", "1Gi", [])) == [["error", "--proactor_threads=3, or limits.memory of 1280Mi"]]
	of(with_limits("600m", "256Mi", [])) == [["error", "limits.memory of 320Mi"]]
	of(with_limits("600m", "320Mi", [])) == []
	of(with_limits("1500m", "512Mi", [])) == [["warning", "--proactor_threads=1, or limits.memory of 640Mi"]]
}

test_threads_by_the_flag if {
	of(with_limits("8", "2Gi", ["--maxmemory", "128mb", "--proactor_threads=1"])) == [[
		"error",
		"--maxmemory=256mb and limits.memory of 320Mi",
	]]
	of(with_limits("8", "2Gi", ["--proactor_threads=many"])) == []
	of(object.union(with_limits("8", "1Gi", []), {"env": [{"name": "DFLY_proactor_threads", "value": "2"}]})) == []
}

test_threads_by_the_node if {
	alone := {"resources": {"limits": {"memory": "4Gi"}}}
	of(alone) == [["info", "--proactor_threads=12, or limits.memory of 20480Mi"]]
	[stop] := dragonfly.stopped with input as pod(alone)
	stop.message == concat(" ", [
		"Dragonfly runs a thread for each core of the node and wants 256 MiB for each;",
		"maxmemory is 3276 MiB (80 % of limits.memory).",
	])
	stop.why == "With more than 12 it ends at the start, and the container restarts for ever."
}

test_what_is_not_known if {
	of({"resources": {"limits": {"cpu": "4"}}}) == []
	of(with_limits("8", "1Gi", ["--maxmemory=much"])) == []
	of(with_limits("8", "1Gi", ["--flagfile=/etc/df"])) == []
	of(object.union(with_limits("8", "1Gi", []), {"envFrom": [{"secretRef": {"name": "a"}}]})) == []
}

test_ceilings if {
	[ceiling] := dragonfly.ceilings with input as pod(with_limits("1", "1Gi", ["--maxmemory=1gb"]))
	ceiling.expected == "--maxmemory of at most 819mb (80 % of limits.memory), or limits.memory of 1280Mi"
	dragonfly.ceilings == [] with input as pod(with_limits("1", "1Gi", []))
}

test_found if {
	runtimes.running[0].name == "dragonfly" with input as pod({})
	runtimes.running[0].name == "" with input as pod({"image": "example.com/app:1"})
}
