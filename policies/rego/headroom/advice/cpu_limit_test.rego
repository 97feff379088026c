package headroom.advice_cpu_limit_test

import data.headroom.main

pod(runtime, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a", "annotations": object.union(
		{"headroom.dev/workload-class": "latency-sensitive"},
		{"runtime.headroom.dev/app": runtime},
	)},
	"spec": {"containers": [object.union(
		{"name": "app", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1500m"}}},
		container,
	)]},
}

unlimited(runtime, container) := [f.expected, count(f.fix) > 0] if {
	some f in main.result.findings with input as pod(runtime, container)
	f.rule == "HR202"
}

# What takes its number of cores from the limit is told one, and its limit is left to people.
test_runtimes_that_follow_the_limit if {
	said := "no CPU limit, and %s: without it %s counts the node's cores"
	unlimited("dotnet", {}) == [sprintf(said, ["DOTNET_PROCESSOR_COUNT: \"2\"", ".NET"]), false]
	unlimited("beam", {}) == [sprintf(said, ["ERL_FLAGS: +S 2", "Erlang or Elixir"]), false]
	unlimited("envoy", {}) == [sprintf(said, ["--concurrency 2", "Envoy"]), false]
}

test_runtimes_that_need_not_be_told if {
	plain := "no CPU limit; the CPU request protects it and its neighbours"
	counted := {"env": [{"name": "DOTNET_PROCESSOR_COUNT", "value": "2"}]}
	unlimited("dotnet", counted) == [plain, false]
	unlimited("nginx", {}) == [plain, true]
}

# An image tells what runs, and not that the node's cores do no harm.
test_an_image_alone_takes_no_limit_away if {
	pods := {"containers": [{
		"name": "app",
		"image": "redis:7",
		"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1500m"}},
	}]}
	some f in main.result.findings with input as object.union(pod("x", {}), {
		"metadata": {"name": "a", "annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
		"spec": pods,
	})
	f.rule == "HR202"
	f.fix == []
}
