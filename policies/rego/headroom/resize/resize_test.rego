package headroom.resize_test

import data.headroom.resize
import data.headroom.reviews_test as reviews

pod(container, resources) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	object.union({"name": "app"}, container),
	{"resources": resources},
)]}}

resized(container, from, to) := reviews.of_object(pod(container, to), {"before": [pod(container, from)]})

memory(container, from, to) := [f | some f in found] if {
	found := resize.of_memory with input as resized(container, {"limits": from}, {"limits": to})
}

cpu(container, from, to) := [f | some f in found] if {
	found := resize.of_cpu with input as resized(container, {"limits": from}, {"limits": to})
}

share := {"command": ["java", "-XX:MaxRAMPercentage=75", "-jar", "a.jar"]}

fixed := {"command": ["java", "-Xmx3g", "-jar", "a.jar"]}

test_a_heap_keeps_its_size if {
	[f] := memory(share, {"memory": "4Gi"}, {"memory": "2Gi"})
	f.severity == "error"
	f.figures == {"before_bytes": 4294967296, "limit_bytes": 2147483648}
	regex.match(`^limits.memory of [0-9]+Mi or more, or the change in the workload`, f.expected)
	[g] := memory(fixed, {"memory": "4Gi"}, {"memory": "2Gi"})
	contains(g.message, "(heap 3072)")
	memory(share, {"memory": "4Gi"}, {"memory": "4096Mi"}) == []
	memory({"command": ["java", "-Xmx256m", "-jar", "a.jar"]}, {"memory": "4Gi"}, {"memory": "2Gi"}) == []

	# What it was started for is not known.
	memory(share, {}, {"memory": "2Gi"}) == []
	memory({"image": "openjdk:17"}, {"memory": "4Gi"}, {"memory": "lots"}) == []
}

test_a_heap_gets_nothing if {
	[f] := memory(fixed, {"memory": "4Gi"}, {"memory": "8Gi"})
	f.message == "limits.memory goes from 4Gi to 8Gi, and the running JVM keeps its heap (-Xmx3g (command line))."
	f.expected == "a restart with another -Xmx, where the heap is to grow"
	[g] := memory(share, {"memory": "4Gi"}, {"memory": "8Gi"})
	g.expected == "a restart, where the heap is to grow"
	memory(share, {}, {"memory": "8Gi"}) == []
}

# A share of the limit is one of the limit that the process was started under.
node := {"command": ["node", "--max-old-space-size-percentage=75", "a.js"]}

redis := {"command": ["redis-server", "--maxmemory", "3gb"]}

test_bounds_of_others if {
	[f] := memory(node, {"memory": "4Gi"}, {"memory": "2Gi"})
	f.severity == "error"
	contains(f.message, "and the running process keeps its bound: The old space may grow to 3072 MiB")
	f.why == "The container is OOMKilled before V8 collects garbage."
	memory(node, {"memory": "4Gi"}, {"memory": "3500Mi"}) == []
	[g] := memory(redis, {"memory": "4Gi"}, {"memory": "3Gi"})
	startswith(g.expected, "limits.memory of 3073Mi or more")
	[h] := memory(redis, {}, {"memory": "1Gi"})
	startswith(h.message, "limits.memory goes from none to 1Gi, ")
	memory(redis, {"memory": "4Gi"}, {"memory": "8Gi"}) == []
}

# Work memory that connections may take is no certain bound.
postgres := {"command": ["postgres", "-c", "shared_buffers=1GB", "-c", "work_mem=64MB", "-c", "max_connections=200"]}

test_bounds_that_are_not_certain if {
	[f] := memory(postgres, {"memory": "16Gi"}, {"memory": "4Gi"})
	f.severity == "warning"
}

go := {"env": [{"name": "GOMEMLIMIT", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}}]}

test_go if {
	[f] := memory(go, {"memory": "4Gi"}, {"memory": "2Gi"})
	f.severity == "warning"
	contains(f.message, "keeps its GOMEMLIMIT of 4Gi")
	memory({"env": [{"name": "GOMEMLIMIT", "value": "1GiB"}]}, {"memory": "4Gi"}, {"memory": "2Gi"}) == []
	memory(go, {"memory": "4Gi"}, {"memory": "8Gi"}) == []
}

pinned := {"command": ["java", "-XX:ActiveProcessorCount=2", "-jar", "a.jar"]}

test_a_fixed_count if {
	[f] := cpu(pinned, {"cpu": "2"}, {"cpu": "4"})
	f.message == "limits.cpu goes from 2 to 4: the running JVM still counts 2 processors."
	f.harm == "cost"
	f.why == "-XX:ActiveProcessorCount=2 (command line) is read at the start."
	startswith(f.expected, "a restart with another -XX:ActiveProcessorCount")

	# A boost that is taken back leaves what was fixed for the steady limit.
	cpu(pinned, {"cpu": "4"}, {"cpu": "2"}) == []
	cpu(pinned, {"cpu": "2"}, {}) == []
	cpu(pinned, {"cpu": "2"}, {"cpu": "2000m"}) == []
}

plain := {"command": ["java", "-jar", "a.jar"]}

test_what_was_counted if {
	[f] := cpu(plain, {"cpu": "4"}, {"cpu": "1"})
	f.message == "limits.cpu goes from 4 to 1: the running JVM keeps its threads for 4 processors."
	f.harm == "throttled"
	f.expected == "a restart, or -XX:ActiveProcessorCount=1 from the start, whatever the limit becomes"
	[g] := cpu(plain, {}, {"cpu": "1500m"})
	contains(g.message, "limits.cpu goes from none to 1500m: ")
	g.harm == "throttled"
	[none] := cpu(plain, {"cpu": "4"}, {})
	none.harm == "style"
	contains(g.message, "keeps its threads for all cores of the node")
	[h] := cpu(plain, {"cpu": "1"}, {"cpu": "3"})
	h.harm == "cost"
	contains(h.message, "its threads for 1 processor.")
	cpu(plain, {"cpu": "1200m"}, {"cpu": "2"}) == []
	cpu({"command": ["java", "-XX:-UseContainerSupport", "-jar", "a.jar"]}, {"cpu": "1"}, {"cpu": "2"}) == []
	cpu({"command": ["redis-server"]}, {"cpu": "1"}, {"cpu": "2"}) == []
	cpu({"image": "example.com/java-app:1"}, {"cpu": "1"}, {"cpu": "2"}) == []
}

test_a_restart_settles_it if {
	every resource in ["memory", "cpu"] {
		restarting := object.union(share, {"resizePolicy": [
			{"resourceName": resource, "restartPolicy": "RestartContainer"},
			{"resourceName": "other", "restartPolicy": "NotRequired"},
		]})
		count(memory(restarting, {"memory": "4Gi"}, {"memory": "2Gi"})) == {"memory": 0, "cpu": 1}[resource]
		count(cpu(restarting, {"cpu": "4"}, {"cpu": "2"})) == {"memory": 1, "cpu": 0}[resource]
	}
}

# The limit of the Pod bounds its containers.
of_pod(limit) := {"apiVersion": "v1", "kind": "Pod", "spec": {
	"resources": {"limits": {"memory": limit}},
	"containers": [object.union(share, {"name": "app"})],
}}

test_the_limit_of_the_pod if {
	[f] := resize.of_memory with input as reviews.of_object(of_pod("2Gi"), {"before": [of_pod("4Gi")]})
	f.path == ["spec", "resources", "limits", "memory"]
	startswith(f.message, "limits.memory goes from 4Gi to 2Gi")
}

test_nonsense if {
	every wrong in [null, 1, "a", [], [1], {}] {
		resize.of_memory == [] with input as reviews.of_object(pod(share, {}), {"before": wrong})
		memory(object.union(share, {"resizePolicy": wrong}), {"memory": "4Gi"}, {"memory": 5}) != null
	}
}
