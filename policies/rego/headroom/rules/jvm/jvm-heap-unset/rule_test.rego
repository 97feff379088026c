package headroom.rules.jvm["jvm-heap-unset_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-heap-unset"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_the_default_share if {
	some f in of(reviews.java({"memory": "4Gi"}, "-XX:MaxMetaspaceSize=256m"))
	f.container == "app"
	f.path == options
	f.message == concat(" ", [
		"Neither -Xmx nor -XX:MaxRAMPercentage is set:",
		"the default of 25 % gives a heap of 1024 MiB from a limit of 4096 MiB.",
	])
	f.expected == "-XX:MaxRAMPercentage=50.0 and -XX:MaxDirectMemorySize=1024m"
	f.figures == {"heap_mib": 1024, "limit_mib": 4096}
	f.fix[0].flags == ["-XX:MaxRAMPercentage=50.0", "-XX:MaxDirectMemorySize=1024m"]
	f.harm == "cost"
}

test_any_way_to_set_it if {
	every flag in [
		"-Xmx1g",
		"-XX:MaxHeapSize=1g",
		"-XX:MaxRAMPercentage=50.0",
		"-XX:MaxRAMFraction=2",
		"-XX:MaxRAM=2g",
	] {
		count(of(reviews.java({"memory": "4Gi"}, flag))) == 0
	}
}

test_any_source if {
	app := reviews.java({"memory": "4Gi"}, "-Dx=y")
	count(of(object.union(app, {"command": ["java", "-Xmx1g", "-jar", "app.jar"]}))) == 0
	count(of(object.union(app, {"command": ["java", "-jar", "app.jar", "-Xmx1g"]}))) == 1
	every name in ["JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
		count(of(object.union(app, {"env": [{"name": name, "value": "-Xmx1g"}]}))) == 0
	}
	count(of(object.union(app, {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}))) == 1
}

# Java 8 does not read JDK_JAVA_OPTIONS.
test_a_variable_that_the_release_ignores if {
	app := object.union(reviews.java({"memory": "4Gi"}, ""), {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]})
	count(report({"jvm.headroom.dev/app": "version=8"}, {"containers": [app]}, {})) == 1
	count(report({"jvm.headroom.dev/app": "version=11"}, {"containers": [app]}, {})) == 0
}

test_the_initial_heap_lifts_the_maximum if {
	some f in of(reviews.java({"memory": "4Gi"}, "-Xms2g"))
	contains(f.message, "-Xms gives a heap of 2048 MiB from a limit of 4096 MiB")
	some small in of(reviews.java({"memory": "4Gi"}, "-Xms512m"))
	contains(small.message, "the default of 25 % gives a heap of 1024 MiB")
}

# A quarter of 384 MiB would be 96.
test_the_least_heap_of_the_jvm if {
	some f in of(reviews.java({"memory": "384Mi"}, "-Dx=y"))
	contains(f.message, "the JVM's least gives a heap of 126 MiB from a limit of 384 MiB")
	some larger in of(reviews.java({"memory": "512Mi"}, "-Dx=y"))
	contains(larger.message, "the default of 25 % gives a heap of 128 MiB from a limit of 512 MiB")
}

test_no_memory_limit if {
	some f in of(reviews.java({}, "-Dx=y"))
	f.harm == "neighbours"
	_whole(f) == concat(" ", [
		"Neither -Xmx nor -XX:MaxRAMPercentage is set, and there is no memory limit.",
		"The maximum heap is a quarter of the node's memory.",
	])
	f.expected == "limits.memory, then the share of it that HR303 has room for, at most -XX:MaxRAMPercentage=50.0"
	f.figures == {"heap_mib": 0, "limit_mib": 0}
	f.fix == []
}

capped := concat(" ", [
	"-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m",
	"-XX:MaxDirectMemorySize=256m -Xss512k",
])

test_fixed_where_the_budget_fits if {
	some f in of(reviews.java({"memory": "4Gi"}, capped))
	count(f.fix) > 0

	# 25 % of 700 MiB are 176, and 47 + 32 + 256 + 32 + 60 MiB come on top.
	some small in of(reviews.java({"memory": "700Mi"}, capped))
	startswith(small.expected, "annotate threads= and native= (")
	endswith(small.expected, "), then set -Xmx and limits.memory")
	small.fix == []
}

test_the_share_of_the_config if {
	some f in of(reviews.java({"memory": "4Gi"}, capped)) with data.headroom.overrides as {"jvm": {"maxRAMPercentage": 75}}
	f.expected == "-XX:MaxRAMPercentage=64.0"

	# 75 % does not fit, and less does.
	f.fix[0].flags == ["-XX:MaxRAMPercentage=64.0"]
}

tight := concat(" ", [
	"-XX:MaxMetaspaceSize=8m -XX:ReservedCodeCacheSize=16m",
	"-XX:MaxDirectMemorySize=1m -Xss256k",
])

known := {"jvm.headroom.dev/app": "threads=10 native=10Mi"}

# MaxRAMPercentage is ignored below 250 MiB (measured); MinRAMPercentage decides there.
test_small_limits if {
	some f in report(known, {"containers": [reviews.java({"memory": "250Mi"}, tight)]}, {})
	f.expected == "-XX:MaxRAMPercentage=50.0"
	count(f.fix) > 0
	some small in report(known, {"containers": [reviews.java({"memory": "249Mi"}, tight)]}, {})
	small.expected == "-Xmx124m"
	contains(small.message, "the default of 50 %")
	small.fix == []
}

test_the_percentage_for_small_memory if {
	count(of(reviews.java({"memory": "200Mi"}, "-XX:MinRAMPercentage=60.0"))) == 0
	count(of(reviews.java({"memory": "4Gi"}, "-XX:MinRAMPercentage=60.0"))) == 1
}

test_a_jvm_that_does_not_see_the_limit if {
	some f in of(reviews.java({"memory": "4Gi"}, concat(" ", ["-XX:-UseContainerSupport", capped])))
	f.fix == []
	f.figures.heap_mib == 0
}

test_a_secret_may_hold_it if {
	every name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
		some f in of(object.union(reviews.java({"memory": "4Gi"}, ""), {"env": [secret(name)]}))
		[f.severity, f.fix] == ["info", []]
		endswith(f.message, sprintf("This does not apply if %s (a Secret holds it) sets it.", [name]))
	}
	every names, others in {["s", "t"]: "another source", ["s", "t", "u"]: "one of 2 other sources"} {
		bulk := {"env": [], "envFrom": [{"secretRef": {"name": name}} | some name in names]}
		some f in of(object.union(reviews.java({"memory": "4Gi"}, ""), bulk))
		[f.severity, f.fix] == ["warning", []]
		endswith(f.message, sprintf("This does not apply if Secret s or %s sets it.", [others]))
	}
}

maps(flags) := {"config_maps": [{"metadata": {"name": "jvm"}, "data": {"JAVA_TOOL_OPTIONS": flags}}]}

test_a_config_map_of_the_same_input if {
	app := object.union(reviews.java({"memory": "4Gi"}, ""), {"env": [], "envFrom": [{"configMapRef": {"name": "jvm"}}]})
	count(report({}, {"containers": [app]}, maps("-Xmx1g"))) == 0
	some f in report({}, {"containers": [app]}, maps(capped))
	f.path == array.concat(container, ["envFrom", 0])
	f.fix[0].behind == ["command", 0]
}

# What starts java out of sight may set a heap: the default is possible, and nothing is written.
test_a_start_that_is_not_seen if {
	hidden := object.remove(reviews.java({"memory": "4Gi"}, "-Dx=y"), ["command"])
	some f in of(object.union(hidden, {"image": "registry.example/app:1"}))
	[f.severity, f.fix] == ["info", []]
	startswith(f.message, concat(" ", [
		"Neither -Xmx nor -XX:MaxRAMPercentage is set where the manifest shows it;",
		"the image's entrypoint may",
	]))
	paketo := array.concat(hidden.env, [{"name": "BPL_JVM_THREAD_COUNT", "value": "50"}])
	count(of(object.union(hidden, {"image": "registry.example/app:1", "env": paketo}))) == 0
}

test_a_probable_jvm if {
	some f in of({"name": "app", "image": "eclipse-temurin:21", "resources": {"limits": {"memory": "4Gi"}}})
	f.fix == []
}

# The start scripts of such programs set a heap.
test_an_image_with_a_start_script if {
	count(of({"name": "app", "image": "apache/kafka:4.0", "resources": {"limits": {"memory": "4Gi"}}})) == 0
}

cassandra(memory, env) := of({
	"name": "app",
	"image": "cassandra:5.0",
	"env": [{"name": name, "value": value} | some name, value in env],
	"resources": {"limits": memory},
})

# Cassandra's script goes by the node's memory: the heap does not fit from some node on.
test_a_share_of_the_node if {
	some f in cassandra({"memory": "2Gi"}, {})
	f.message == concat(" ", [
		"MAX_HEAP_SIZE is not set:",
		"the image's start script takes 25 % of the node's memory, 1024 to 8192 MiB.",
	])
	f.why == concat(" ", [
		"On a node of 7 GiB it is 1792 MiB. With 396 MiB expected beside it the container is OOMKilled:",
		"its limit is 2048 MiB.",
	])
	f.expected == "MAX_HEAP_SIZE=1248m and HEAP_NEWSIZE=312m"
	[f.harm, f.severity] == ["OOMKilled", "warning"]
	f.figures == {"least_mib": 1024, "most_mib": 8192, "limit_mib": 2048}
	some small in cassandra({"memory": "1200Mi"}, {})
	endswith(small.why, " MiB expected beside it, are over the limit of 1200 MiB: the container is OOMKilled.")
	some tiny in cassandra({"memory": "256Mi"}, {})
	tiny.expected == "a higher limits.memory, then MAX_HEAP_SIZE and HEAP_NEWSIZE at half of it"
}

# What is taken beside the heap is assumed: no size of a heap is told. explain tells none, either.
test_a_share_of_the_node_beside_what_is_assumed if {
	some f in of({"name": "app", "image": "datastax/dse-server:6.8.40", "resources": {"limits": {"memory": "2Gi"}}})
	f.expected == concat(", ", [
		"annotate threads=, classes= and native= (headroom diagnose POD shows them)",
		"set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize in JVM_OPTS",
		"then set MAX_HEAP_SIZE",
	])
}

test_a_share_of_the_node_that_fits if {
	count(cassandra({"memory": "12Gi"}, {})) == 0
	count(cassandra({}, {})) == 0
	count(cassandra({"memory": "2Gi"}, {"MAX_HEAP_SIZE": "1248m", "HEAP_NEWSIZE": "312m"})) == 0
	count(cassandra({"memory": "2Gi"}, {"JVM_EXTRA_OPTS": "-Xmx1g"})) == 0
	count(cassandra({"memory": "2Gi"}, {"JVM_OPTS": "-Xmx1g -Xms1g"})) == 0
}

test_init_containers_and_native_sidecars if {
	app := reviews.java({"memory": "4Gi"}, "-Dx=y")
	sidecar := object.union(app, {"name": "agent", "restartPolicy": "Always"})
	found := report({}, {"containers": [{"name": "web"}], "initContainers": [app, sidecar]}, {})
	{f.container | some f in found} == {"agent"}
}

test_the_memory_limit_of_cgroup_v1_alone if {
	flags := "-XX:+UnlockExperimentalVMOptions -XX:+UseCGroupMemoryLimitForHeap"
	app := reviews.java({"memory": "2Gi"}, flags)
	some f in report({"jvm.headroom.dev/app": "version=8u131"}, {"containers": [app]}, {})
	endswith(f.message, "and Java 8u131 reads the limit under cgroup v1 only.")
	startswith(f.why, "Under cgroup v2 the maximum heap is a quarter")
}

# Flags that the JVM refuses to start with may set the heap: one cause is one finding.
test_what_is_refused if {
	every args in [["-Xms2g -Xmx2g", "A"], ["$JAVA_OPTS", "A"]] {
		count(of({"name": "app", "command": ["java"], "args": args, "resources": {"limits": {"memory": "4Gi"}}})) == 0
	}
	count(of(reviews.java({"memory": "4Gi"}, "-Xmx=2g"))) == 0
	count(of(reviews.java({"memory": "4Gi"}, "-XX:+Nonsense"))) == 1

	# A reference elsewhere in the command, or a heap that some releases alone refuse, leaves the default unsaid.
	every script in [
		"cd $HOME && exec java -XX:+UseConcMarkSweepGC -jar a.jar",
		"exec java -XX:+Nonsense -Dd=$D -jar a.jar",
	] {
		app := {"name": "app", "image": "a:1", "command": ["sh", "-c", script], "resources": {"limits": {"memory": "4Gi"}}}
		count(of(app)) == 1
	}
}

test_without_container_support if {
	some f in of(reviews.java({"memory": "2Gi"}, "-XX:-UseContainerSupport"))
	endswith(f.message, "and -XX:-UseContainerSupport (JAVA_TOOL_OPTIONS) hides the limit.")
	startswith(f.why, "The maximum heap is a quarter")
}

test_the_smallest_memory_limit if {
	some f in of(reviews.java({"memory": "1"}, "-Dx=y"))
	contains(f.message, "from a limit of 1 MiB")
}

test_a_fraction_without_effect if {
	some f in of(reviews.java({"memory": "128Mi"}, "-XX:MaxRAMFraction=1"))
	startswith(f.message, "-XX:MaxRAMFraction=1 (JAVA_TOOL_OPTIONS) has no effect on less than 250 MiB, and -Xmx is not")
	some both in of(reviews.java({"memory": "128Mi"}, "-XX:MaxRAMFraction=1 -XX:MaxRAMPercentage=100"))
	startswith(both.message, "-XX:MaxRAMPercentage=100 (JAVA_TOOL_OPTIONS) has no effect on less than 250 MiB, and -Xmx")
}

test_a_percentage_without_effect if {
	some f in of(reviews.java({"memory": "128Mi"}, "-XX:MaxRAMPercentage=100"))
	f.message == concat(" ", [
		"-XX:MaxRAMPercentage=100 (JAVA_TOOL_OPTIONS) has no effect on less than 250 MiB, and -Xmx is not set:",
		"the default of 50 % gives a heap of 64 MiB from a limit of 128 MiB.",
	])
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])

# A heap that is raised may take what the state stores need: their size is to be measured first.
test_memory_that_nothing_bounds if {
	stateful := reviews.java({"memory": "4Gi"}, "-Dkafka.streams.state=/data")
	streams := object.union(stateful, {"command": ["java", "-jar", "app.jar"]})
	some f in of(streams)
	not f.fix[0]
	startswith(f.expected, "the heap that the state stores of Kafka Streams in RocksDB (")
	endswith(f.expected, " leaves: measure that, and say it with native= in jvm.headroom.dev/app")
	some declared in report({"jvm.headroom.dev/app": "native=600Mi"}, {"containers": [streams]}, {})
	startswith(declared.expected, "-XX:MaxRAMPercentage=")
	count(declared.fix) == 1
}

# A gateway of Zeebe has no broker, and so no RocksDB.
test_a_role_without_that_memory if {
	zeebe := {"name": "app", "image": "camunda/zeebe:8.7.0", "resources": {"limits": {"memory": "4Gi"}}}
	gateway := object.union(zeebe, {"env": [{"name": "ZEEBE_STANDALONE_GATEWAY", "value": "true"}]})
	some broker in of(zeebe)
	startswith(broker.expected, "the heap that the broker's state in RocksDB (image camunda/zeebe) leaves")
	every other in [gateway, object.union(zeebe, {"image": "camunda/operate:8.7.0"})] {
		some f in of(other)
		startswith(f.expected, "-XX:MaxRAMPercentage=50.0")
	}
}

# What an image sets is part of the default, unless it was read.
test_an_image_that_was_not_read if {
	every image, end in {
		"registry.example.com/cart:1": " from a limit of 1024 MiB, unless the image's variables set one.",
		"eclipse-temurin:21": " from a limit of 1024 MiB.",
	} {
		found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
			"name": "app",
			"image": image,
			"command": ["java", "-jar", "cart.jar"],
			"resources": {"limits": {"memory": "1Gi"}},
		}]}}
		[true] == [endswith(f.message, end) | some f in found]
	}
}
