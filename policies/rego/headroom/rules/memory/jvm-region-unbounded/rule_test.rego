package headroom.rules.memory["jvm-region-unbounded_test"]

import data.headroom.rules.memory["jvm-region-unbounded"] as rule

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

test_both if {
	some f in report("-Xmx1g", {}, {})
	f.path == flags_path
	f.message == concat("", [
		"-XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize are not set, so the budget has no upper bound: ",
		"metaspace counts as 256 MiB (assumed); direct memory may grow to 1024 MiB, as much as the heap.",
	])
	f.expected == "-XX:MaxMetaspaceSize=256m and -XX:MaxDirectMemorySize=256m"
	f.figures == {"metaspace_mib": 256, "direct_mib": 1024}
	object.get(f, "fix", []) == []
}

test_one if {
	some f in report("-XX:MaxMetaspaceSize=128m", {}, {})
	startswith(f.message, "-XX:MaxDirectMemorySize is not set, so")
	some g in report("-XX:MaxDirectMemorySize=128m", {}, {"jvm.headroom.dev/app": "classes=20000"})
	contains(g.message, "metaspace counts as 124 MiB (annotation)")
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
	endswith(f.message, "no upper bound: direct memory may grow to as much as the heap, which is not known.")
	f.expected == "-XX:MaxDirectMemorySize=256m"
	f.figures == {}
}

metaspace(flags, classes, limit) := f.expected if {
	resources := {"resources": {"requests": {"cpu": "1"}, "limits": {"memory": limit}}}
	some f in report(concat(" ", ["-XX:MaxDirectMemorySize=64m", flags]), resources, {"jvm.headroom.dev/app": classes})
}

# What the classes need, and 256 MiB where the budget has room for as much.
test_declared_classes if {
	metaspace("-Xmx1g", "classes=60000", "4Gi") == "-XX:MaxMetaspaceSize=346m"
	metaspace("-Xmx1g", "classes=20000", "4Gi") == "-XX:MaxMetaspaceSize=256m"
	metaspace("-Xmx1g", "classes=20000", "2Gi") == "-XX:MaxMetaspaceSize=124m"
	metaspace("", "classes=20000", null) == "-XX:MaxMetaspaceSize=256m"
}
