package headroom.rules.memory["jvm-headroom_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.memory["jvm-headroom"] as rule

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

chapter := "-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=256m -Xss512k"

declared := {"jvm.headroom.dev/app": "threads=200 native=100Mi"}

# M1: 75 % of 4096 MiB.
test_three_quarters if {
	some f in report(concat(" ", ["-XX:MaxRAMPercentage=75.0", chapter]), {}, declared)
	f.path == flags_path
	f.message == concat("", [
		"The JVM is expected to use 3613 MiB (heap 3072), and the limit is 4096 MiB: ",
		"483 MiB are left, 11.8 %, and 20 % must stay free. ",
		"It may use as little as 3189 MiB.",
	])
	f.expected == concat(", or ", [
		"at most -XX:MaxRAMPercentage=66.0 (-Xmx2734m) under this limit",
		"-Xmx3072m and limits.memory of 4544Mi",
	])
	[f.figures.least_mib, f.figures.total_mib, f.figures.bound_mib] == [3189, 3613, 3912]
	f.figures.left_mib == 483
	f.figures.headroom_percent == 11.8
	f.figures.terms[0] == {
		"name": "heap",
		"mib": 3072,
		"least": 3072,
		"most": 3072,
		"grade": "declared",
		"source": "-XX:MaxRAMPercentage=75.0",
	}
	f.severity == "warning"
}

test_half if {
	count(report(concat(" ", ["-XX:MaxRAMPercentage=50.0", chapter]), {}, declared)) == 0
}

test_what_it_expects_passes if {
	count(report(concat(" ", ["-XX:MaxRAMPercentage=66.0", chapter]), {}, declared)) == 0
	count(report(concat(" ", ["-XX:MaxRAMPercentage=67.0", chapter]), {}, declared)) == 1
	count(report(concat(" ", ["-XX:MaxRAMPercentage=75.0 -Xmx3072m", chapter]), under("4544Mi"), declared)) == 0
	count(report(concat(" ", ["-XX:MaxRAMPercentage=75.0 -Xmx3072m", chapter]), under("4480Mi"), declared)) == 1
}

under(limit) := {"resources": {"requests": {"cpu": "1"}, "limits": {"memory": limit}}}

test_more_than_the_limit if {
	some f in report("-XX:MaxRAMPercentage=90.0", under("512Mi"), {})
	contains(f.message, ": 306 MiB too much, and 20 % must stay free.")
	f.severity == "error"
	endswith(f.message, " Even the low end, 501 MiB, leaves too little.")
	endswith(f.expected, ", then lower the heap or raise the limit")
}

# Without a flag for the heap, the limit is the field to change.
test_defaults if {
	some f in report("", under("320Mi"), {})
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	[term.source | some term in f.figures.terms] == [
		"25 % of the limit, JVM default",
		"assumed",
		"assumed, at most 240",
		"assumed, at most 126",
		"250 threads of 128 KiB, assumed",
		"Serial, assumed",
	]
}

# What is expected alone makes a warning, and the advice is to measure.
test_assumed if {
	some f in report("-Xmx3g", {}, {})
	f.severity == "warning"
	endswith(f.message, " It may use as little as 3190 MiB.")
	contains(f.expected, "annotate threads=, classes= and native= (headroom diagnose POD shows them)")
	count(report("-Xmx2g", {}, {})) == 0
}

# What real servers took under load (M7): no error where the kernel charged less than 80 % of the
# limit. What the flags do not show makes no error, and no silence.
measured := [
	{"server": "Spring, 222 threads: 988", "flags": "-XX:MaxRAMPercentage=75.0", "limit": 1024, "says": ["warning"]},
	{
		"server": "Spring, generational ZGC: 796",
		"flags": "-XX:+UseZGC -XX:+ZGenerational -XX:MaxRAMPercentage=50.0", "limit": 1024, "says": ["warning"],
	},
	{
		"server": "Spring, every cap set: 1139",
		"flags": concat(" ", [
			"-XX:+UseG1GC -XX:MaxRAMPercentage=50.0 -XX:MaxMetaspaceSize=128m",
			"-XX:ReservedCodeCacheSize=64m -XX:MaxDirectMemorySize=160m -Xss512k",
		]),
		"limit": 2048, "says": [],
	},
	{"server": "Kafka: 1221", "flags": "-Xmx1g", "limit": 1536, "says": ["warning"]},
	{"server": "Artemis: 690", "flags": "-Xmx512m", "limit": 1024, "says": ["warning"]},
	{"server": "H2: 356", "flags": "-XX:MaxRAMPercentage=50.0", "limit": 512, "says": ["warning"]},
	{"server": "Hazelcast: 866", "flags": "-XX:MaxRAMPercentage=75.0", "limit": 1024, "says": ["warning"]},
	{"server": "Keycloak, full heap: 1290", "flags": "-XX:MaxRAMPercentage=70.0", "limit": 1280, "says": ["warning"]},
	{"server": "Lucene, full heap: 590", "flags": "-Xmx512m", "limit": 1024, "says": ["warning"]},
	{"server": "Netty: 183", "flags": "-Xmx256m", "limit": 1024, "says": []},
	{
		"server": "Netty without cleaner: 549",
		"flags": concat(" ", [
			"-Xmx192m -XX:MaxMetaspaceSize=64m -XX:ReservedCodeCacheSize=64m -XX:MaxDirectMemorySize=160m -Xss228k",
			"-Dio.netty.tryReflectionSetAccessible=true",
		]),
		"limit": 704, "says": ["warning"],
	},
]

test_what_was_measured if {
	said := {row.server: [f.severity | some f in report(row.flags, under(sprintf("%dMi", [row.limit])), {})] |
		some row in measured
	}
	said == {row.server: row.says | some row in measured}
	count(said) == 11
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

# 512 + 29 + 16 + 16 + 16 + native under 1280 MiB, of which 1024 may be used: all is bounded or declared.
edge(native) := report(
	"-Xmx512m -XX:ReservedCodeCacheSize=16m -XX:MaxDirectMemorySize=8m",
	under("1280Mi"),
	{"jvm.headroom.dev/app": concat("=", ["threads=128 classes=2876 native", native])},
)

test_exactly_a_fifth_is_enough if {
	count(edge("442Mi")) == 0
	some f in edge("443Mi")
	f.figures.total_mib == 1025
	f.figures.left_mib == 255
	f.severity == "info"
	endswith(f.message, ": 255 MiB are left, 19.9 %, nearly the 20 % that must stay free.")
	some g in edge("467Mi")
	g.severity == "info"
	some h in edge("468Mi")
	h.severity == "warning"
	endswith(h.message, ": 230 MiB are left, 18 %, and 20 % must stay free. It may use as little as 1018 MiB.")
	some i in edge("475Mi")
	i.severity == "error"
}

# Of regions without a bound or a declaration only the low end is certain: 512 + 6 + 4 + 0 + 4 + native.
low(native) := report(
	"-Xmx512m",
	under("1280Mi"),
	{"jvm.headroom.dev/app": concat("=", ["threads=128 native", native])},
)

test_an_error_is_certain if {
	some f in low("498Mi")
	f.figures.least_mib == 1024
	f.severity == "warning"
	some g in low("499Mi")
	g.figures.least_mib == 1025
	g.severity == "error"
}

test_a_budget_that_is_not_complete if {
	count(report("-XX:-UseContainerSupport", {"resources": {"limits": {"memory": "512Mi"}}}, {})) == 0
	count(report("-XX:-UseContainerSupport -Xmx256m", {"resources": {"limits": {"memory": "512Mi"}}}, {})) == 1
}

test_the_headroom_of_the_config if {
	found := edge("442Mi") with data.headroom.overrides as {"memory": {"headroom": 0.25}}
	some f in found
	contains(f.message, "256 MiB are left, 20 %, and 25 % must stay free.")
	count(edge("443Mi")) == 1
	count(edge("443Mi")) == 0 with data.headroom.overrides as {"memory": {"headroom": 0.1}}
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
	small := {"command": null, "env": [], "resources": {"limits": {"memory": "320Mi"}}}
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

# -Xms and -Xmx are lowered together.
test_an_initial_heap_as_large_as_the_maximum if {
	some f in report("-Xms3g -Xmx3g", {}, {})
	count(report("-Xms2816m -Xmx2816m", {}, {})) == 0
	count(report("-Xms2818m -Xmx2818m", {}, {})) == 1
	count(report("-Xms3g -Xmx3g", under("4480Mi"), {})) == 0
}

# A percentage would be one of the node's memory.
test_without_container_support if {
	some f in report("-XX:-UseContainerSupport -Xmx1g", under("1400Mi"), {})
	f.figures.passing_max_ram_percentage == 0
}
