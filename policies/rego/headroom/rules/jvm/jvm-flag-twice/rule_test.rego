package headroom.rules.jvm["jvm-flag-twice_test"]

import data.headroom.rules.jvm["jvm-flag-twice"] as rule

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

test_twice_in_one_text if {
	some f in report("-Xmx1g -Xmx2g", {}, {})
	f.path == flags_path
	f.message == "-Xmx1g (JAVA_TOOL_OPTIONS), then -Xmx2g (JAVA_TOOL_OPTIONS); -Xmx2g wins."
	f.figures == {"values": 2}
}

test_in_two_sources if {
	some f in report("-XX:+UseG1GC", {"command": ["java", "-XX:-UseG1GC", "Main"]}, {})
	f.message == concat("", [
		"-XX:+UseG1GC (JAVA_TOOL_OPTIONS), then -XX:-UseG1GC (command line); ",
		"-XX:-UseG1GC wins.",
	])
}

test_one_flag_by_two_names if {
	some f in report("-XX:MaxHeapSize=1g -Xmx2g -Xss1m -XX:ThreadStackSize=512", {}, {})
	startswith(f.message, "-XX:MaxHeapSize=1g (JAVA_TOOL_OPTIONS), then -XX:MaxHeapSize=2g")
}

test_the_same_value_is_no_conflict if {
	count(report("-Xmx1g -Xmx1g", {"command": ["java", "-Xmx1g", "Main"]}, {})) == 0
	count(report("-Da=1 -Da=2", {}, {})) == 0
}
