package headroom.inside_test

import data.headroom.inside
import data.headroom.process
import data.headroom.runtime.jvm
import data.headroom.runtimes
import data.headroom.workload

digest := "sha256:0123"

lock := {
	"references": {"example.com/app:1": digest},
	"images": {digest: {
		"platform": "linux/amd64",
		"entrypoint": ["java", "-Xmx1g"],
		"command": ["-jar", "$(NAME).jar"],
		"environment": {"JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC", "JAVA_VERSION": "jdk-21.0.4+7", "NAME": "a$b"},
	}},
}

# Each case: what the manifest says of command and args, and what runs.
commands := [
	[{}, ["java", "-Xmx1g", "-jar", "$$(NAME).jar"]],
	[{"args": []}, ["java", "-Xmx1g", "-jar", "$$(NAME).jar"]],
	[{"command": [], "args": ["-version"]}, ["java", "-Xmx1g", "-version"]],
	[{"args": ["-cp", "$(NAME)"]}, ["java", "-Xmx1g", "-cp", "$(NAME)"]],
	[{"command": ["sleep"]}, ["sleep"]],
	[{"command": ["sleep"], "args": ["60"]}, ["sleep", "60"]],
	[{"command": "sleep", "args": 60}, ["java", "-Xmx1g", "-jar", "$$(NAME).jar"]],
]

test_command_and_args if {
	every case in commands {
		[said, want] := case
		raw := inside.completed(object.union({"image": "example.com/app:1"}, said)) with data.headroom.image_lock as lock
		raw.command == want
		not raw.args
	}
}

test_by_digest if {
	every image in [concat("@", ["mirror.example/app", digest]), concat("@", ["app:9", digest])] {
		inside.config(image).command[0] == "-jar" with data.headroom.image_lock as lock
	}
	every image in ["app", "app:1", "app@sha256:4567", null, 1, {}] {
		raw := {"image": image}
		inside.completed(raw) == raw with data.headroom.image_lock as lock
	}
}

# Variables of the manifest win by name, and a ConfigMap's too.
test_variables if {
	container := {"image": "example.com/app:1", "env": [{"name": "NAME", "value": "c"}]}
	raw := inside.completed(container) with data.headroom.image_lock as lock
	raw.env == [
		{"name": "NAME", "value": "c"},
		{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:+UseSerialGC"},
		{"name": "JAVA_VERSION", "value": "jdk-21.0.4+7"},
	]
	raw.inside.env == 1
}

review(container, maps) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
		{
			"name": "app",
			"image": "example.com/app:1",
		},
		container,
	)]}},
	"context": {"config_maps": maps},
}

variable(name, container, maps) := found if {
	found := process.variable(workload.containers[0], name) with input as review(container, maps)
		with data.headroom.image_lock as lock
}

test_which_variable_wins if {
	map := {"kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"NAME": "map"}}
	from := [{"configMapRef": {"name": "m"}}]
	variable("NAME", {}, []).value == "a$b"
	variable("NAME", {"envFrom": from}, [map]).value == "map"
	variable("NAME", {"env": [{"name": "NAME", "value": "own"}], "envFrom": from}, [map]).value == "own"
	variable("OTHER", {}, []).state == "absent"

	# The kubelet expands from what the manifest sets alone.
	variable("OWN", {"env": [{"name": "OWN", "value": "$(NAME)"}]}, []).value == "$(NAME)"
}

test_arguments_are_not_expanded_from_the_image if {
	raw := review({"args": ["$(NAME)"]}, [])
	c := workload.containers[0] with input as raw with data.headroom.image_lock as lock
	process.expand(c, "$(NAME)") == "$(NAME)" with input as raw with data.headroom.image_lock as lock
}

# Each case: the container, a path in it as the rules see it, and the place in the manifest.
places := [
	[{}, ["command"], ["image"]],
	[{}, ["command", 3], ["image"]],
	[{}, ["env", 0, "value"], ["image"]],
	[{"env": [{"name": "A"}]}, ["env", 0, "value"], ["env", 0, "value"]],
	[{"env": [{"name": "A"}]}, ["env", 1, "value"], ["image"]],
	[{"args": ["a", "b"]}, ["command", 1], ["image"]],
	[{"args": ["a", "b"]}, ["command", 3], ["args", 1]],
	[{"command": ["x"], "args": ["a"]}, ["command", 0], ["command", 0]],
	[{"command": ["x"], "args": ["a"]}, ["command", 1], ["args", 0]],
	[{"command": ["x"]}, ["command"], ["command"]],
	[{}, ["resources", "limits"], ["resources", "limits"]],
	[{}, [], []],
]

test_places if {
	every case in places {
		[container, seen, want] := case
		found := workload.located(array.concat(["spec", "containers", 0], seen)) with input as review(container, [])
			with data.headroom.image_lock as lock
		found == array.concat(["spec", "containers", 0], want)
	}
	workload.located(["spec"]) == ["spec"] with input as review({}, []) with data.headroom.image_lock as lock
}

running(container) := found if {
	found := runtimes.running[0] with input as review(container, []) with data.headroom.image_lock as lock
}

test_what_runs if {
	running({}).evidence == "the image's entrypoint runs java"
	running({"args": ["-jar", "b.jar"]}).evidence == "the image's entrypoint runs java"
	running({"command": ["java", "-jar", "b.jar"]}).evidence == "its command runs java"
	running({"command": ["sleep", "60"]}).name == ""
}

test_release_of_java if {
	every text, feature in {"jdk-21.0.4+7": 21, "17.0.15": 17, "8u392-b08": 8, "jdk8u392-b08": 8, "1.8.0_392": 8} {
		version := jvm.facts_of_image({"inside": {"config": {"environment": {"JAVA_VERSION": text}}}}).version
		version.feature == feature
	}
	jvm.facts_of_image({}) == {}
	jvm.facts_of_image({"inside": {"config": {"environment": {"JAVA_VERSION": 21}}}}) == {}
}

test_no_lock_no_change if {
	raw := {"image": "example.com/app:1", "args": ["a"]}
	inside.completed(raw) == raw
	not inside.known
}
