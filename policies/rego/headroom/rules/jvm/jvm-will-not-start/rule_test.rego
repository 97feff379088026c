package headroom.rules.jvm["jvm-will-not-start_test"]

import data.headroom.rules.jvm["jvm-will-not-start"] as rule

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

test_no_release_starts if {
	some f in report("-Xmx1Gi", {}, {})
	f.path == flags_path
	f.message == "-Xmx1Gi: no JDK will start: Ki, Mi and Gi are units of Kubernetes; a JVM takes k, m and g."
	f.severity == "error"
	f.figures == {"refusing_releases": [8, 11, 17, 21, 25]}
}

test_some_releases_start if {
	some f in report("-XX:MaxRAMPercentage=75", {}, {})
	f.message == concat("", [
		"-XX:MaxRAMPercentage=75: JDK 8 will not start: ",
		"Java 8 takes it only with a decimal point, as in 75.0.",
	])
	f.severity == "warning"
	some g in report("-XX:+UseConcMarkSweepGC", {}, {})
	startswith(g.message, "-XX:+UseConcMarkSweepGC: JDK 17, 21 and 25 will not start: there is no such flag.")
}

test_the_declared_release if {
	some f in report("-XX:MaxRAMPercentage=75", {}, {"jvm.headroom.dev/app": "version=8"})
	contains(f.message, "JDK 8, which runs here, will not start")
	f.severity == "error"
	count(report("-XX:MaxRAMPercentage=75", {}, {"jvm.headroom.dev/app": "version=17"})) == 0
}

# One flag stops 8, the other everything after it.
test_flags_that_leave_no_release if {
	found := report("-XX:+PrintGCDateStamps -Xlog:gc", {}, {})
	count(found) == 2
	every f in found {
		f.severity == "error"
		endswith(f.message, "With the other flags that are refused here, no JDK will start.")
	}
}

test_flags_in_order if {
	count(report("-XX:MaxRAMPercentage=75.0 -Xss512k", {}, {})) == 0
}
