package headroom.rules.memory["jvm-headroom_test"]

import data.headroom.rules.memory["jvm-headroom"] as rule

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

chapter := "-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=256m -Xss512k"

declared := {"jvm.headroom.dev/app": "threads=200 native=100Mi"}

# M1: 75 % of 4096 MiB leaves 184.
test_three_quarters if {
	some f in report(concat(" ", ["-XX:MaxRAMPercentage=75.0", chapter]), {}, declared)
	f.path == flags_path
	startswith(f.message, concat("", [
		"heap 3072 (-XX:MaxRAMPercentage=75.0) + metaspace 256 (-XX:MaxMetaspaceSize=256m) + ",
		"code cache 128 (-XX:ReservedCodeCacheSize=128m) + direct 256 (-XX:MaxDirectMemorySize=256m) + ",
		"stacks 100 (200 threads of 512 KiB, annotation) + native 100 (annotation) = 3912 MiB: ",
		"it leaves 184 of 4096 MiB, 4.5 %. 20 % must stay free.",
	]))
	f.expected == concat(", or ", [
		"at most -XX:MaxRAMPercentage=59.0 (-Xmx2436m) under this limit",
		"-Xmx3072m and limits.memory of 4928Mi",
	])
	f.figures.left_mib == 184
	f.figures.headroom_percent == 4.5
	f.figures.terms[0] == {"name": "heap", "mib": 3072, "source": "-XX:MaxRAMPercentage=75.0"}
	f.severity == "error"
}

test_half if {
	count(report(concat(" ", ["-XX:MaxRAMPercentage=50.0", chapter]), {}, declared)) == 0
}

test_what_it_expects_passes if {
	count(report(concat(" ", ["-XX:MaxRAMPercentage=59.0", chapter]), {}, declared)) == 0
	count(report(concat(" ", ["-XX:MaxRAMPercentage=60.0", chapter]), {}, declared)) == 1
	large := {"resources": {"limits": {"memory": "16832Mi"}}}
	count(report(concat(" ", ["-XX:MaxRAMPercentage=75.0", chapter]), large, declared)) == 0
}

test_more_than_the_limit if {
	small := {"resources": {"limits": {"memory": "512Mi"}}}
	some f in report("-XX:MaxRAMPercentage=90.0", small, {})
	contains(f.message, "more than the limit of 512 MiB")
	f.expected == concat("", [
		"-Xmx462m and limits.memory of 2240Mi, ",
		"or with -XX:MaxDirectMemorySize=256m, -XX:ReservedCodeCacheSize=128m and -Xss512k: ",
		"-Xmx462m and limits.memory of 1664Mi (no heap fits under this limit)",
	])
	f.figures.passing_limit_mib == 0
}

# Without a flag for the heap, the limit is the field to change.
test_defaults if {
	small := {"resources": {"limits": {"memory": "1Gi"}}}
	some f in report("", small, {})
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	contains(f.message, "heap 256 (25 % of the limit, JVM default)")
	contains(f.message, "direct 256 (as much as the heap, JVM default)")
	contains(f.message, "native 100 (Serial, assumed)")
}

# Assumptions alone make a warning.
test_assumed if {
	some f in report("-Xmx2g", {}, {})
	f.severity == "warning"
	contains(f.message, "nobody has bounded")
	contains(f.message, "annotation jvm.headroom.dev/app")
}

test_silent if {
	count(report("-Xmx4g", {}, {})) == 0
	count(report("-Xmx3g", {"resources": {"limits": {"memory": null}}}, {})) == 0
	secret := {"env": [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}
	count(report("", object.union(secret, {"resources": {"limits": {"memory": "256Mi"}}}), {})) == 0
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"command": ["java", "-Xmx900m", "Main"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	count(found) == 0
}

# 512 + 128 + 128 + 128 + 64 + native under 1280 MiB, of which 1024 may be used.
edge(native) := report(
	"-Xmx512m -XX:MaxMetaspaceSize=128m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=128m -Xss512k",
	{"resources": {"limits": {"memory": "1280Mi"}}},
	{"jvm.headroom.dev/app": concat("=", ["threads=128 native", native])},
)

test_exactly_a_fifth_is_enough if {
	count(edge("64Mi")) == 0
	some f in edge("65Mi")
	f.figures.total_mib == 1025
	f.figures.left_mib == 255
	f.severity == "error"
	contains(f.message, "it leaves 255 of 1280 MiB, 19.9 %. 20 % must stay free.")
}

# Of what nobody has bounded only the low end is certain: 512 + 50 + 128 + 128 + 64 + native.
least(native) := report(
	"-Xmx512m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=128m -Xss512k",
	{"resources": {"limits": {"memory": "1280Mi"}}},
	{"jvm.headroom.dev/app": concat("=", ["threads=128 native", native])},
)

test_an_error_is_certain if {
	some f in least("142Mi")
	f.figures.least_mib == 1024
	f.severity == "warning"
	some g in least("143Mi")
	g.figures.least_mib == 1025
	g.severity == "error"
}

test_a_budget_that_is_not_complete if {
	count(report("-XX:-UseContainerSupport", {"resources": {"limits": {"memory": "512Mi"}}}, {})) == 0
	count(report("-XX:-UseContainerSupport -Xmx256m", {"resources": {"limits": {"memory": "512Mi"}}}, {})) == 1
}

test_the_headroom_of_the_config if {
	found := edge("64Mi") with data.headroom.overrides as {"memory": {"headroom": 0.25}}
	some f in found
	contains(f.message, "it leaves 256 of 1280 MiB, 20 %. 25 % must stay free.")
	count(edge("65Mi")) == 1
	count(edge("65Mi")) == 0 with data.headroom.overrides as {"memory": {"headroom": 0.1}}
}

test_the_heap_that_wins if {
	three := concat(" ", ["-XX:MaxRAMPercentage=75.0", chapter])
	lower := {"command": ["java", "-Xmx1g", "-jar", "/app.jar"]}
	count(report(three, lower, declared)) == 0
	higher := {"command": ["java", "-Xmx3g", "-jar", "/app.jar"]}
	some f in report(concat(" ", ["-XX:MaxRAMPercentage=50.0", chapter]), higher, declared)
	f.path == ["spec", "containers", 0, "command"]
}

# A start script of the program sets the heap, out of sight; a bare JDK has none.
test_a_probable_jvm if {
	some f in report("", {"command": null, "env": [{"name": "JAVA_OPTS", "value": "-Xmx3g"}]}, {})
	f.path == flags_path
	small := {"command": null, "env": [], "resources": {"limits": {"memory": "600Mi"}}}
	count(report("", object.union(small, {"image": "eclipse-temurin:21"}), {})) == 1
	count(report("", object.union(small, {"image": "apache/kafka:4.0"}), {})) == 0
}

test_native_sidecars if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "agent",
		"restartPolicy": "Always",
		"command": ["java", "-Xmx900m", "Main"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	{f.container | some f in found} == {"agent"}
}

# -Xms and -Xmx are lowered together, or a cap is enough.
test_an_initial_heap_as_large_as_the_maximum if {
	some f in report("-Xms2g -Xmx2g", {}, {})
	f.expected == concat("", [
		"-XX:MaxDirectMemorySize=256m, or, without it, ",
		"at most -Xms1196m and -Xmx1196m under this limit, or limits.memory of 6272Mi",
	])
	count(report("-Xms2g -Xmx2g -XX:MaxDirectMemorySize=256m", {}, {})) == 0
	count(report("-Xms1196m -Xmx1196m", {}, {})) == 0
}

# A percentage would be one of the node's memory.
test_without_container_support if {
	some f in report("-XX:-UseContainerSupport -Xmx1g", {"resources": {"limits": {"memory": "2Gi"}}}, {})
	f.expected == "with -XX:MaxDirectMemorySize=256m: at most -Xmx524m under this limit, or limits.memory of 2752Mi"
	f.figures.passing_max_ram_percentage == 0
}
