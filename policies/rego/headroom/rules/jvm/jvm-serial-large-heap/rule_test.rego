package headroom.rules.jvm["jvm-serial-large-heap_test"]

import data.headroom.rules.jvm["jvm-serial-large-heap"] as rule

report(annotations, resources, flags) := found if {
	found := rule.report with input as {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": annotations},
		"spec": {"containers": [{
			"name": "app",
			"command": array.concat(array.concat(["java"], flags), ["-jar", "app.jar"]),
			"resources": {"requests": resources, "limits": resources},
		}]},
	}
}

one := {"cpu": "1", "memory": "32Gi"}

test_a_large_heap_on_one_processor if {
	some f in report({}, one, ["-Xmx8g"])
	f.container == "app"
	f.message == concat(" ", [
		"The heap may grow to 8192 MiB, and the Serial collector, which the JVM picks itself",
		"on the 1 processor it counts (limits.cpu), works on it with one thread.",
	])
	f.expected == "-XX:+UseG1GC"
	f.figures == {"heap_mib": 8192, "processors": 1}
	f.severity == "warning"
	some told in report({}, object.union(one, {"cpu": "4"}), ["-Xmx8g", "-XX:ActiveProcessorCount=1"])
	told.severity == "warning"
	told.expected == "-XX:ActiveProcessorCount=4"
}

# Less than a server's memory makes it Serial, however many processors there are: the node's are not known.
test_little_memory if {
	some f in report({}, {"memory": "1Gi"}, ["-Xmx2g"])
	contains(f.message, "which the JVM picks itself under a limits.memory of 1024 MiB, works on it")
	not contains(f.message, "does not apply")
}

test_behind_a_script_that_was_not_read if {
	some f in rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["/start.sh"],
		"args": ["java", "-Xmx8g", "-XX:+UseSerialGC", "-jar", "app.jar"],
		"resources": {"requests": one, "limits": one},
	}]}}
	contains(f.message, "This does not apply if the command (a script starts java, and may add flags) sets another value.")
}

test_the_heap_of_a_server if {
	count(report({}, one, ["-Xmx1792m"])) == 0
	count(report({}, one, ["-Xmx1793m"])) == 1
}

test_another_collector if {
	count(report({}, one, ["-Xmx8g", "-XX:+UseG1GC"])) == 0
	count(report({}, one, ["-Xmx8g", "-XX:+UseParallelGC"])) == 0
	count(report({}, object.union(one, {"cpu": "1001m"}), ["-Xmx8g"])) == 0
	count(report({"jvm.headroom.dev/app": "version=28"}, one, ["-Xmx8g"])) == 0
}

test_a_collector_that_was_asked_for if {
	some f in report({}, object.union(one, {"cpu": "4"}), ["-Xmx8g", "-XX:+UseSerialGC"])
	f.severity == "info"
	contains(f.message, "as -XX:+UseSerialGC (command line) asks for it")
	f.expected == "-XX:+UseG1GC in place of -XX:+UseSerialGC"
	f.path == ["spec", "containers", 0, "command"]
}

# HR202 speaks of the limit, and gives the JVM two processors.
test_a_limit_that_goes if {
	latency := {"headroom.dev/workload-class": "latency-sensitive"}
	count(report(latency, one, ["-Xmx8g"])) == 0
	count(report(latency, one, ["-Xmx8g", "-XX:+UseSerialGC"])) == 1
	count(report(object.union(latency, {"ignore.headroom.dev/HR202": "paid for"}), one, ["-Xmx8g"])) == 1
}

test_memory_for_another_collector if {
	some f in report({}, {"cpu": "1", "memory": "9700Mi"}, ["-Xmx8g"])
	startswith(f.expected, "-XX:+UseG1GC, and limits.memory of ")
	endswith(f.expected, "Mi (and requests.memory), as G1 needs more than Serial")
}

test_flags_that_are_not_known if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app", "command": ["java", "-Xmx8g", "-jar", "a.jar"], "resources": {"limits": one},
		"env": [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
	}]}}
	count(found) == 0
}
