package headroom.rules.jvm["jvm-flags-unknown_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-flags-unknown"] as rule

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

rests := "The JVM findings are based on the visible flags."

test_everything_is_in_sight if {
	count(report("-Xmx1g", {}, {})) == 0
}

test_an_entrypoint_hides if {
	some f in report("-Xmx1g", {"command": null}, {})
	f.path == ["spec", "containers", 0, "command"]
	_whole(f) == concat(" ", [
		"Not visible: the image's entrypoint (the manifest has no command).",
		rests,
	])
}

test_a_guess if {
	some f in report("", {"command": null, "env": [{"name": "JVM_OPTS", "value": "-Xmx1g"}]}, {})
	startswith(f.message, "Assumed to be a JVM: it sets JVM_OPTS, which start scripts hand to java.")
	contains(f.message, "JVM_OPTS is assumed to be passed on by the start script.")
	some g in report("", {"command": null, "env": null, "args": ["-Xmx1g", "-jar", "app.jar"]}, {})
	startswith(g.message, "Assumed to be a JVM: its arguments look like a JVM's.")
	not contains(g.message, "passed on")
	some h in report("", {"command": null, "env": null, "image": "eclipse-temurin:21"}, {})
	startswith(h.message, "Assumed to be a JVM: image eclipse-temurin:21.")
}

test_a_secret if {
	some f in report(
		"", {"env": [{
			"name": "JAVA_TOOL_OPTIONS",
			"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}},
		}]},
		{},
	)
	_whole(f) == concat(" ", [
		"Not visible: JAVA_TOOL_OPTIONS (a Secret holds it).",
		"Findings on missing flags say what may set them; the rest is based on the visible flags.",
	])
	f.path == ["spec", "containers", 0, "env", 0]
}

test_a_guess_with_nothing_hidden if {
	visible := {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}], "command": ["/start.sh"]}
	some f in report("", visible, {})
	contains(f.message, "the command (a script starts java, and may add flags)")
	f.figures == {"hidden_places": 1}
}

# What an unread script may set is unknown, and the advice is not to replace an image's script by java.
test_a_script_that_nobody_has_read if {
	some f in report("", {"command": null, "env": null, "image": "registry.example.com/kafka:3"}, {})
	_whole(f) == concat(" ", [
		"Assumed to be a JVM: image registry.example.com/kafka:3.",
		"Not visible: the image's entrypoint (the manifest has no command).",
		"Heap and collector are unknown, unless a visible flag sets them.",
	])
	startswith(f.expected, "what the image's start script does, below images: in headroom.yaml, or ")
	some g in report("-Xmx1g", {"command": ["java", "@args", "-jar", "app.jar"]}, {})
	g.expected == "flags as plain text in JAVA_TOOL_OPTIONS or in the command"
}

hidden(more) := {[f.path, _whole(f)] | some f in report("", more, {})}

test_a_file_holds_options if {
	every argument in ["@args", "-XX:VMOptionsFile=/app/vm.options", "-XX:Flags=/app/flags"] {
		some [path, message] in hidden({"command": ["java", argument, "-jar", "app.jar"]})
		path == ["spec", "containers", 0, "command"]
		contains(message, "a file holds options") != contains(message, "an argument file holds options")
		contains(message, "Findings on missing flags say what may set them")
	}
}

test_all_of_a_secret if {
	some [path, message] in hidden({"env": [], "envFrom": [{"secretRef": {"name": "jvm"}}]})
	path == ["spec", "containers", 0, "envFrom", 0]
	contains(message, "envFrom (Secret jvm)")
	contains(message, "Findings on missing flags say what may set them")

	# Its variables begin with DB_: none is one that a JVM reads.
	hidden({"env": [], "envFrom": [{"prefix": "DB_", "secretRef": {"name": "db"}}]}) == set()
}

test_a_config_map if {
	container := {"env": [{
		"name": "JAVA_TOOL_OPTIONS",
		"valueFrom": {"configMapKeyRef": {"name": "jvm", "key": "flags"}},
	}]}
	some [_, message] in hidden(container)
	contains(message, "JAVA_TOOL_OPTIONS (ConfigMap jvm: it is not in the input)")
	found := rule.report with input as reviews.of_object(
		reviews.pod(container, {}),
		{"config_maps": [{"metadata": {"name": "jvm"}, "data": {"flags": "-Xmx1g"}}]},
	)
	count(found) == 0
}

test_shells if {
	hidden({"command": ["sh", "-c", "exec java -Xmx1g -jar app.jar"]}) == set()
	hidden({"command": ["tini", "--", "java", "-Xmx1g", "-jar", "app.jar"]}) == set()
	some [_, unset] in hidden({"command": ["sh", "-c", "exec java $OPTS -jar app.jar"]})
	contains(unset, "command line (part of it is filled in when the container starts)")
	hidden({
		"command": ["sh", "-c", "exec java $OPTS -jar app.jar"],
		"env": [{"name": "OPTS", "value": "-Xmx1g"}],
	}) == set()
}

test_java_in_args_alone if {
	some [_, message] in hidden({"command": null, "args": ["java", "-jar", "app.jar"]})
	contains(message, "the image's entrypoint")
	not contains(message, "Assumed to be")
}

test_a_runtime_that_is_declared if {
	sure := {"runtime.headroom.dev/app": "jvm"}
	some f in report("", {"command": null, "env": [], "image": "eclipse-temurin:21"}, sure)
	not contains(f.message, "is a guess")
	count(report("", {"command": null, "env": [], "image": "eclipse-temurin:21"}, {"runtime.headroom.dev/app": "go"})) == 0
}

test_nothing_secret_is_shown if {
	some [_, message] in hidden({"command": null, "env": [{"name": "JAVA_OPTS", "value": "-Dpassword=hunter2"}]})
	not contains(message, "hunter2")
}

test_init_containers if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"image": "eclipse-temurin:21",
	}]}}
	count(found) == 0
}

test_two_that_run_beside_each_other if {
	every script in ["java A & java B & wait", "java A & java B"] {
		some f in report("-Xmx1g", {"command": ["sh", "-c", script]}, {})
		startswith(f.message, "Its command starts more than one JVM at a time:")
	}
	every script in ["java A; java B", "if a; then java A; java B & fi"] {
		found := report("-Xmx1g", {"command": ["sh", "-c", script]}, {})
		not strings.any_prefix_match({f.message | some f in found}, ["Its command starts more than one JVM"])
	}
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])

test_more_places_are_counted if {
	some f in report(
		"", {
			"command": null,
			"image": "eclipse-temurin:21",
			"env": [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
		},
		{},
	)
	contains(f.message, " and 1 more.")
	f.figures.hidden_places == 2
}

test_two_variables_are_assumed if {
	some f in report(
		"", {"command": null, "env": [
			{"name": "JAVA_OPTS", "value": "-Xmx1g"},
			{"name": "JVM_OPTS", "value": "-Xss1m"},
		]},
		{},
	)
	contains(f.message, "JAVA_OPTS and JVM_OPTS are assumed to be passed on by the start script.")
}
