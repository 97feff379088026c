package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# as_run is a Pod with one container, behind a shell unless said otherwise.
as_run(image, container, annotations) := pod(
	[object.union(
		{"name": "app", "image": image, "command": ["sh", "-c", "exec java -jar /app.jar"]},
		container,
	)],
	annotations,
)

writable(image, container) if writable_as(image, container, {})

writable_as(image, container, annotations) if {
	found := [jvm.injectable(j) | some j in jvm.jvms] with input as as_run(image, container, annotations)
	found == [true]
}

has_room(image, container, added) if {
	found := [jvm.may_inject(j, added) | some j in jvm.jvms] with input as as_run(image, container, {})
	found == [true]
}

env(name, value) := {"env": [{"name": name, "value": value}]}

test_injectable if {
	every variable in [{}, env("JAVA_TOOL_OPTIONS", "-Da='b c'"), env("JDK_JAVA_OPTIONS", "-Xmx1g")] {
		writable("eclipse-temurin:17", variable)
		writable("eclipse-temurin:17", object.union({"command": ["java"]}, variable))
	}
}

# A probable JVM, a quote left open, a Secret or a ConfigMap in the way.
test_not_injectable if {
	not jvm.injectable(set_to("JAVA_OPTS", "-Xmx1g"))
	not writable("eclipse-temurin:17", env("JAVA_TOOL_OPTIONS", "-Da=it's"))
	every source in [
		{"secretKeyRef": {"name": "s", "key": "k"}},
		{"configMapKeyRef": {"name": "map", "key": "flags"}},
		{},
	] {
		not writable("eclipse-temurin:17", tool({"valueFrom": source}))
	}
	not writable("eclipse-temurin:17", {"envFrom": [ref("tool")]})
	not writable("eclipse-temurin:17", {"command": ["java"], "envFrom": [{"secretRef": {"name": "s"}}]})
}

# What a script, a probe or a hook reads of java's output may change with it.
test_not_injectable_where_output_is_read if {
	every script in [
		"v=$(java -version 2>&1); exec java -jar a.jar",
		"v=`java -version`; exec java -jar a.jar",
		"java -jar a.jar | tee log",
		"java -version 2>&1; java -jar a.jar",
	] {
		not writable("eclipse-temurin:17", {"command": ["sh", "-c", script]})

		# The variable is there, and java tells of it already.
		there := object.union({"command": ["sh", "-c", script]}, env("JAVA_TOOL_OPTIONS", "-Da=b"))
		writable("eclipse-temurin:17", there)
	}
	writable("eclipse-temurin:17", {"command": ["sh", "-c", "mkdir -p /a || exit 1; exec java -jar a.jar"]})
	every hook in [
		{"livenessProbe": {"exec": {"command": ["/check.sh"]}}},
		{"readinessProbe": {"exec": {"command": ["jcmd", "1", "VM.version"]}}},
		{"startupProbe": {"exec": {"command": ["sh", "-c", "java -version 2>&1 | grep -q 17"]}}},
		{"lifecycle": {"preStop": {"exec": {"command": ["java", "-cp", "a.jar", "Stop"]}}}},
	] {
		not writable("eclipse-temurin:17", hook)
		writable("eclipse-temurin:17", object.union({"command": ["java"]}, hook))
	}
	writable("eclipse-temurin:17", {"preStop": {"exec": {"command": ["sleep", "5"]}}})
	writable("eclipse-temurin:17", {"lifecycle": {"preStop": {"exec": {"command": ["sleep", "5"]}}}})
}

# An image that was not read may set the variable.
test_not_injectable_over_what_an_image_may_set if {
	told := {"jvm.headroom.dev/app": "version=21"}
	shell := {"command": ["sh", "-c", "exec java -jar a.jar"]}
	not writable_as("a:1", shell, told)
	writable_as("a:1", object.union(shell, env("JAVA_TOOL_OPTIONS", "-Da=b")), told)
	writable_as("a:1", {"command": ["java"]}, told)
}

behind(image, container) := found if {
	found := [place | some j in jvm.jvms; place := jvm.behind_java(j)] with input as as_run(image, container, {})
}

# Where java stands in the manifest's own words.
test_behind_java if {
	every container, place in {
		"java -jar a": ["command", 0],
		"/usr/lib/jvm/bin/java -jar a": ["command", 0],
		"tini -- java -jar a": ["command", 2],
		"gosu java java -jar a": ["command", 2],
		"env A=b java -jar a": ["command", 2],
	} {
		behind("a:1", {"command": split(container, " ")}) == [place]
	}
	behind("a:1", {"command": ["tini", "--"], "args": ["java", "-jar", "a"]}) == [["args", 0]]
	behind("chainguard/jre:openjdk-17", {"command": [], "args": ["-jar", "a"]}) == [["args", -1]]
	every container in [
		{"command": ["sh", "-c", "java -jar a"]},
		{"command": ["/run.sh", "java", "-jar", "a"]},
		{"command": [], "args": ["java", "-jar", "a"]},
		{"command": ["java", 5]},
	] {
		behind("a:1", container) == []
	}
	behind("gcr.io/distroless/java17", {"command": [], "args": ["a.jar"]}) == []
}

place(entrypoint, container) := found if {
	found := [at | some j in jvm.jvms; at := jvm.behind_java(j)] with input as pod(
		[object.union(
			{"name": "app", "image": "a:1"},
			container,
		)],
		{},
	)
		with data.headroom.image_lock as {
			"references": {"a:1": "sha256:0"},
			"images": {"sha256:0": {"entrypoint": entrypoint}},
		}
}

test_behind_java_of_an_image_that_was_read if {
	place(["java"], {"args": ["-jar", "a"]}) == [["args", -1]]
	place(["tini", "--"], {"args": ["java", "-jar", "a"]}) == [["args", 0]]
	place(["run"], {"command": ["tini", "java", "-jar", "a"]}) == [["command", 1]]
	place(["run"], {"command": ["tini"], "args": ["java", "-jar", "a"]}) == [["args", 0]]
	place(["java", "-jar", "a"], {}) == []
	place(["java", "-jar"], {"args": ["a"]}) == []
}

in_front(text, release) if has_room(
	sprintf("eclipse-temurin:%v", [release]),
	env("JAVA_TOOL_OPTIONS", text),
	["-XX:ActiveProcessorCount=2"],
)

# Java 8 reads 1,023 bytes and 64 options of a variable.
test_room_for_flags if {
	in_front(padded(996), 8)
	not in_front(padded(997), 8)
	in_front(options(63), 8)
	not in_front(options(64), 8)
	in_front(padded(2000), 11)
	not jvm.may_inject(set_to("JAVA_OPTS", ""), ["-XX:ActiveProcessorCount=2"])
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
	image := {"name": "app", "image": "eclipse-temurin:17", "command": ["java"]}
	object_of := pod([object.union(image, container)], annotations)
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
	both := "-XX:ParallelGCThreads at twice the cores that HR402 asks for, and -XX:ConcGCThreads at half of that"
	jvm.pair_text({"gc": "G1"}, {"cores": 0}) == both
	jvm.pair_text({"gc": "G1"}, {"cores": 2, "wanted": 4}) == "-XX:ParallelGCThreads=4 and -XX:ConcGCThreads=2"
	jvm.pair_text({"gc": "Parallel"}, {"cores": 0}) == "-XX:ParallelGCThreads at twice the cores that HR402 asks for"
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
		{"command": ["java", "Main"], "image": "registry.example.com/app:17"},
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
		not writable(image, started)
	}
	every image in [
		"openjdk:8", "openjdk:8u312-jre", "openjdk:17",
		"registry:5000/java:21", "app-jdk17:1", "app:1-jre11",
	] {
		writable(image, started)
	}

	# What says nothing of a release, or of an old one, excludes none.
	every image in ["openjdk", "app:8u131", "app-java8:1", "app:1-jre8", "app:2-jdk7", "tomcat:8-jre8", 5] {
		not writable(image, started)
	}
}

# Paths, variables and flags tell of a release, too.
test_what_else_tells_a_release if {
	every container, expected in {
		{"command": ["/usr/lib/jvm/java-17-openjdk/bin/java"]}: true,
		{"command": ["/usr/lib/jvm/java-1.8.0-openjdk/bin/java"]}: false,
		{"command": ["/opt/jdk1.8.0_102/bin/java"]}: false,
		{"command": ["/opt/jdk1.8.0_292/bin/java"]}: true,
		{"command": ["java"], "env": [{"name": "JAVA_VERSION", "value": "jdk-21.0.4+7"}]}: true,
		{"command": ["java"], "env": [{"name": "JAVA_VERSION", "value": "8u102"}]}: false,
		{"command": ["java"], "env": [{"name": "JAVA_HOME", "value": "/opt/zulu11"}]}: true,
		{"command": ["java"], "env": [{"name": "JAVA_HOME", "value": "/opt/java"}]}: false,
		{"command": ["java", "-XX:MaxRAMPercentage=50.0"]}: true,
		{"command": ["java", "-XX:+UseZGC"]}: true,
		{"command": ["java", "--add-opens=java.base/java.lang=ALL-UNNAMED"]}: true,
		{"command": ["java", "-XX:+UseZGC", "-XX:+IgnoreUnrecognizedVMOptions"]}: false,
		{"command": ["java", "-XX:MaxPermSize=128m"]}: false,
		{"command": ["java", "-XX:+UseG1GC"]}: false,
	} {
		count([true | writable("a:1", container)]) == {false: 0, true: 1}[expected]
	}
	not writable_as("app:1-jre8", {"command": ["java"]}, {"jvm.headroom.dev/app": "version=21"})
}

test_not_injectable_where_a_probe_passes_it_on if {
	probe := {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)", "Health"]}}
	every hooks in [{"livenessProbe": probe}, {"lifecycle": {"postStart": probe}}] {
		not writable("eclipse-temurin:17", object.union(env("JAVA_TOOL_OPTIONS", "-Xmx1g"), hooks))
	}
	hook := {"livenessProbe": {"exec": {"command": ["jcmd"]}}}
	writable("eclipse-temurin:17", object.union(env("JAVA_TOOL_OPTIONS", "-Xmx1g"), hook))
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
		{"env": [{"name": "OTHER", "value": "$(JAVA_TOOL_OPTIONS) -Da=b"}]},
		{"startupProbe": {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)"]}}},
		{"readinessProbe": {"exec": {"command": ["java", "$(JAVA_TOOL_OPTIONS)"]}}},
	] {
		not writable("eclipse-temurin:17", container)
	}
	every container in [
		{"command": ["sh", "-c", "java $OTHER Main"], "env": [{"name": "OTHER", "value": "-Da=b"}]},
		{"env": [{"name": "OTHER", "value": "-Da=b"}, {"name": "A", "value": 5}, "no entry"]},
		{"command": ["java"], "args": ["$(JAVA_TOOL_OPTIONS)"]},
	] {
		writable("eclipse-temurin:17", container)
	}
}

test_not_injectable_into_a_declared_old_java if {
	{text |
		some text in ["7", "8", "8u190", "8u191", "9", "10", "11"]
		writable_as("a:1", {"command": ["java"]}, {"jvm.headroom.dev/app": concat("=", ["version", text])})
	} == {"8u191", "10", "11"}
}
