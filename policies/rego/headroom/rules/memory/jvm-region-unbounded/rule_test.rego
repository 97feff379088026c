package headroom.rules.memory["jvm-region-unbounded_test"]

import data.headroom.rules.memory["jvm-region-unbounded"] as rule

pod(container, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": annotations},
	"spec": {"containers": [object.union(
		{"name": "app", "image": "eclipse-temurin:17", "command": ["java", "-jar", "/app.jar"]},
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

test_both if {
	some f in report("-Xmx1g", {}, {})
	f.path == flags_path
	f.message == concat("", [
		"-XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize are not set: ",
		"direct memory may grow to 1024 MiB, as much as the heap.",
	])
	f.expected == concat(" ", [
		"annotate metaspace= and direct= (headroom diagnose POD shows them),",
		"then set -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize",
	])
	f.figures == {"metaspace_mib": 256, "direct_mib": 1024}
	object.get(f, "fix", []) == []
	not f.severity
}

test_one if {
	some f in report("-XX:MaxMetaspaceSize=128m", {}, {})
	f.message == "-XX:MaxDirectMemorySize is not set: direct memory may grow to 1024 MiB, as much as the heap."
	some g in report("-XX:MaxDirectMemorySize=128m", {}, {})
	g.message == "-XX:MaxMetaspaceSize is not set: metaspace has no bound."
}

# All that is allowed is said where it is more than there is.
test_all_that_is_allowed if {
	some f in report("-Xmx2g", {}, {})
	endswith(f.message, "; all memory together may reach 5100 MiB, limit 4096 MiB.")
	some g in report("-Xmx2g", {"resources": {"limits": {"memory": "5100Mi"}}}, {})
	endswith(g.message, "as much as the heap.")
	some h in report("-Xmx2g", {"resources": {"limits": {"memory": null}}}, {})
	endswith(h.message, "as much as the heap.")
}

all_set := "-Xmx384m -XX:MaxMetaspaceSize=64m -XX:ReservedCodeCacheSize=64m -XX:MaxDirectMemorySize=32m -Xss512k"

one_gib := {"resources": {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}}}

# Of Pulsar's roles a bookie has indexes in RocksDB, and a tool that waits for it has none.
test_native_memory_of_a_role if {
	run := {
		"image": "apachepulsar/pulsar:3.0.7", "args": null,
		"env": [{"name": "PULSAR_MEM", "value": all_set}],
	}
	some f in report("", object.union_n([one_gib, run, {"command": ["bin/pulsar", "bookie"]}]), {})
	startswith(f.message, "A bookie's indexes in RocksDB")
	tool := {"command": ["bin/pulsar", "initialize-cluster-metadata"]}
	count(report("", object.union_n([one_gib, run, tool]), {})) == 0
}

# RocksDB was OOMKilled with every cap set (M7): no flag bounds what a native library takes.
test_native_memory_of_a_known_image if {
	broker := {
		"image": "docker.io/camunda/zeebe:8.7.0", "command": null,
		"env": [{"name": "JAVA_OPTS", "value": all_set}],
	}
	some f in report("", object.union(one_gib, broker), {})
	f.severity == "warning"
	f.message == concat("", [
		"The broker's state in RocksDB (image camunda/zeebe): no flag bounds this memory, ",
		"on top of 676 MiB expected of 1024 MiB.",
	])
	f.expected == "native= in the annotation jvm.headroom.dev/app, as measured"
	count(report("", object.union(one_gib, broker), {"jvm.headroom.dev/app": "native=300Mi"})) == 0
	some g in report("", object.union(broker, {"resources": {"limits": {"memory": null}}}), {})
	regex.match(`: no flag bounds this memory, on top of \d+ MiB expected\.$`, g.message)
	by_config := report("", object.union(one_gib, broker), {}) with data.headroom.overrides as {"jvm": {"native": "300Mi"}}
	count(by_config) == 0
}

test_native_memory_in_sight if {
	every env, what in {
		flags_and("-Drocksdb.block.cache=64m"): "RocksDB (-Drocksdb.block.cache)",
		flags_and("-Dspring.kafka.streams.application-id=orders"): concat(" ", [
			"The state stores of Kafka Streams in RocksDB",
			"(-Dspring.kafka.streams.application-id)",
		]),
		variable("FLINK_PROPERTIES", "state.backend.type: rocksdb"): "RocksDB (rocksdb)",
		variable("SPRING_KAFKA_STREAMS_CLIENT_ID", "a"): concat(" ", [
			"The state stores of Kafka Streams in RocksDB",
			"(SPRING_KAFKA_STREAMS_CLIENT_ID)",
		]),
		variable("LD_PRELOAD", "/usr/lib/libjemalloc.so.2"): "What an allocator is preloaded for (libjemalloc.so.2)",
	} {
		found := report("", object.union(one_gib, {"env": env}), {})
		{[f.severity, split(f.message, ":")[0]] | some f in found} == {["warning", what]}
	}
	quiet := array.concat(variable("LD_PRELOAD", "/usr/lib/libnss.so"), [{"name": 1}, {}])
	count(report("", object.union(one_gib, {"env": quiet}), {})) == 0
}

variable(name, value) := array.concat(flags_and(""), [{"name": name, "value": value}])

flags_and(more) := [{"name": "JAVA_TOOL_OPTIONS", "value": concat(" ", [all_set, more])}]

# Both are one finding, the graver.
test_native_memory_beside_missing_caps if {
	some f in report("-Xmx384m -Drocksdb.cache=64m", one_gib, {})
	f.severity == "warning"
	startswith(f.message, "-XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize are not set: ")
	contains(f.message, ". RocksDB (-Drocksdb.cache): no flag bounds this memory")
	f.expected == concat(" ", [
		"annotate metaspace=, direct= and native= (headroom diagnose POD shows them),",
		"then set -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize",
	])
	some g in report("-Xmx384m -Drocksdb.cache=64m", one_gib, {"jvm.headroom.dev/app": "metaspace=90Mi direct=40Mi"})
	g.expected == concat(" and ", [
		"-XX:MaxMetaspaceSize=256m",
		"-XX:MaxDirectMemorySize=128m",
		"native= in the annotation jvm.headroom.dev/app, as measured",
	])
}

# Cassandra's chunk cache is direct memory, and takes what the load gives it: no cap is known before it was measured.
test_direct_memory_that_grows_with_the_load if {
	ring := {
		"image": "cassandra:5.0.8", "command": null,
		"env": [{"name": "MAX_HEAP_SIZE", "value": "1G"}, {"name": "HEAP_NEWSIZE", "value": "256M"}],
	}
	asked := {"inject.headroom.dev/app": "metaspace,direct"}
	some f in report("", ring, asked)
	startswith(f.expected, "annotate direct= and native= (headroom diagnose POD shows them), then set ")
	f.fix == []
	some g in report("", ring, object.union(asked, {"jvm.headroom.dev/app": "native=200Mi"}))
	startswith(g.expected, "annotate direct= (headroom diagnose POD shows it), then set ")
	some h in report("", ring, {"jvm.headroom.dev/app": "native=200Mi direct=500Mi metaspace=60Mi"})
	startswith(h.expected, "-XX:MaxMetaspaceSize=256m and -XX:MaxDirectMemorySize=768m in ")
}

test_none if {
	count(report("-XX:MaxMetaspaceSize=128m -XX:MaxDirectMemorySize=128m", {}, {})) == 0
}

test_fixable_on_request if {
	some f in report("", {}, {"inject.headroom.dev/app": "metaspace,direct"})
	count(f.fix) > 0
	some g in report("", {}, {"inject.headroom.dev/app": "metaspace"})
	object.get(g, "fix", []) == []
	found := report("", {}, {}) with data.headroom.overrides as {"jvm": {"inject": ["metaspace", "direct"]}}
	some h in found
	count(h.fix) > 0
}

test_a_secret if {
	count(report(
		"", {"env": [{
			"name": "JAVA_TOOL_OPTIONS",
			"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}},
		}]},
		{},
	)) == 0
}

test_any_source if {
	line := {"command": ["java", "-XX:MaxMetaspaceSize=128m", "-jar", "/app.jar"]}
	count(report("-XX:MaxDirectMemorySize=128m", line, {})) == 0
	behind := {"command": ["java", "-jar", "/app.jar", "-XX:MaxMetaspaceSize=128m"]}
	count(report("-XX:MaxDirectMemorySize=128m", behind, {})) == 1
}

# None at all is a bound.
test_no_direct_memory if {
	count(report("-XX:MaxMetaspaceSize=128m -XX:MaxDirectMemorySize=0", {}, {})) == 0
}

test_a_config_map_that_is_not_in_the_input if {
	unknown := {"env": [{
		"name": "JAVA_TOOL_OPTIONS",
		"valueFrom": {"configMapKeyRef": {"name": "jvm", "key": "flags"}},
	}]}
	count(report("", unknown, {})) == 0
}

test_a_probable_jvm_is_never_fixed if {
	probable := {"image": "eclipse-temurin:21", "command": null, "env": []}
	some f in report("", probable, {"inject.headroom.dev/app": "metaspace,direct"})
	f.fix == []
	f.path == ["spec", "containers", 0, "env"]
}

test_init_containers_and_native_sidecars if {
	jvm := {"name": "init", "command": ["java", "-Xmx1g", "Main"]}
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [{"name": "web"}],
		"initContainers": [jvm, object.union(jvm, {"name": "agent", "restartPolicy": "Always"})],
	}}
	{f.container | some f in found} == {"agent"}
}

# A cap is no more than what the region may take without one.
test_a_small_heap if {
	some f in report("-Xmx64m", {}, {"inject.headroom.dev/app": "metaspace,direct"})
	f.expected == "-XX:MaxMetaspaceSize=256m and -XX:MaxDirectMemorySize=64m"
	f.fix[0].flags == ["-XX:MaxMetaspaceSize=256m", "-XX:MaxDirectMemorySize=64m"]
}

test_a_heap_that_is_not_known if {
	node := {"resources": {"limits": {"memory": null}}}
	some f in report("-XX:MaxMetaspaceSize=128m", node, {})
	f.message == "-XX:MaxDirectMemorySize is not set: direct memory may grow to as much as the heap (not known)."
	f.expected == "annotate direct= (headroom diagnose POD shows it), then set -XX:MaxDirectMemorySize"
	f.figures == {}
	some g in report("-XX:MaxMetaspaceSize=128m", node, {"inject.headroom.dev/app": "direct"})
	g.expected == "-XX:MaxDirectMemorySize=256m"
}

metaspace(flags, classes, limit) := f.expected if {
	resources := {"resources": {"requests": {"cpu": "1"}, "limits": {"memory": limit}}}
	some f in report(concat(" ", ["-XX:MaxDirectMemorySize=64m", flags]), resources, {"jvm.headroom.dev/app": classes})
}

# What the classes need, and no less than 256 MiB: a cap changes nothing of what is expected.
test_declared_classes if {
	metaspace("-Xmx1g", "classes=60000", "4Gi") == "-XX:MaxMetaspaceSize=346m"
	metaspace("-Xmx1g", "classes=20000", "4Gi") == "-XX:MaxMetaspaceSize=256m"
	metaspace("-Xmx1g", "classes=20000", "1100Mi") == "-XX:MaxMetaspaceSize=256m"
	metaspace("", "classes=20000", null) == "-XX:MaxMetaspaceSize=256m"
}

# A cap below what was taken ends the program: HR613 would ask for a larger one at once.
test_what_was_taken_has_room if {
	some f in report("-Xmx1g", {}, {"jvm.headroom.dev/app": "metaspace=300Mi direct=1000Mi"})
	f.expected == "-XX:MaxMetaspaceSize=480m and -XX:MaxDirectMemorySize=1504m"
	some little in report("-Xmx1g", {}, {"jvm.headroom.dev/app": "metaspace=90Mi direct=1Mi"})
	little.expected == "-XX:MaxMetaspaceSize=256m and -XX:MaxDirectMemorySize=256m"
}
