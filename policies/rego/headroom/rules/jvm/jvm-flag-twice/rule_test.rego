package headroom.rules.jvm["jvm-flag-twice_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-flag-twice"] as rule

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

test_twice_in_one_text if {
	some f in report("-Xmx1g -Xmx2g", {}, {})
	f.path == flags_path
	f.message == "Set twice or more: -Xmx1g (JAVA_TOOL_OPTIONS), then -Xmx2g (JAVA_TOOL_OPTIONS). The last wins, -Xmx2g."
	f.figures == {"values": 2}
}

test_in_two_sources if {
	some f in report("-XX:+UseG1GC", {"command": ["java", "-XX:-UseG1GC", "Main"]}, {})
	f.message == concat("", [
		"Set twice or more: -XX:+UseG1GC (JAVA_TOOL_OPTIONS), then -XX:-UseG1GC (command line). ",
		"The last wins, -XX:-UseG1GC.",
	])
}

test_one_flag_by_two_names if {
	some f in report("-XX:MaxHeapSize=1g -Xmx2g -Xss1m -XX:ThreadStackSize=512", {}, {})
	contains(f.message, "-XX:MaxHeapSize=1g (JAVA_TOOL_OPTIONS), then -XX:MaxHeapSize=2g")
}

test_values_that_are_no_size if {
	count(report("-Xmx1.5g -Xmx1.5G", {}, {})) == 1
	count(report("-Xmx1.5g -Xmx1.5g", {}, {})) == 0
	count(report("-Xmx0 -Xmx1", {}, {})) == 1
}

test_the_same_value_is_no_conflict if {
	count(report("-Xmx1g -Xmx1g", {"command": ["java", "-Xmx1g", "Main"]}, {})) == 0
	count(report("-Xmx1g -Xmx1024m", {}, {})) == 0
	count(report("-Xmx0 -Xmx0k", {}, {})) == 0
	count(report("-Xmx1 -Xmx1", {}, {})) == 0
	count(report("-Da=1 -Da=2", {}, {})) == 0
}

test_three_sources_in_the_order_of_the_jvm if {
	three := {
		"env": [
			{"name": "_JAVA_OPTIONS", "value": "-Xss3m"},
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Xss1m"},
		],
		"command": ["java", "-Xss2m", "Main"],
	}
	some f in report("", three, {})
	f.message == concat("", [
		"Set twice or more: -Xss1m (JAVA_TOOL_OPTIONS), then -Xss2m (command line), then -Xss3m (_JAVA_OPTIONS). ",
		"The last wins, -Xss3m.",
	])
	f.path == ["spec", "containers", 0, "env", 1, "value"]
	f.figures == {"values": 3}
	f.expected == "only -Xss3m, which counts already, or the one that is meant"
	object.get(f, "fix", []) == []
}

# What loses may have an effect all the same: then it is not said that only the last counts.
test_a_value_that_loses_and_matters if {
	every flags, wanted in {
		"-Xms1g -XX:InitialHeapSize=512m": "only the one that is meant",
		"-ms1g -XX:InitialHeapSize=512m": "only the one that is meant",
		"-Xmx1.5g -Xmx2g": "only the one that is meant",
		"-XX:+UnlockDiagnosticVMOptions -XX:+PrintAssembly -XX:-UnlockDiagnosticVMOptions": "only the one that is meant",
		"-Xms512m -Xms1g": "only -Xms1g, which counts already, or the one that is meant",
		"-XX:MaxHeapSize=1g -Xmx2g": "only -XX:MaxHeapSize=2g, which counts already, or the one that is meant",
	} {
		line := array.concat(["java"], array.concat(split(flags, " "), ["Main"]))
		[f.expected | some f in report("", {"command": line}, {})] == [wanted]
	}
}

# Java 8 does not read JDK_JAVA_OPTIONS.
test_a_variable_that_the_release_ignores if {
	both := {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx2g"}], "command": ["java", "-Xmx1g", "Main"]}
	count(report("", both, {})) == 1
	count(report("", both, {"jvm.headroom.dev/app": "version=8"})) == 0
}

test_what_is_not_read_is_no_second_value if {
	unread := {"env": [{"name": "JAVA_OPTS", "value": "-Xmx2g"}], "command": ["java", "-Xmx1g", "Main"]}
	count(report("", unread, {})) == 0
	count(report("-Xmx1g", {"command": ["java", "Main", "-Xmx2g"]}, {})) == 0
}

test_a_probable_jvm if {
	probable := {"command": null, "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g -Xmx2g"}]}
	count(report("", probable, {})) == 1
}

test_a_config_map_of_the_same_input if {
	container := {"command": ["java", "-Xmx1g", "Main"], "envFrom": [{"configMapRef": {"name": "jvm"}}]}
	found := rule.report with input as reviews.of_object(
		reviews.pod(container, {}),
		{"config_maps": [{"metadata": {"name": "jvm"}, "data": {"JAVA_TOOL_OPTIONS": "-Xmx2g"}}]},
	)
	some f in found
	f.message == "Set twice or more: -Xmx2g (JAVA_TOOL_OPTIONS), then -Xmx1g (command line). The last wins, -Xmx1g."
}

test_init_containers if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"command": ["java", "-Xmx1g", "-Xmx2g", "Main"],
	}]}}
	count(found) == 0
}

# To set what an image's start script sets by default is how the image is meant to be used.
test_an_image_s_own_value_is_overridden if {
	kafka := {"command": null, "image": "apache/kafka:3.9.0"}
	count(report("", object.union(kafka, {"env": [{"name": "KAFKA_HEAP_OPTS", "value": "-Xmx2g -Xms2g"}]}), {})) == 0
	some f in report("-Xmx2g", kafka, {})
	contains(f.message, ": -Xmx2g (JAVA_TOOL_OPTIONS), then -Xmx1G (KAFKA_HEAP_OPTS")
	endswith(f.message, " The last wins, -Xmx1G.")
	some g in report("-Xmx2g -Xmx3g", kafka, {})
	g.figures == {"values": 3}
	count(report("-Xmx1g", kafka, {})) == 0
}

# An image that sets a flag twice by itself is nothing that the manifest could change.
test_what_only_an_image_sets if {
	rule._rivals([{"image": true, "value": "1"}, {"image": true, "value": "2"}]) == []
	own := {"image": false, "value": "1"}
	rule._rivals([{"image": true, "value": "2"}, own]) == [own]
}
