package headroom.rules.jvm["jvm-flags-unknown_test"]

import data.headroom.rules.jvm["jvm-flags-unknown"] as rule

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

rests := "HR303, HR304, HR307 and HR402 to HR413 rest on what is in sight."

test_everything_is_in_sight if {
	count(report("-Xmx1g", {}, {})) == 0
}

test_an_entrypoint_hides if {
	some f in report("-Xmx1g", {"command": null}, {})
	f.path == ["spec", "containers", 0, "command"]
	f.message == concat(" ", [
		"Flags may be set where this check cannot look: the image's entrypoint (the manifest has no command,",
		"so the image decides how java is started).",
		rests,
	])
}

test_a_guess if {
	some f in report("", {"command": null, "env": [{"name": "JVM_OPTS", "value": "-Xmx1g"}]}, {})
	startswith(f.message, "That this is a JVM is a guess: it sets JVM_OPTS, which start scripts hand to java.")
	contains(f.message, "No JVM reads JVM_OPTS by itself; it is judged as if the start script passed it on.")
	some g in report("", {"command": null, "env": null, "args": ["-Xmx1g", "-jar", "app.jar"]}, {})
	startswith(g.message, "That this is a JVM is a guess: its arguments look like a JVM's.")
	some h in report("", {"command": null, "env": null, "image": "tomcat:10"}, {})
	startswith(h.message, "That this is a JVM is a guess: image tomcat:10.")
}

test_a_secret if {
	some f in report(
		"", {"env": [{
			"name": "JAVA_TOOL_OPTIONS",
			"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}},
		}]},
		{},
	)
	f.message == concat(" ", [
		"Flags may be set where this check cannot look: JAVA_TOOL_OPTIONS (a Secret holds it).",
		"HR402 to HR408 and HR413 are not judged; HR303, HR304, HR307, HR409 and HR410 rest on what is in sight.",
	])
	f.path == ["spec", "containers", 0, "env", 0]
}

test_a_guess_with_nothing_hidden if {
	visible := {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}], "command": ["/start.sh"]}
	some f in report("", visible, {})
	contains(f.message, "the command (it starts java through a script, which may add flags)")
	f.figures == {"hidden_places": 1}
}
