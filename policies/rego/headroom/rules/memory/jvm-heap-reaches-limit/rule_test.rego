package headroom.rules.memory["jvm-heap-reaches-limit_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.memory["jvm-heap-reaches-limit"] as rule

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

chapter := "-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=256m -Xss512k"

declared := {"jvm.headroom.dev/app": "threads=200 native=100Mi"}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

# M1: -Xmx4g under 4096 MiB.
test_the_heap_is_the_limit if {
	some f in report("-Xmx4g", {}, {})
	f.path == flags_path
	f.message == "The maximum heap is 4096 MiB, -Xmx4g (JAVA_TOOL_OPTIONS); the memory limit is 4096 MiB."
	f.why == "The container will be OOMKilled once the heap fills."
	f.outcome == "certain"

	# Too much of it is assumed for a number.
	endswith(f.expected, ", then lower the heap or raise the limit")
	f.figures.limit_mib == 4096
}

test_below_the_limit if {
	count(report("-Xmx4094m", {}, {})) == 0
	count(report("-Xmx4095m", {}, {})) == 1
}

test_the_smallest_limit if {
	limits := {"1": 1, "0": 0, "lots": 0, "-1": 0}
	every limit, findings in limits {
		count(report("-Xmx512m", {"resources": {"limits": {"memory": limit}}}, {})) == findings
	}
}

test_all_of_the_limit if {
	some f in report(concat(" ", ["-XX:MaxRAMPercentage=100.0", chapter]), {}, declared)
	f.expected == concat("", [
		"at most -XX:MaxRAMPercentage=66.0 (-Xmx2734m) under this limit, ",
		"or -Xmx4096m and limits.memory of 5696Mi",
	])
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

# Direct memory that is bounded is taken as it is: 4096 + 96 + 64 + 256 + 25 + 100 = 4637, and 1024 stay free.
test_direct_memory_that_is_bounded if {
	some f in report(concat(" ", ["-Xmx4g", chapter]), {}, declared)
	f.expected == "at most -Xmx2734m under this limit, or limits.memory of 5696Mi"
}

limit_path := ["spec", "containers", 0, "resources", "limits", "memory"]

under(limit) := {"resources": {"requests": {"cpu": "1"}, "limits": {"memory": limit}}}

# The default is a share of what the JVM takes for its memory.
test_a_default_that_reaches_the_limit if {
	some f in report("-XX:MaxRAM=8g", under("1Gi"), {})
	f.path == limit_path
	startswith(f.message, "The maximum heap is 2048 MiB, the JVM's default; the memory limit is 1024 MiB")
	count(report("-XX:MaxRAM=2g", under("1Gi"), {})) == 0
}

test_the_initial_heap_lifts_the_maximum if {
	some f in report("-Xms1g", under("1Gi"), {})
	contains(f.message, "-Xms1g (JAVA_TOOL_OPTIONS)")
	count(report("-Xms1000m", under("1Gi"), {})) == 0
}

test_a_limit_in_powers_of_ten if {
	count(report("-Xmx1g", under("1G"), {})) == 1
	count(report("-Xmx950m", under("1G"), {})) == 0
}

test_a_limit_that_cannot_be_read if {
	count(report("-Xmx4g", under("4GB"), {})) == 0
}

test_the_strongest_source_decides if {
	line := {"command": ["java", "-Xmx1g", "-jar", "/app.jar"]}
	count(report("-Xmx8g", line, {})) == 0
	some f in report("-Xmx1g", {"command": ["java", "-Xmx8g", "-jar", "/app.jar"]}, {})
	f.path == ["spec", "containers", 0, "command"]
}

# HR401 speaks: the heap follows the node.
test_a_jvm_that_does_not_see_the_limit if {
	count(report("-XX:-UseContainerSupport", {}, {})) == 0
	count(report("-XX:-UseContainerSupport -Xmx4g", {}, {})) == 1
}

test_beside_a_secret if {
	secret := [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
	count(report("", {"env": secret}, {})) == 0
	count(report("", {"env": secret, "command": ["java", "-Xmx4g", "-jar", "/app.jar"]}, {})) == 1
}

test_a_config_map_of_the_same_input if {
	container := object.union(under("1Gi"), {"env": [], "envFrom": [{"configMapRef": {"name": "jvm"}}]})
	found := rule.report with input as reviews.of_object(
		reviews.pod(container, {}),
		{"config_maps": [{"metadata": {"name": "jvm"}, "data": {"JAVA_TOOL_OPTIONS": "-Xmx1g"}}]},
	)
	some f in found
	f.path == ["spec", "containers", 0, "envFrom", 0]
}

test_a_probable_jvm if {
	some f in report("", {"command": null, "env": [{"name": "JVM_OPTS", "value": "-Xmx4g"}]}, {})
	contains(f.message, "-Xmx4g (JVM_OPTS)")
	f.severity == "warning"
	{sure.severity | some sure in report("-Xmx4g", {}, {})} == {"error"}
	nginx := {"image": "nginx", "command": ["nginx", "-Xmx4g"], "env": []}
	count(report("", nginx, {})) == 0
}

# JVM_OPTS is a start script's to hand on: what becomes of it is said with that condition.
test_assumed_flags if {
	variables := [{"name": "JVM_OPTS", "value": "-Xmx4g"}]
	read_too := array.concat(variables, [{"name": "JAVA_TOOL_OPTIONS", "value": "-Dx=1"}])

	# A script that the manifest does not show may run the image's own.
	wrapped := {
		"image": "elasticsearch:7.5.1",
		"command": ["/opt/our-entrypoint.sh"],
		"env": [],
		"resources": {"limits": {"memory": "1Gi"}},
	}
	every container, severity in {
		{"command": null, "env": variables}: "warning",
		{"command": null, "env": read_too}: "error",
		{"command": null, "args": ["-Xmx4g", "-XX:+UseG1GC", "-jar", "/app.jar"], "env": []}: "warning",
		wrapped: "warning",
	} {
		some f in report("", container, {})
		f.why == "If java is started with this flag, the container is OOMKilled once the heap fills."
		f.severity == severity
		f.outcome == "possible"
	}
	some g in report("-Xmx4g", {"command": ["/run.sh"]}, {"runtime.headroom.dev/app": "jvm"})
	g.why == "The container will be OOMKilled once the heap fills."
	g.severity == "error"
}
