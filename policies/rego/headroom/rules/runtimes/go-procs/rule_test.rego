package headroom.rules.runtimes["go-procs_test"]

import data.headroom.rules.runtimes["go-procs"] as rule

pod(annotations, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [object.union({"name": "app", "image": "read:1"}, container)]},
}

declared(version) := {"runtime.headroom.dev/app": concat("", ["go version=", version])}

unknown := {"runtime.headroom.dev/app": "go"}

limits(cpu) := {"resources": {"limits": {"cpu": cpu}}}

env(name, value) := {"env": [{"name": name, "value": value}]}

report(annotations, container) := found if {
	found := rule.report with input as pod(annotations, container) with data.headroom.image_lock as read
}

# The image read:1 is known, and sets nothing.
read := {"references": {"read:1": "sha256:0"}, "images": {"sha256:0": {"entrypoint": [], "environment": {}}}}

only(annotations, container) := f if [f] := [f | some f in report(annotations, container)]

silent(annotations, container) if count(report(annotations, container)) == 0

test_an_old_go_line if {
	f := only(declared("1.24"), limits("2"))
	f.message == concat(" ", [
		"GOMAXPROCS is not set, and the go line of go.mod is 1.24, before 1.25:",
		"Go does not look at the limit and runs a thread on every core of the node.",
	])
	f.path == ["spec", "containers", 0, "env"]
	f.expected == "GOMAXPROCS: \"2\" (limits.cpu rounded up)"
	count(f.fix) > 0
	f.severity == "warning"
	f.figures == {"limit_millicores": 2000, "gomaxprocs": 0, "wanted_gomaxprocs": 2}
	f.harm == "throttled"
}

test_the_smallest_limit if {
	f := only(declared("1.24"), limits("1m"))
	f.expected == "GOMAXPROCS: \"2\" (limits.cpu rounded up, at least 2)"
	f.figures.wanted_gomaxprocs == 2
	[change.value | some change in f.fix] == ["2"]
	silent(declared("1.24"), object.union(limits("1m"), env("GOMAXPROCS", "2")))
}

test_a_new_go_line if {
	silent(declared("1.25"), limits("2"))
	silent(declared("1.26"), limits("1001m"))
	silent(declared("2.0"), limits("4"))
}

test_an_undeclared_go_line_may_be_new if silent(unknown, limits("2"))

test_automaxprocs_looks_at_the_limit if {
	automaxprocs := {"runtime.headroom.dev/app": "go version=1.24 automaxprocs"}
	silent(automaxprocs, limits("2"))
	silent(automaxprocs, limits("500m"))
	f := only(automaxprocs, object.union(limits("1"), env("GOMAXPROCS", "8")))
	contains(f.message, "GOMAXPROCS is 8")
}

test_godebug_counts if {
	silent(declared("1.24"), object.union(limits("2"), env("GODEBUG", "containermaxprocs=1")))
	f := only(declared("1.26"), object.union(limits("2"), env("GODEBUG", "containermaxprocs=0")))
	contains(f.message, "GODEBUG has containermaxprocs=0")
	count(f.fix) > 0
}

# Go's own minimum is two, and for a service one thread is no better (T19).
test_gos_own_minimum_of_two if {
	every cpu in ["1m", "500m", "1"] {
		every annotations in [unknown, declared("1.25"), declared("1.26")] {
			silent(annotations, limits(cpu))
			silent(annotations, object.union(limits(cpu), env("GOMAXPROCS", "2")))
			silent(annotations, object.union(limits(cpu), env("GOMAXPROCS", "1")))
		}
		silent({}, object.union(limits(cpu), env("GOGC", "30")))
	}
	f := only(unknown, object.union(limits("500m"), env("GOMAXPROCS", "3")))
	contains(f.message, "GOMAXPROCS is 3, and limits.cpu is 500m: 3 threads use up")
	contains(f.message, " use up the 50 ms of CPU time per 100 ms in 16.7")
	f.expected == "GOMAXPROCS: \"2\" (limits.cpu rounded up, at least 2)"
	ignored := only(declared("1.26"), object.union(limits("1"), env("GOMAXPROCS", "0.5")))
	endswith(ignored.message, "Go ignores it silently and runs 2 threads at once, its own minimum.")
	perhaps := only(unknown, object.union(limits("1"), env("GOMAXPROCS", "0.5")))
	endswith(perhaps.message, "its own minimum (before go 1.25: one on every core of the node).")
}

test_no_limit if {
	silent(declared("1.26"), {"resources": {"requests": {"cpu": "700m"}}})
	silent(declared("1.20"), {"resources": {"requests": {"cpu": "700m"}}})
	silent(unknown, {})
}

test_set_and_right if {
	silent(unknown, object.union(limits("2"), env("GOMAXPROCS", "2")))
	silent(unknown, object.union(limits("1500m"), env("GOMAXPROCS", "2")))
	silent(unknown, object.union(limits("500m"), env("GOMAXPROCS", "1")))
	silent(declared("1.24"), object.union(limits("4"), env("GOMAXPROCS", "3")))
	silent(unknown, env("GOMAXPROCS", "8"))
}

test_over_the_limit if {
	f := only(unknown, object.union(limits("2"), env("GOMAXPROCS", "8")))
	f.message == concat(" ", [
		"GOMAXPROCS is 8, and limits.cpu is 2:",
		"8 threads use up the 200 ms of CPU time per 100 ms in 25 ms, then they are throttled.",
	])
	f.path == ["spec", "containers", 0, "env", 0, "value"]
	object.get(f, "fix", []) == []
	count(report(unknown, object.union(limits("1500m"), env("GOMAXPROCS", "3")))) == 1
}

test_values_that_go_ignores if {
	f := only(declared("1.26"), object.union(limits("4"), env("GOMAXPROCS", "500m")))
	f.message == concat(" ", [
		"GOMAXPROCS is \"500m\", which is no whole number above 0:",
		"Go ignores it silently and runs 4 threads at once.",
	])
	object.get(f, "fix", []) == []
	old := only(declared("1.24"), object.union(limits("4"), env("GOMAXPROCS", "1.5")))
	contains(old.message, "ignores it silently and runs a thread on every core of the node.")
	none := only(unknown, env("GOMAXPROCS", "0"))
	contains(none.message, "ignores it silently and runs a thread on every core of the node.")
	forced := object.union(limits("4"), {"env": [
		{"name": "GOMAXPROCS", "value": ""},
		{"name": "GODEBUG", "value": "containermaxprocs=1"},
	]})
	contains(only(unknown, forced).message, "ignores it silently and runs 4 threads at once.")
}

from_limit(divisor) := {"env": [{
	"name": "GOMAXPROCS",
	"valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": divisor}},
}]}

test_taken_from_the_limit if {
	silent(declared("1.24"), object.union(limits("1500m"), from_limit("1")))
	f := only(unknown, object.union(limits("1500m"), from_limit("1m")))
	contains(f.message, "GOMAXPROCS is 1500 (from limits.cpu), and limits.cpu is 1500m")
}

test_taken_from_a_limit_that_is_not_there if {
	f := only(unknown, from_limit("1"))
	f.message == concat(" ", [
		"GOMAXPROCS is taken from limits.cpu, and there is no CPU limit:",
		"the kubelet fills in all CPUs of the node.",
	])
	object.get(f, "fix", []) == []
}

test_unknown_values_are_silent if {
	silent(unknown, {"env": [{"name": "GOMAXPROCS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]})
	silent(declared("1.24"), limits("two"))
}

test_a_secret_may_set_it if {
	f := only(declared("1.24"), {"envFrom": [{"secretRef": {"name": "s"}}], "resources": {"limits": {"cpu": "1"}}})
	f.severity == "info"
	object.get(f, "fix", []) == []
	endswith(f.message, "This does not apply if envFrom sets it: Secret s.")
}

test_other_programs_are_silent if silent({}, {})

# HR202 takes the limit away, and with it what would be wrong.
latency(container) := [f.expected | some f in report(
	object.union(unknown, {
		"headroom.dev/workload-class": "latency-sensitive",
		"headroom.dev/cpu-average": "1500m",
	}),
	container,
)]

test_beside_a_limit_that_goes if {
	requests := {"resources": {"requests": {"cpu": "1500m"}, "limits": {"cpu": "2"}}}
	found := latency(object.union(requests, env("GOMAXPROCS", "8")))
	found == ["no limits.cpu (HR202): without one, GOMAXPROCS may stay 8"]
	latency(object.union(requests, env("GODEBUG", "containermaxprocs=0"))) == [concat("", [
		`GOMAXPROCS: "3" (twice the average of 1500m, at least 2), `,
		"as HR202 takes the limit away",
	])]
}
