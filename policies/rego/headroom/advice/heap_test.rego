package headroom.advice_test

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm
import data.headroom.workload

bare := {
	"command": {"java": true},
	"c": {"memory_limit": 1},
	"flags": {},
	"numbers": {},
	"heap": {"bytes": 0, "percent": 0},
}

# way is the heap that is advised where so many percent and so many MiB are the most that pass, and
# 5 MiB the least that a JVM runs with.
way(j, percent, heap_mib) := text if {
	text := advice.heap_way(j, 100) with memory.largest_percentage as percent
		with memory.largest_heap_mib as heap_mib
		with memory.heap_at_percentage as as_many_mib
		with memory.least_heap_mib as 5
}

as_many_mib(_, _, percent) := {"bytes": percent * 1048576}

test_the_largest_heap_by_the_flag_that_decides if {
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}})
	unseen := object.union(bare, {"c": {"memory_limit": 0}})
	every case in [
		[bare, 6, 9, "at most -XX:MaxRAMPercentage=6.0 (-Xmx9m) under this limit"],
		[bare, 5, 9, "at most -XX:MaxRAMPercentage=5.0 (-Xmx9m) under this limit"],
		[bare, 4, 9, "at most -Xmx9m under this limit"],
		[bare, 0, 5, "at most -Xmx5m under this limit"],
		[bare, 4, 4, ""],
		[bare, 0, 0, ""],
		[set, 9, 9, "at most -Xmx9m under this limit"],
		[set, 9, 4, ""],
		[unseen, 9, 9, "at most -Xmx9m under this limit"],
	] {
		way(case[0], case[1], case[2]) == case[3]
	}
}

# What only takes a size is named by itself, with the flag that it becomes.
test_a_size_in_its_own_variable if {
	some j in jvm.jvms with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "bitnami/zookeeper:3.9.3",
		"env": [{"name": "ZOO_HEAP_SIZE", "value": "2048"}],
	}]}}
	advice.size_text(j, 512) == "ZOO_HEAP_SIZE=512 (-Xmx512m)"
}

# So is a share of the limit in a variable for shares, with the point that Java 8 wants where the script adds none.
test_a_share_in_its_own_variable if {
	every image, wanted in {
		"payara/server-full:6.2024.1": "at most MEM_MAX_RAM_PERCENTAGE=50.0 (-Xmx512m) under this limit",
		"quay.io/wildfly/wildfly-runtime:latest-jdk-17": "at most JAVA_MAX_MEM_RATIO=50 (-Xmx512m) under this limit",
	} {
		some j in jvm.jvms with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
			"name": "app",
			"image": image,
			"resources": {"limits": {"memory": "1Gi"}},
		}]}}
		way(j, 50, 512) == wanted
	}
}

test_figures_of_what_passes if {
	figures := advice.passing(bare, 100) with memory.largest_percentage as 25
		with memory.heap_at_percentage as as_many_mib
		with memory.largest_heap_mib as 26
		with memory.smallest_limit_mib as 4
		with memory.least_heap_mib as 25
	figures == {"passing_max_ram_percentage": 25, "passing_heap_mib": 26, "passing_limit_mib": 4}
	unseen := advice.largest_share(object.union(bare, {"c": {"memory_limit": 0}}), 100)
		with memory.largest_percentage as 25
		with memory.heap_at_percentage as as_many_mib
		with memory.least_heap_mib as 25
	unseen == 0
}

# A quarter of the limit, and 128 MiB but where the heap is smaller now.
test_the_least_heap if {
	every case in [
		[1024, 4096, 1024],
		[1024, 4097, 1025],
		[1024, 100, 128],
		[127, 100, 127],
		[0, 100, 128],
		[1, 100, 25],
	] {
		[heap_mib, limit_mib, wanted] := case
		memory.least_heap_mib({"heap": {"bytes": heap_mib * 1048576}}, limit_mib) == wanted
	}
}

# limit_said is the limit that is advised where mib passes with the flags as they are, and
# mib_with_xmx with a heap by its size.
limit_said(j, mib, mib_with_xmx) := text if {
	text := advice.limit_way(object.union(j, {"mib": mib}), 100) with memory.sufficient_limit_mib as limit_of
		with jvm.changed as {"mib": mib_with_xmx}
} else := "none"

limit_of(j) := j.mib

test_the_smallest_limit_in_proportion if {
	share := object.union(bare, {"heap": {"bytes": 209715201, "percent": 1}})
	start := object.union(share, {"heap": {"percent": 0}})
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}})
	every case in [
		[share, 150, 0, "limits.memory of 150Mi"],
		[share, 1, 0, "limits.memory of 1Mi"],
		[share, 151, 300, "-Xmx201m and limits.memory of 300Mi"],
		[share, 151, 0, ""],
		[share, 0, 0, ""],
		[start, 1, 300, "-Xmx201m and limits.memory of 300Mi"],
		[object.union(start, {"heap": {"bytes": 1}}), 1, 300, "-Xmx128m and limits.memory of 300Mi"],
		[start, 1, 0, ""],
		[set, 900, 0, "limits.memory of 900Mi"],
		[set, 1, 0, "limits.memory of 1Mi"],
	] {
		limit_said(case[0], case[1], case[2]) == case[3]
	}
}

# A request below its limit would be another finding; a request that is not written follows its limit.
test_the_request_follows_the_limit if {
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}, "c": {"raw": {"resources": {"requests": {"memory": "1"}}}}})
	limit_said(set, 900, 0) == "limits.memory of 900Mi (and requests.memory)"
}

both(heap, limit) := text if {
	text := advice.wanted_memory(bare, 100) with advice.heap_way as heap with advice.limit_way as limit
}

test_ways if {
	both("A", "B") == "A, or B"
	both("", "B") == "B"
	both("A", "") == "A"
	both("", "") == "other flags: no limit passes with these"
}

# A heap that a script makes of the limit grows with it, as a percentage does.
test_the_limit_of_a_share_by_a_script if {
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}, "heap": {"bytes": 209715200, "percent": 0}})
	kept := limit_said(set, 150, 300) with jvm.share_of_limit as {"percent": 50}
	kept == "limits.memory of 150Mi"
	grown := limit_said(set, 151, 300) with jvm.share_of_limit as {"percent": 50}
	grown == "-Xmx200m and limits.memory of 300Mi"
}

# enough is the limit that is named for a peak of 100 MiB.
enough(container) := limit if {
	pod := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union({"name": "app"}, container)]}}
	some c in workload.containers with input as pod
	limit := advice.memory_enough(c, 104857600) with input as pod
}

# A limit that is also the size of something has no number.
test_a_limit_that_a_heap_follows if {
	resources := {"resources": {"limits": {"memory": "1Gi"}}}
	enough(resources) == 125 * 1048576
	enough(object.union(resources, {"image": "quay.io/infinispan/server:15.0"})) == 0
	enough(object.union(resources, {"command": ["java", "-jar", "a.jar"]})) == 0
	enough(object.union(resources, {"command": ["java", "-Xmx512m", "-jar", "a.jar"]})) == 1088 * 1048576
}
