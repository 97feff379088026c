package headroom.rules.memory["jvm-heap-reaches-limit_test"]

import data.headroom.rules.memory["jvm-heap-reaches-limit"] as rule

pod(container, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": annotations},
	"spec": {"containers": [object.union(
		{"name": "app", "image": "registry.example.com/app:1", "command": ["java", "-jar", "/app.jar"]},
		container,
	)]},
}

# report is what the rule says of a JVM with these flags in JAVA_TOOL_OPTIONS, under a limit
# of 4Gi and without one of CPU.
report(text, more, annotations) := found if {
	container := object.union(
		{
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": text}],
			"resources": {"requests": {"cpu": "1"}, "limits": {"memory": "4Gi"}},
		},
		more,
	)
	found := rule.report with input as pod(container, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

# M1: -Xmx4g under 4096 MiB.
test_the_heap_is_the_limit if {
	some f in report("-Xmx4g", {}, {})
	f.path == flags_path
	f.message == concat("", [
		"The maximum heap is 4096 MiB, -Xmx4g (JAVA_TOOL_OPTIONS), and the memory limit 4096 MiB: ",
		"the kernel kills the container as soon as the heap is used.",
	])

	# 2100 + 256 + 240 + 256 + 250 + 174 = 3276 MiB, 80 % of 4096; (4096 + 256 + 240 + 256 + 250 + 254) / 0.8 = 6690.
	f.expected == concat(" ", [
		"at most -Xmx2100m under this limit, or limits.memory of 6720Mi",
		"with -XX:MaxDirectMemorySize=256m",
	])
	f.figures.limit_mib == 4096
}

test_below_the_limit if {
	count(report("-Xmx4094m", {}, {})) == 0
	count(report("-Xmx4095m", {}, {})) == 1
}

test_small if {
	some f in report("-Xmx512m", {"resources": {"limits": {"memory": "512Mi"}}}, {})
	startswith(f.expected, "-XX:MaxRAMPercentage=50.0 and caps on the other regions, or limits.memory of ")
}

test_all_of_the_limit if {
	some f in report("-XX:MaxRAMPercentage=100.0", {}, {})
	f.expected == "at most -Xmx2100m under this limit with -XX:MaxDirectMemorySize=256m"
}

# No JVM takes less than 124.8 MiB where its memory is more than that.
test_the_least_heap if {
	some f in report("-XX:MinRAMPercentage=100.0", {"resources": {"limits": {"memory": "100Mi"}}}, {})
	f.path == flags_path
	count(report("", {"resources": {"limits": {"memory": "100Mi"}}}, {})) == 0
}

test_no_limit if {
	count(report("-Xmx4g", {"resources": {"limits": {"memory": null}}}, {})) == 0
}

test_init_containers_too if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"command": ["java", "-Xmx1g", "Main"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	{f.container | some f in found} == {"init"}
}

# Direct memory that is bounded is taken as it is.
test_direct_memory_that_is_bounded if {
	some f in report("-Xmx4g -XX:MaxDirectMemorySize=1g", {}, {})
	not contains(f.expected, "MaxDirectMemorySize")
}
