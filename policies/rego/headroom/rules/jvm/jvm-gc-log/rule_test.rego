package headroom.rules.jvm["jvm-gc-log_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-gc-log"] as rule

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

test_no_log if {
	some f in of(java({"memory": "4Gi"}, "-Xmx1g"))
	f.container == "app"
	f.path == options
	contains(f.message, "writes a GC log")
	f.expected == "-Xlog:gc*:stdout (Java 8: -Xloggc:/dev/stdout)"
	object.get(f, "fix", []) == []
}

test_a_log if {
	every flag in [
		"-Xlog:gc",
		"-Xlog:gc*",
		"-Xlog:gc*:stdout",
		"-Xlog:gc*,safepoint:file=/var/log/gc.log:time:filecount=5,filesize=10m",
		"-Xlog:safepoint,gc:stdout",
		"-Xlog:gc+heap=debug",
		"-Xlog:all=info:stdout",
		"-Xlog",
		"-Xlog::stdout",
		"-Xloggc:/dev/stdout",
		"-XX:+PrintGC",
		"-XX:+PrintGCDetails",
		"-verbose:gc",
	] {
		count(of(java({}, flag))) == 0
	}
}

test_any_source if {
	line := ["java", "-Xlog:gc*", "-jar", "app.jar"]
	count(of(object.union(java({}, "-Xmx1g"), {"command": line}))) == 0
	count(of(object.union(java({}, "-Xmx1g"), {"env": [{"name": "_JAVA_OPTIONS", "value": "-Xlog:gc"}]}))) == 0
}

test_another_log if {
	every flag in [
		"-Xlog:safepoint",
		"-Xlog:disable",
		"-Xlog:class+load:stdout",
		"-Xlog:safepoint:file=/var/log/gc.log",
		"-Xlog:safepoint:file=/all.log",
		"-XX:-PrintGC",
		"-Dlog=-verbose",
	] {
		count(of(java({}, flag))) == 1
	}
	count(of(object.union(java({}, "-Xmx1g"), {"command": ["java", "-jar", "app.jar", "-Xlog:gc"]}))) == 1
}

test_the_declared_release if {
	some eight in report({"jvm.headroom.dev/app": "version=8"}, {"containers": [java({}, "-Xmx1g")]}, {})
	startswith(eight.expected, "-Xloggc:/dev/stdout")
	some later in report({"jvm.headroom.dev/app": "version=21"}, {"containers": [java({}, "-Xmx1g")]}, {})
	startswith(later.expected, "-Xlog:gc*:stdout")
}

test_a_secret_may_hold_it if {
	count(of(object.union(java({}, ""), {"env": [secret("JAVA_TOOL_OPTIONS")]}))) == 0
}

test_init_containers_and_what_is_no_jvm if {
	count(report({}, {"containers": [{"name": "web"}], "initContainers": [java({}, "-Xmx1g")]}, {})) == 0
}
