package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

test_injectable if {
	jvm.injectable(under_java([]))
	jvm.injectable(set_to("JAVA_TOOL_OPTIONS", "-Xmx1g"))
	jvm.injectable(set_to("JAVA_TOOL_OPTIONS", "-Da='b c'"))
	jvm.injectable(set_to("JDK_JAVA_OPTIONS", "-Xmx1g"))
}

# A probable JVM, a quote left open, a Secret or a ConfigMap in the way.
test_not_injectable if {
	not jvm.injectable(set_to("JAVA_OPTS", "-Xmx1g"))
	not jvm.injectable(set_to("JAVA_TOOL_OPTIONS", "-Da=it's"))
	every source in [
		{"secretKeyRef": {"name": "s", "key": "k"}},
		{"configMapKeyRef": {"name": "map", "key": "flags"}},
	] {
		[j] := review(tool({"valueFrom": source}), maps)
		not jvm.injectable(j)
	}
	[no_value] := review(tool({}), [])
	not jvm.injectable(no_value)
	[mapped] := review({"envFrom": [ref("tool")]}, [config_map("tool", {"JAVA_TOOL_OPTIONS": "-Xmx1g"})])
	not jvm.injectable(mapped)
	[hidden] := review({"command": ["java"], "envFrom": [{"secretRef": {"name": "s"}}]}, [])
	not jvm.injectable(hidden)
}

in_front(bytes, release) := on_release("JAVA_TOOL_OPTIONS", padded(bytes), release)

# Java 8 reads 1,023 bytes and 64 options; whether it runs is not known without a version.
test_room_for_flags if {
	added := ["-XX:ActiveProcessorCount=2"]
	every release in [0, 8] {
		jvm.may_inject(in_front(996, release), added)
		not jvm.may_inject(in_front(997, release), added)
		jvm.may_inject(on_release("JAVA_TOOL_OPTIONS", options(63), release), added)
		not jvm.may_inject(on_release("JAVA_TOOL_OPTIONS", options(64), release), added)
	}
	jvm.may_inject(in_front(2000, 11), added)
	jvm.may_inject(under_java([]), added)
	not jvm.may_inject(set_to("JAVA_OPTS", ""), added)
}

requested_with(annotations) := found if [found] := asked({}, annotations, "requested")

test_requested_caps if {
	requested_with({}) & {"MaxMetaspaceSize", "Xss"} == set()
	requested_with({"inject.headroom.dev/app": "MaxMetaspaceSize, Xss"}) & {"MaxMetaspaceSize", "Xss"} == {
		"MaxMetaspaceSize",
		"Xss",
	}
	requested_with({"inject.headroom.dev/other": "Xss"}) == requested_with({})
	requested_with({"inject.headroom.dev/app": 5}) == requested_with({})
	by_config := jvm.requested(under_java([])) with data.headroom.config.settings as {"jvm": {"inject": ["Xss"]}}
		with input as pod([{"name": "app"}], {})
	by_config & {"Xss", "MaxMetaspaceSize"} == {"Xss"}
}

test_where_a_flag_goes if {
	jvm.flag_path(under_java([])) == at(["env"])
	jvm.flag_path(set_to("JAVA_TOOL_OPTIONS", "-Xmx1g")) == at(["env", 0, "value"])
}

# A question about a JVM is asked beside the object it is of.
asked(container, annotations, what) := answer if {
	object_of := pod([object.union({"name": "app", "command": ["java"]}, container)], annotations)
	answer := _answers[what] with input as object_of
}

_answers := {
	"cores": [jvm.cores(j) | some j in jvm.jvms],
	"wanted": [jvm.wanted_processors(j) | some j in jvm.jvms],
	"text": [jvm.cores_text(j) | some j in jvm.jvms],
	"requested": [jvm.requested(j) | some j in jvm.jvms],
	"pair": [jvm.pair_may_be_injected(j) | some j in jvm.jvms],
}

limited(cpu) := {"resources": {"limits": {"cpu": cpu}}}

test_cores_of_a_limit if {
	asked(limited("1500m"), {}, "cores") == [2]
	asked(limited("500m"), {}, "wanted") == [1]
	asked(limited("3"), {}, "wanted") == [3]
	asked(limited("1500m"), {}, "text") == ["limits.cpu 1500m"]
}

test_cores_without_a_limit if {
	asked({"resources": {"requests": {"cpu": "2500m"}}}, {}, "cores") == [0]
	asked({"resources": {"requests": {"cpu": "2500m"}}}, {}, "wanted") == [3]
	asked({}, {"cpu-average.headroom.dev/app": "2200m"}, "cores") == [5]
	asked({}, {"cpu-average.headroom.dev/app": "2200m"}, "text") == ["twice the average of 2200m, measured"]
	asked({}, {}, "cores") == [0]
	asked({}, {}, "wanted") == [2]
	asked({}, {}, "text") == ["counted by the JVM: the node: there is no CPU limit"]
	asked({"command": ["java", "-XX:ActiveProcessorCount=5"]}, {}, "wanted") == [5]
	asked({"command": ["java", "-XX:ActiveProcessorCount=1"]}, {}, "wanted") == [2]
	asked({"command": ["java", "-XX:ActiveProcessorCount=5"]}, {}, "text") == ["counted by the JVM: command line"]
}

test_a_pair_of_threads if {
	both := "-XX:ParallelGCThreads at twice the cores, and -XX:ConcGCThreads at half of that"
	jvm.pair_text({"gc": "G1"}, {"cores": 0}) == both
	jvm.pair_text({"gc": "G1"}, {"cores": 2, "wanted": 4}) == "-XX:ParallelGCThreads=4 and -XX:ConcGCThreads=2"
	jvm.pair_text({"gc": "Parallel"}, {"cores": 0}) == "-XX:ParallelGCThreads at twice the cores"
	jvm.pair_text({"gc": "Parallel"}, {"cores": 2, "wanted": 4}) == "-XX:ParallelGCThreads=4"
}

pair(container) := asked(object.union(limited("2"), container), {}, "pair")

# G1 up to 17 refuses a pair that contradicts itself: only where nothing is out of sight.
test_when_a_pair_may_be_injected if {
	pair({"command": ["java", "Main"]}) == [true]
	every container in [
		{"command": [], "image": "tomcat"},
		{"command": [], "args": ["java", "Main"]},
		{"command": ["java", "-XX:ParallelGCThreads=2", "Main"]},
		{"command": ["java", "-XX:ConcGCThreads=2", "Main"]},
		{"command": ["java", "@/flags", "Main"]},
		{"command": ["java", "Main"], "envFrom": [{"secretRef": {"name": "s"}}]},
		{"command": ["java", "Main"], "resources": null},
		{"command": ["java", "Main"], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": padded(1000)}]},
	] {
		pair(container) == [false]
	}
}

test_heaps_of_scripts if {
	kafka := models({"image": "registry.example.com/team/kafka:4.0.0"}, {})
	[jvm.heap_is_scripts(j) | some j in kafka] == [true]
	tomcat := models({"image": "tomcat:11"}, {})
	[jvm.heap_is_scripts(j) | some j in tomcat] == [false]
	not jvm.heap_is_scripts(under_java([]))
	not jvm.heap_is_scripts(set_to("KAFKA_HEAP_OPTS", "-Xmx1g"))
	jvm.heap_is_scripts(set_to("KAFKA_OPTS", "-Da=b"))
}

test_words_of_messages if {
	jvm.plural(1, "core") == "1 core"
	jvm.plural(0, "core") == "0 cores"
	jvm.plural(3, "core") == "3 cores"
	jvm.collector_text(under_java(["-XX:+UseSerialGC"])) == "the Serial collector"
}

test_occurrences if {
	j := model(
		{
			"command": ["java", "-Xmx3g", "Main"],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g -XX:MaxHeapSize=2g"}],
		},
		{},
	)
	found := jvm.occurrences(j, "-XX:MaxHeapSize")
	[one.path | some one in found] == [at(["env", 0, "value"]), at(["env", 0, "value"]), at(["command"])]
	[object.remove(one, ["path", "image"]) | some one in found] == [
		{"value": "1g", "text": "-XX:MaxHeapSize=1g", "source": "JAVA_TOOL_OPTIONS"},
		{"value": "2g", "text": "-XX:MaxHeapSize=2g", "source": "JAVA_TOOL_OPTIONS"},
		{"value": "3g", "text": "-Xmx3g", "source": "command line"},
	]
	jvm.occurrences(j, "-XX:MaxMetaspaceSize") == []
}

# They do not start with a flag that they do not know.
test_not_injectable_into_an_image_of_an_old_java if {
	started := {"command": ["java", "-jar", "a.jar"]}
	every image in [
		"openjdk:8u131-jre", "openjdk:7", "registry:5000/team/openjdk:1.8.0_181@sha256:0", "java:8", "java",
		"docker.io/library/java:8-jre", "azul/zulu-openjdk:8u172-8.30.0.1",
	] {
		[j] := review(object.union(started, {"image": image}), [])
		not jvm.injectable(j)
	}
	every image in ["openjdk:8", "openjdk:8u312-jre", "openjdk:17", "openjdk", "registry:5000/java:21", "app:8u131", 5] {
		[j] := review(object.union(started, {"image": image}), [])
		jvm.injectable(j)
	}
}

test_not_injectable_where_a_probe_passes_it_on if {
	probe := {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)", "Health"]}}
	every hooks in [{"livenessProbe": probe}, {"lifecycle": {"postStart": probe}}] {
		[j] := review(object.union(tool({"value": "-Xmx1g"}), hooks), [])
		not jvm.injectable(j)
	}
	[j] := review(object.union(tool({"value": "-Xmx1g"}), {"livenessProbe": {"exec": {"command": ["jcmd"]}}}), [])
	jvm.injectable(j)
}

test_cores_of_the_smallest_amounts if {
	five := ["java", "-XX:ActiveProcessorCount=5"]
	tiny := {"command": five, "resources": {"limits": {"cpu": "1m"}, "requests": {"cpu": "0"}}}
	asked(tiny, {}, "cores") == [1]
	asked(tiny, {}, "wanted") == [1]
	asked(tiny, {}, "text") == ["limits.cpu 1m"]
	asked(object.union({"command": five}, limited("0")), {}, "cores") == [5]
	asked(object.union({"command": five}, limited("0")), {}, "wanted") == [5]
	asked({"command": five}, {"cpu-average.headroom.dev/app": "1m"}, "cores") == [2]
	asked({"command": five}, {"cpu-average.headroom.dev/app": "1m"}, "text") == ["twice the average of 1m, measured"]
	asked({"command": five}, {"cpu-average.headroom.dev/app": "0"}, "cores") == [5]
	asked({"command": five}, {"cpu-average.headroom.dev/app": "0"}, "text") == ["counted by the JVM: command line"]
}

test_when_a_pair_of_the_least_may_be_injected if {
	pair(limited("1m")) == [true]
	hidden := {"name": "S", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
	pair({"env": [hidden, {"name": "JAVA_TOOL_OPTIONS", "value": "-Da=$(S)"}]}) == [false]
	pair({"env": [{"name": "JDK_JAVA_OPTIONS", "value": "@/flags"}]}) == [false]
	pair({"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Da=b"}]}) == [true]
}

# What the program's script sees is another thing than what a JVM reads itself.
test_heaps_of_a_jvm_that_is_sure if {
	not jvm.heap_is_scripts(set_to("JAVA_TOOL_OPTIONS", "-Da=b"))
	not jvm.heap_is_scripts(model({"image": "apache/kafka"}, {"runtime.headroom.dev/app": "jvm"}))
	not jvm.heap_is_scripts(model({"image": "openjdk", "env": [{"name": "JAVA_OPTS", "value": "-Da=b"}]}, {}))
	jvm.heap_is_scripts(model({"image": 5, "env": [{"name": "JAVA_OPTS", "value": "-Da=b"}]}, {}))
}

test_not_injectable_where_a_command_passes_it_on if {
	every container in [
		{"command": ["sh", "-c", "java $JAVA_TOOL_OPTIONS Main"]},
		{"command": ["java"], "args": [5, "$(JAVA_TOOL_OPTIONS)"]},
		{"command": ["java"], "env": [{"name": "OTHER", "value": "$(JAVA_TOOL_OPTIONS) -Da=b"}]},
		{"command": ["java"], "startupProbe": {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)"]}}},
		{"command": ["java"], "readinessProbe": {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)"]}}},
	] {
		not jvm.injectable(model(container, {}))
	}
	every container in [
		{"command": ["sh", "-c", "java $OTHER Main"], "env": [{"name": "OTHER", "value": "-Da=b"}]},
		{"command": [5, "java"], "args": ["$(OTHER)"]},
		{"command": ["java"], "env": [{"name": "OTHER", "value": "-Da=b"}, {"name": "A", "value": 5}, "no entry"]},
	] {
		jvm.injectable(model(container, {}))
	}
}

test_not_injectable_into_a_declared_old_java if {
	{text |
		some text in ["7", "8", "8u190", "8u191", "9", "10", "11"]
		jvm.injectable(model({"command": ["java"]}, {"jvm.headroom.dev/app": concat("=", ["version", text])}))
	} == {"8", "8u191", "10", "11"}
}
