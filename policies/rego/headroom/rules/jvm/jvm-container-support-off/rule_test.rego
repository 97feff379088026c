package headroom.rules.jvm["jvm-container-support-off_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-container-support-off"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

# A container whose whole command line is visible, its flags in JAVA_TOOL_OPTIONS.
java(limits, flags) := {
	"name": "app",
	"command": ["java", "-jar", "app.jar"],
	"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
	"resources": {"requests": {"cpu": "1"}, "limits": limits},
}

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_switched_off if {
	some f in of(java({"memory": "4Gi"}, "-Xmx1g -XX:-UseContainerSupport"))
	f.container == "app"
	f.path == options
	f.message == "-XX:-UseContainerSupport (JAVA_TOOL_OPTIONS) hides the container's limits from the JVM."
	startswith(f.why, "Heap and threads are sized to the node")
	f.outcome == "possible"
	f.expected == "no -XX:-UseContainerSupport"
	object.get(f, "fix", []) == []
}

test_on if {
	count(of(java({}, "-Xmx1g"))) == 0
	count(of(java({}, "-XX:+UseContainerSupport"))) == 0
	count(of({"name": "app"})) == 0
}

test_the_last_setting_wins if {
	count(of(java({}, "-XX:-UseContainerSupport -XX:+UseContainerSupport"))) == 0
	count(of(java({}, "-XX:+UseContainerSupport -XX:-UseContainerSupport"))) == 1
	on := {"command": ["java", "-XX:+UseContainerSupport", "-jar", "app.jar"]}
	count(of(object.union(java({}, "-XX:-UseContainerSupport"), on))) == 0
	off := {"command": ["java", "-XX:-UseContainerSupport", "-jar", "app.jar"]}
	some f in of(object.union(java({}, "-XX:+UseContainerSupport"), off))
	f.path == array.concat(container, ["command"])
}

declared(version) := report(
	{"jvm.headroom.dev/app": concat("=", ["version", version])},
	{"containers": [java({"memory": "4Gi"}, "-Xmx1g")]},
	{},
)

test_a_version_that_lacks_it if {
	named := {
		"8u181": "Java 8u181",
		"1.8.0_190": "Java 8u190",
		"7": "Java 7",
		"1.7.0_80": "Java 7",
		"9": "JDK 9",
		"9.0.4": "JDK 9",
	}
	every version, name in named {
		some f in declared(version)
		startswith(f.message, concat(" ", [name, "does not read the container's limits"]))
		f.path == array.concat(container, ["image"])
		f.expected == "Java 8u191, or 10 and later"
		f.outcome == "possible"
	}
}

# The flag of 8u131 to 8u190 and 9 reads the memory limit where cgroup v1 has it (JDK-8170888).
test_the_memory_limit_of_cgroup_v1_alone if {
	flags := "-XX:+UnlockExperimentalVMOptions -XX:+UseCGroupMemoryLimitForHeap"
	some f in report({"jvm.headroom.dev/app": "version=8u131"}, {"containers": [java({}, flags)]}, {})
	f.message == concat(" ", [
		"Java 8u131 does not read the CPU limit, and reads limits.memory under cgroup v1 only",
		"(-XX:+UseCGroupMemoryLimitForHeap, JAVA_TOOL_OPTIONS).",
	])
}

test_a_version_that_has_it if {
	every version in ["8u372", "1.8.0_392", "11", "11.0.16", "17", "21"] {
		count(declared(version)) == 0
	}
}

# Java 8 of an unknown update: today's has it.
test_a_version_that_does_not_tell if {
	count(declared("8")) == 0
	count(declared("latest")) == 0
}

test_the_runtime_annotation_declares_it_too if {
	found := report({"runtime.headroom.dev/app": "jvm version=8u131"}, {"containers": [{"name": "app"}]}, {})
	count(found) == 1
}

test_both_reasons if {
	off := java({}, "-XX:-UseContainerSupport")
	count(report({"jvm.headroom.dev/app": "version=9"}, {"containers": [off]}, {})) == 2
}

test_init_containers_speak_too if {
	init := object.union(java({}, "-XX:-UseContainerSupport"), {"name": "migrate"})
	some f in report({}, {"containers": [{"name": "web"}], "initContainers": [init]}, {})
	f.container == "migrate"
	f.path == ["spec", "template", "spec", "initContainers", 0, "env", 0, "value"]
}

test_beside_a_secret if {
	line := ["java", "-XX:-UseContainerSupport", "-jar", "app.jar"]
	count(of(object.union(java({}, ""), {"command": line, "env": [secret("JAVA_TOOL_OPTIONS")]}))) == 1
	count(of(object.union(java({}, ""), {"env": [secret("JAVA_TOOL_OPTIONS")]}))) == 0
}

test_a_probable_jvm if {
	app := {"name": "app", "image": "tomcat:10", "env": [{"name": "JAVA_OPTS", "value": "-XX:-UseContainerSupport"}]}
	some f in of(app)
	contains(f.message, "(JAVA_OPTS)")
	f.severity == "error"
	guessed := object.union(app, {"image": "example.com/app:1"})
	{g.severity | some g in of(guessed)} == {"warning"}
}

# Each case: a release, and what is said of it under cgroup v2.
test_releases_that_read_v1_alone if {
	cases := {
		"8u191": true, "8u371": true, "8u372": false, "8": false, "10": true, "11": false, "11.0.15": true, "11.0.16": false,
		"12": true, "14": true, "15": false, "17": false,
	}
	every version, old in cases {
		found := rule.report with input as {
			"apiVersion": "v1",
			"kind": "Pod",
			"metadata": {"annotations": {"runtime.headroom.dev/app": concat("", ["jvm version=", version])}},
			"spec": {"containers": [{"name": "app", "image": "example.com/app:1"}]},
		}
		v1 := [f | some f in found; contains(f.message, "under cgroup v1 only")]
		{true: 1, false: 0}[old] == count(v1)
	}
}

# Each case: flags, and whether it is said that a kernel may hide the limits from Java 21.0.6.
kernels := [
	["-XX:MaxRAMPercentage=60", true],
	["", true],
	["-Xmx1g", false],
	["-XX:MaxRAM=4g -XX:MaxRAMPercentage=60", false],
	["-XX:+AggressiveHeap", false],
]

on_kernels(flags) := report(
	{"runtime.headroom.dev/app": "jvm version=21.0.6"},
	{"containers": [java({"memory": "4Gi"}, flags)]},
	{},
)

test_kernels_that_hide_the_limits if {
	every case in kernels {
		[flags, want] := case
		[true | count(on_kernels(flags)) == 1] == [true | want]
	}
	[f] := [f | some f in on_kernels("-XX:MaxRAMPercentage=60")]
	f.severity == "info"
	f.path == array.concat(container, ["image"])
	contains(f.message, "Java 21.0.6 does not see limits.memory on nodes whose kernel, 6.12 or later,")
	contains(f.why, "39321 MiB on a node of 64 GiB")
	f.expected == "Java 21.0.10 or later, or -XX:MaxRAM=4096m, which is limits.memory: the heap stays what it is"
}

test_nodes_that_are_known if {
	newer := on_kernels("") with data.headroom.overrides as {"nodes": {"kernel": "6.14"}}
	{f.severity | some f in newer} == {"warning"}
	on_kernels("") == set() with data.headroom.overrides as {"nodes": {"kernel": "6.8"}}
	old := report({"jvm.headroom.dev/app": "version=11.0.15"}, {"containers": [java({"memory": "4Gi"}, "")]}, {})
		with data.headroom.overrides as {"nodes": {"cgroup": 1}}
	old == set()
}

test_kernels_and_what_is_not_known if {
	facts := {"runtime.headroom.dev/app": "jvm version=21.0.6"}
	hidden := object.union(java({"memory": "4Gi"}, ""), {"env": [secret("JAVA_TOOL_OPTIONS")]})
	report(facts, {"containers": [hidden]}, {}) == set()
	report(facts, {"containers": [java({}, "")]}, {}) == set()
	report(facts, {"containers": [{"name": "b"}], "initContainers": [java({"memory": "4Gi"}, "")]}, {}) == set()
}

# What it counts tells whether its nodes have cgroup v2.
counting(limits, processors) := report(
	{"jvm.headroom.dev/app": sprintf("version=8u191 processors=%v", [processors])},
	{"containers": [java(limits, "-Xmx1g")]},
	{},
)

test_a_count_that_was_measured if {
	count(counting({"cpu": "2"}, 2)) == 0
	some f in counting({"cpu": "2"}, 64)
	f.severity == "error"
	f.message == concat(" ", [
		"Java 8u191 reads the container's limits under cgroup v1 only;",
		"it counts 64 processors (annotation).",
	])
	some unlimited in counting({"memory": "1Gi"}, 64)
	unlimited.severity == "warning"
}
