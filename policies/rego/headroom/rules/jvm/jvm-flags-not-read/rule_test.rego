package headroom.rules.jvm["jvm-flags-not-read_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-flags-not-read"] as rule

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

java_opts(command) := {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}], "command": command}

test_a_variable_that_nobody_expands if {
	some f in report("", java_opts(["java", "-jar", "/app.jar"]), {})
	f.path == flags_path
	f.message == concat(" ", [
		"JAVA_OPTS holds JVM flags, but no JVM reads it and the command does not expand it:",
		"they have no effect.",
	])
}

test_a_variable_that_the_command_expands if {
	count(report("", java_opts(["sh", "-c", "exec java $JAVA_OPTS -jar app.jar"]), {})) == 0
	count(report("", java_opts(["java", "$(JAVA_OPTS)", "-jar", "app.jar"]), {})) == 0
}

# HR412 says that it is not known.
test_behind_an_entrypoint if {
	count(report("", java_opts(null), {})) == 0
	count(report("", java_opts(["/start.sh"]), {})) == 0
}

test_a_variable_without_flags if {
	empty := {"env": [{"name": "JAVA_OPTS", "value": ""}]}
	count(report("", empty, {})) == 0
	secret := {"env": [{"name": "JAVA_OPTS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}
	count(report("", secret, {})) == 0
}

test_flags_behind_the_program if {
	some f in report("", {"command": ["java", "-jar", "app.jar", "-Xmx1g", "--port=80"]}, {})
	f.path == ["spec", "containers", 0, "command"]
	f.message == "-Xmx1g after the class or jar: java hands it to the program, and the JVM does not see it."
}

test_what_java_8_passes_over if {
	version := {"jvm.headroom.dev/app": "version=8"}
	some f in report(concat("", ["-Dp=", sprintf("%01024d", [1])]), {}, version)
	f.message == "JAVA_TOOL_OPTIONS: Java 8 reads nothing of a value of 1,024 bytes or more."
	some g in report("", {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]}, version)
	g.message == "JDK_JAVA_OPTIONS: Java 8 does not know this variable."
	many := concat(" ", ["-Da=1" | some _ in numbers.range(1, 65)])
	some h in report(many, {}, version)
	h.message == "JAVA_TOOL_OPTIONS: Java 8 reads the first 64 options only."
	count(report("-Xmx1g", {}, version)) == 0
}

test_a_variable_whose_value_is_no_flag if {
	count(report("", {"env": [{"name": "JAVA_OPTS", "value": "production"}]}, {})) == 0
}

test_variables_that_a_jvm_reads if {
	every name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
		count(report("", {"env": [{"name": name, "value": "-Xmx1g"}]}, {})) == 0
	}
}

test_each_variable if {
	several := {"env": [
		{"name": "JVM_OPTS", "value": "-Xmx1g"},
		{"name": "CATALINA_OPTS", "value": "-Dx=y"},
	]}
	found := report("", several, {})
	{f.path[4] | some f in found} == {0, 1}
	every f in found {
		f.expected == "the flags in JAVA_TOOL_OPTIONS"
	}
}

# The message names the variable and nothing of its value.
test_no_value_is_shown if {
	some f in report("", {"env": [{"name": "JAVA_OPTS", "value": "-Dpassword=hunter2 -Xmx1g"}]}, {})
	not contains(f.message, "hunter2")
}

test_arguments_of_the_program if {
	count(report("", {"command": ["java", "-jar", "app.jar", "--port=80", "-v", "-Xylophone"]}, {})) == 0
}

test_another_release_reads_them if {
	later := {"jvm.headroom.dev/app": "version=11"}
	count(report("", {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]}, later)) == 0
	count(report(concat("", ["-Dp=", sprintf("%01024d", [1])]), {}, later)) == 0
	eight := {"jvm.headroom.dev/app": "version=8"}
	count(report(concat("", ["-Dp=", sprintf("%01019d", [1])]), {}, eight)) == 0
	count(report(concat("", ["-Dp=", sprintf("%01020d", [1])]), {}, eight)) == 1
	count(report(concat(" ", ["-Da=1" | some _ in numbers.range(1, 64)]), {}, eight)) == 0
}

test_init_containers if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"command": ["java", "Main", "-Xmx1g"],
	}]}}
	count(found) == 0
}

# What a start script that somebody has read does not look at.
test_variables_that_an_image_does_not_read if {
	image := {"command": null, "image": "cassandra:4.1"}
	[f] := [f | some f in report("", object.union(image, {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}), {})]
	f.message == "JAVA_OPTS holds JVM flags, but the start script of image cassandra does not read it: no effect."
	f.path == ["spec", "containers", 0, "env", 0, "value"]
	size := {"command": null, "image": "elasticsearch:8.13.0", "env": [{"name": "ES_HEAP_SIZE", "value": "2g"}]}
	[g] := [g | some g in report("", size, {})]
	startswith(g.message, "ES_HEAP_SIZE sets a size, but the start script of image elasticsearch does not read it")
	every own in [
		{"env": [{"name": "JAVA_OPTS", "value": "no flags"}]},
		{"env": [{"name": "JAVA_OPTS", "value": "1g"}]},
		{"env": [{"name": "OTHER", "value": "-Xmx1g"}]},
		{"command": ["/own.sh"], "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]},
	] {
		count(report("", object.union(image, own), {})) == 0
	}
}

# Flags of the heap go where the script takes the heap from, others where it takes anything.
test_where_the_flags_belong if {
	image := {"command": null, "image": "confluentinc/cp-enterprise-control-center:6.1.0"}
	every set, place in {
		["KAFKA_HEAP_OPTS", "-Xms512M -Xmx512M"]: "the flags in CONTROL_CENTER_HEAP_OPTS",
		["JAVA_OPTS", "-XX:MaxRAMPercentage=50.0"]: "the flags in CONTROL_CENTER_HEAP_OPTS",
		["JAVA_OPTS", "-XX:+UseZGC"]: "the flags in CONTROL_CENTER_JVM_PERFORMANCE_OPTS",
	} {
		[f] := [f | some f in report("", object.union(image, {"env": [{"name": set[0], "value": set[1]}]}), {})]
		f.expected == place
	}
	both := [{"name": "CONTROL_CENTER_HEAP_OPTS", "value": "-Xmx6g"}, {"name": "KAFKA_HEAP_OPTS", "value": "-Xmx1g"}]
	[g] := [g | some g in report("", object.union(image, {"env": both}), {})]
	g.expected == "the flags in CONTROL_CENTER_JVM_PERFORMANCE_OPTS"
}

messages(command) := {f.message |
	some f in report("", {"command": command, "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}, {})
}

# As the main class it stops the JVM: HR409 says it, unless a program in front of java may expand it.
test_references_that_nobody_expands if {
	some behind_entrypoint in messages(["/entrypoint.sh", "java", "$JAVA_OPTS", "Main"])
	startswith(behind_entrypoint, concat("", [
		"$JAVA_OPTS in the command: no shell expands it, and java takes these letters as they are;",
		` write command: ["sh", "-c", "exec java $JAVA_OPTS -jar app.jar"]`,
	]))
	every command in [
		["java", "$JAVA_OPTS", "Main"],
		["java", "$(NO_SUCH)", "Main"],
		["java", "$(JAVA_OPTS)", "Main"],
		["sh", "-c", "exec java $JAVA_OPTS Main"],
		["java", "Main", "$A", "$(B)"],
	] {
		not strings.any_prefix_match({m | some m in messages(command)}, ["$"])
	}
}
