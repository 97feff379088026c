package headroom.rules.measured["processors-counted_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["processors-counted"] as rule
import data.headroom.runtime.jvm

review(container, annotations, runtime) := reviews.of_pod(
	annotations,
	{"containers": [object.union({"name": "app", "image": "registry.example/app:1"}, container)]},
	{"measured": {"app": {
		"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
		"runtime": object.union({"exporter": "client_golang", "samples": 2016, "seen_seconds": 604800}, runtime),
	}}},
)

report(container, annotations, runtime) := found if {
	found := rule.report with input as review(container, annotations, runtime)
}

limit(cpu) := {"resources": {"limits": {"cpu": cpu}}}

java(cpu) := object.union(limit(cpu), {"command": ["java", "-jar", "app.jar"]})

test_more_than_twice_the_limit if {
	some f in report(limit("1500m"), {}, {"processors": 64})
	f.message == concat(" ", [
		"It counts 64 processors (measured by Prometheus: client_golang over 7d), and limits.cpu is 1500m:",
		"it has threads for all of them, which use up the quota at once.",
	])
	f.expected == "GOMAXPROCS=2"
	f.figures == {"processors": 64, "cores": 2}
	f.size == 32
	report(limit("2"), {}, {"processors": 4}) == set()
	count(report(limit("2"), {}, {"processors": 5})) == 1
}

test_a_jvm if {
	some f in report(java("2"), {}, {"processors": 64})
	startswith(f.expected, "-XX:ActiveProcessorCount=2")
	some said in report(java("2"), {"jvm.headroom.dev/app": "processors=64"}, {"threads": 5})
	contains(said.message, "64 processors (annotation)")
}

# Each runtime is told its processors in its own words.
test_other_runtimes if {
	every given in [["beam", "ERL_FLAGS: +S 2"], ["dotnet", `DOTNET_PROCESSOR_COUNT: "2"`], ["go", "GOMAXPROCS=2"]] {
		[kind, wanted] := given
		some f in report(limit("2"), {}, {"kind": kind, "processors": 64})
		f.expected == wanted
	}
	every said in [
		{"env": [{"name": "ERL_FLAGS", "value": "+S 2:2"}]},
		{"env": [{"name": "DOTNET_PROCESSOR_COUNT", "value": "2"}]},
	] {
		count(report(object.union(limit("2"), said), {}, {"kind": "beam", "processors": 64})) == 0
	}
}

# The advice makes it go away before it is measured again.
test_a_number_that_is_set if {
	told := object.union(limit("1"), {"env": [{"name": "GOMAXPROCS", "value": "2"}]})
	report(told, {}, {"processors": 64}) == set()
	counted := object.union(java("1"), {"command": ["java", "-XX:ActiveProcessorCount=1", "-jar", "app.jar"]})
	report(counted, {}, {"processors": 64}) == set()
	other := object.union(limit("1"), {"env": [{"name": "OTHER", "value": "2"}]})
	count(report(other, {}, {"processors": 64})) == 1
}

test_silence if {
	report({}, {}, {"processors": 64}) == set()
	report(limit("0"), {}, {"processors": 64}) == set()
	report(limit("much"), {}, {"processors": 64}) == set()
	report(limit("1"), {}, {}) == set()
	init := json.patch(review(limit("1"), {}, {"processors": 64}), [
		{"op": "move", "from": "/object/spec/containers", "path": "/object/spec/initContainers"},
		{"op": "add", "path": "/object/spec/containers", "value": []},
	])
	count(rule.report) == 0 with input as init
}

# What it makes of its processors is what it makes of those: no rule says that it counts the two of its limit.
test_threads_are_for_what_is_counted if {
	every counted, want in {"64": [0, "the node: it counts 64 processors"], "4": [2, "limits.cpu"]} {
		annotation := {"jvm.headroom.dev/app": concat("", ["processors=", counted])}
		found := jvm.jvms[0] with input as review(java("2"), annotation, {})
		[found.processors, found.processors_source] == want
	}
	told := jvm.jvms[0] with input as review(java("2"), {}, {"processors": 64})
	told.processors == 0
}
