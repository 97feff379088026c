package headroom.runtime.go_image_test

import data.headroom.runtime.go
import data.headroom.runtimes

lock(config) := {"references": {"a:1": "sha256:1"}, "images": {"sha256:1": config}}

built(release, command) := {"command": command, "environment": {"GOLANG_VERSION": release}}

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "image": "a:1", "resources": {"limits": {"cpu": "1"}}},
	container,
)]}}

versions(config, container) := [g.version | some g in found] if {
	found := go.gos with input as pod(container) with data.headroom.image_lock as lock(config)
}

test_an_image_of_go if {
	versions(built("1.17.13", ["/bin/sh", "-c", "dispatch"]), {}) == [[1, 17]]
	versions(built("1.24rc1", ["./app"]), {}) == [[1, 24]]
	versions(built("1.25.1", ["./app"]), {}) == [null]
	versions(built("devel", ["./app"]), {}) == []
}

test_tools_are_no_go_program if {
	every command in [["bash"], ["go", "test"], ["sh", "-c", "make all"], ["sleep", "1d"]] {
		versions(built("1.17.13", command), {}) == []
		versions(built("1.17.13", ["./app"]), {"command": command}) == []
	}
}

# What an image was built on is a guess, where a runtime has no better sign.
marks := {"PYTHON_VERSION": "python?", "RUBY_VERSION": "ruby?", "PHP_VERSION": "php?", "NODE_VERSION": "node?"}

test_marks if {
	every mark, id in marks {
		config := {"command": ["./start"], "environment": {mark: "3.1"}}
		seen := runtimes.running[0] with input as pod({}) with data.headroom.image_lock as lock(config)
		seen.id == id
	}
	config := {"command": ["sleep", "1d"], "environment": {"PYTHON_VERSION": "3.1"}}
	seen := runtimes.running[0] with input as pod({}) with data.headroom.image_lock as lock(config)
	seen.id == ""
}

# A known release before 1.25, of which nothing but its threads under a limit is told.
exporter(container) := found if {
	found := go.gos with input as pod(object.union({"image": "prometheuscommunity/postgres-exporter:v0.11.1"}, container))
}

test_a_known_program if {
	[g] := exporter({})
	g.evidence == "image prometheuscommunity/postgres-exporter is a program in Go"
	text := concat(" ", [
		"GOMAXPROCS is not set, and release 0.11.1 of prometheuscommunity/postgres-exporter has a go line of 1.17 at most:",
		"Go does not look at the limit and runs a thread on every core of the node.",
	])
	go.procs_problem(g) == text
	[limited] := exporter({"resources": {"limits": {"memory": "64Mi", "cpu": "1"}}})
	not go.memory_problem(limited)
	[fixed] := exporter({"env": [{"name": "GOMAXPROCS", "value": "2"}]})
	not go.procs_problem(fixed)
	[asked] := exporter({"env": [{"name": "GODEBUG", "value": "containermaxprocs=1"}]})
	not go.procs_problem(asked)
}
