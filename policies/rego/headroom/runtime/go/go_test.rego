package headroom.runtime.go_test

import data.headroom.runtime.go

pod(annotation, env) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {name: annotation | some name in ["runtime.headroom.dev/app"]; annotation != ""}},
	"spec": {"containers": [{"name": "app", "env": env}]},
}

gos(annotation, env) := found if {
	found := go.gos with input as pod(annotation, env)
}

one(name, value) := [{"name": name, "value": value}]

test_declared if {
	[g] := gos("go version=1.24", [])
	g.container == "app"
	g.sure
	g.evidence == "annotation runtime.headroom.dev/app"
	g.version == [1, 24]
	g.path == ["spec", "containers", 0, "env"]
	g.gomaxprocs == {"state": "absent", "set": false, "raw": "", "path": [], "valid": true, "value": 0, "node": false}
	not g.gomemlimit.set
}

versions := {
	"go": null,
	"go version=1.24": [1, 24],
	"go version=1.24.3": [1, 24],
	"go version=go1.25rc1": [1, 25],
	"go version=2.0": [2, 0],
	"go  version=1.26": [1, 26],
	"go version=": null,
	"go version=1": null,
	"go version=new": null,
	"go release=1.24": null,
	"go version=1.24 automaxprocs": [1, 24],
	"go automaxprocs": null,
}

test_go_lines if {
	every annotation, version in versions {
		[g] := gos(annotation, [])
		g.version == version
	}
}

test_variables_that_only_go_reads if {
	every name in ["GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GODEBUG"] {
		[g] := gos("", one(name, "1"))
		g.evidence == concat(" ", [name, "is set"])
		g.version == null
	}
}

test_nothing_says_go if {
	gos("", one("GOPATH", "/go")) == []
	gos("", null) == []
}

test_another_runtime_is_declared if gos("jvm", one("GOGC", "30")) == []

test_images_are_not_guessed if {
	found := go.gos with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "image": "quay.io/prometheus/prometheus:v3.0.0"}]},
	}
	found == []
}

test_init_containers_are_not_judged if {
	found := go.gos with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"runtime.headroom.dev/init": "go"}},
		"spec": {"initContainers": [{"name": "init", "env": one("GOGC", "30")}]},
	}
	found == []
}

procs(value) := g.gomaxprocs if [g] := gos("", one("GOMAXPROCS", value))

test_gomaxprocs_that_go_takes if {
	procs("7").value == 7
	procs("07").value == 7
	procs("7").path == ["spec", "containers", 0, "env", 0, "value"]
	every value in ["7", "07", "999999999"] {
		procs(value).valid
	}
}

test_gomaxprocs_that_go_ignores if {
	every value in ["1.5", "500m", "0", "", "-1", "+2", " 2", "2 ", "two", "9999999999"] {
		found := procs(value)
		not found.valid
		found.value == 0
		found.raw == value
	}
}

test_gomaxprocs_from_elsewhere if {
	[secret] := gos("", [{"name": "GOMAXPROCS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}])
	secret.gomaxprocs.state == "unknown"
	secret.gomaxprocs.set
	[field] := gos("", [{"name": "GOMAXPROCS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}])
	field.gomaxprocs.node
	field.gomaxprocs.raw == "limits.cpu"
}

test_containermaxprocs if {
	settings := {
		"containermaxprocs=1": "1",
		"http2client=0,containermaxprocs=0": "0",
		"containermaxprocs=1,containermaxprocs=0": "0",
		"updatemaxprocs=0": "",
		"containermaxprocs": "",
	}
	every text, wanted in settings {
		[g] := gos("", one("GODEBUG", text))
		g.containermaxprocs == wanted
	}
}

memory(value) := g.gomemlimit if [g] := gos("", one("GOMEMLIMIT", value))

test_gomemlimit_that_go_reads if {
	sizes := {
		"400MiB": 419430400,
		"1GiB": 1073741824,
		"2TiB": 2199023255552,
		"1024KiB": 1048576,
		"1000B": 1000,
		"1000": 1000,
		"0064MiB": 67108864,
		"off": 0,
		"9223372036854775807": 9223372036854775807,
	}
	every text, bytes in sizes {
		found := memory(text)
		found.valid
		found.bytes == bytes
		found.set
	}
}

test_gomemlimit_that_stops_go if {
	malformed := ["400Mi", "400M", "400MB", "1.5GiB", "-1", "MiB", "90%", "400 MiB"]
	too_large := ["9223372036854775808", "9000000000TiB"]
	every text in array.concat(malformed, too_large) {
		found := memory(text)
		not found.valid
		found.bytes == 0
	}
}

test_an_empty_gomemlimit_is_none if {
	found := memory("")
	not found.set
	found.valid
}

test_gomemlimit_from_elsewhere if {
	[secret] := gos("", [{"name": "GOMEMLIMIT", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}])
	secret.gomemlimit.set
	secret.gomemlimit.bytes == 0
	[field] := gos("", [{
		"name": "GOMEMLIMIT",
		"valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": "1Mi"}},
	}])
	field.gomemlimit.divided
	field.gomemlimit.raw == "limits.memory"
}

test_hidden_sources if {
	found := go.gos with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"runtime.headroom.dev/app": "go"}},
		"spec": {"containers": [{"name": "app", "envFrom": [{"secretRef": {"name": "s"}}]}]},
	}
	count(found[0].hidden) == 1
}

# limited is a Go program with this GOMEMLIMIT under this limit; 0 is not set.
limited(bytes, limit, set) := {
	"gomemlimit": {"valid": true, "bytes": bytes, "set": set, "state": "literal", "raw": ""},
	"c": {"memory_limit": limit},
}

test_memory_problems_at_their_bounds if {
	wrong := {[row, kind] |
		some row in [
			[0, 0, true, ""], [1, 0, true, "tiny"], [4194303, 0, true, "tiny"], [4194304, 0, true, ""],
			[4194304, 4194305, true, ""], [4194304, 4194304, true, "no room"], [4194305, 4194304, true, "no room"],
			[4194304, 1, true, "no room"], [4194304, -1, true, ""],
			[0, 1, true, ""], [0, 1, false, "unset"], [0, 0, false, ""], [0, -1, false, ""],
		]
		kind := concat("", {kind | kind := go.memory_problem(limited(row[0], row[1], row[2])).kind})
		kind != row[3]
	}
	wrong == set()
	go.memory_wanted(10485760) == "9MiB"
	go.memory_wanted(1165085) == "1MiB"
	go.memory_wanted(1165084) == "1048575B"
}

test_a_collector_that_never_runs if {
	every text, never in {"off": true, "-1": true, "100": false, "0": false, "-0": false, "": false, "OFF": false} {
		[g] := gos("", one("GOGC", text))
		g.never == never
	}
	off := {"valid": true, "bytes": 0, "set": true, "state": "literal", "raw": "off"}
	kind := go.memory_problem({"gomemlimit": off, "never": true, "c": {"memory_limit": 1048576}}).kind
	kind == "never"
	not go.memory_problem({"gomemlimit": off, "never": true, "c": {"memory_limit": 0}})
	not go.memory_problem({"gomemlimit": off, "never": false, "c": {"memory_limit": 1}})
}

test_automaxprocs_takes_the_limit if {
	every case in [
		["go automaxprocs", "1", []],
		["go version=1.20 automaxprocs", "500m", []],
		[
			"go automaxprocs", "0",
			["GOMAXPROCS is not set, and there is no CPU limit: Go runs a thread on every core of the node."],
		],
	] {
		[annotation, limit, want] := case
		[g] := go.gos with input as {
			"apiVersion": "v1",
			"kind": "Pod",
			"metadata": {"annotations": {"runtime.headroom.dev/app": annotation}},
			"spec": {"containers": [{"name": "app", "resources": {"limits": {"cpu": limit}}}]},
		}
		g.automaxprocs
		[text | text := go.procs_problem(g)] == want
	}
}

under(env, limit) := found if {
	[g] := go.gos with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"runtime.headroom.dev/app": "go version=1.25"}},
		"spec": {"containers": [
			{"name": "app", "env": env, "resources": {"limits": {"cpu": limit}}},
			{"name": "beside", "env": one("PATH", "/")},
		]},
	}
	found := [text | text := go.procs_problem(g)]
}

test_procs_problems_at_their_bounds if {
	under(one("GOMAXPROCS", "2"), "1001m") == []
	contains(under(one("GOMAXPROCS", "3"), "1001m")[0], "3 threads use up the 100.1 ms of CPU time per 100 ms in 33.4 ms")
	under([], "1001m") == []
	under([], "1000m") == []
	under([], "1m") == []
	contains(under(one("GOMAXPROCS", "x"), "1000m")[0], "2 threads at once, its own minimum")
	endswith(under(one("GOMAXPROCS", "x"), "1001m")[0], "runs 2 threads at once.")
	endswith(under(one("GOMAXPROCS", "x"), "2001m")[0], "runs 3 threads at once.")
	contains(under(one("GOMAXPROCS", "3"), "1000m")[0], "and limits.cpu is 1: 3 threads use up the 100 ms of CPU time per")
	contains(under(one("GOMAXPROCS", "3"), "1m")[0], "and limits.cpu is 1m: 3 threads use up the 1 ms of CPU time per")
	under(one("GOMAXPROCS", "2"), "1m") == []
	under(one("GOMAXPROCS", "1"), "1m") == []
	under(one("GOMAXPROCS", "x"), "two") == []
	endswith(under([], "0")[0], "Go runs a thread on every core of the node.")
	under(one("GOMAXPROCS", "8"), "0") == []
}
