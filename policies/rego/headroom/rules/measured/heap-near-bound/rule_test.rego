package headroom.rules.measured["heap-near-bound_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["heap-near-bound"] as rule

mi := 1048576

review(container, runtime) := reviews.of_pod(
	{},
	{"containers": [object.union(
		{"name": "app", "image": "registry.example/app:1", "resources": {"limits": {"memory": "2Gi"}}},
		container,
	)]},
	{"measured": {"app": {
		"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
		"runtime": object.union({"exporter": "its client", "samples": 2016, "seen_seconds": 604800}, runtime),
	}}},
)

report(container, runtime) := found if {
	found := rule.report with input as review(container, runtime)
}

env(name, value) := {"env": [{"name": name, "value": value}]}

# Each case: the container, the runtime, the bound in MiB, and the severity, by whether that is said.
cases := [
	[env("NODE_OPTIONS", "--max-old-space-size=1024"), {"kind": "node"}, 1024, "warning"],
	[{}, {"kind": "node", "version": "v22.11.0"}, 1048, "info"],
	[{}, {"kind": "node", "version": "v24.1.0"}, 1120, "info"],
	[{"resources": {"limits": {"memory": "256Mi"}}}, {"kind": "node", "version": "v20.1.0"}, 259, "info"],
	[{"resources": {"limits": {"memory": "16Gi"}}}, {"kind": "node", "version": "v22.1.0"}, 4144, "info"],
	[{"resources": {"limits": {"memory": "14Gi"}}}, {"kind": "node", "version": "v22.1.0"}, 2096, "info"],
	[{}, {"kind": "dotnet"}, 1536, "info"],
	[env("DOTNET_GCHeapHardLimitPercent", "32"), {"kind": "dotnet"}, 1024, "warning"],
	[env("DOTNET_GCHeapHardLimitPercent", "64"), {"kind": "dotnet"}, 1536, "warning"],
	[env("DOTNET_GCHeapHardLimit", "0x20000000"), {"kind": "dotnet"}, 512, "warning"],
	[env("GOMEMLIMIT", "1GiB"), {"kind": "go", "memory_limit": 500 * mi}, 1024, "warning"],
	[{}, {"kind": "go", "memory_limit": 512 * mi}, 512, "warning"],
]

test_bounds if {
	every case in cases {
		[container, runtime, bound, severity] := case
		some f in report(container, object.union(runtime, {"floor": bound * mi}))
		f.figures == {"held_mib": bound, "bound_mib": bound}
		f.severity == severity
		count(report(container, object.union(runtime, {"floor": floor(bound * 0.78) * mi}))) == 0
	}
}

test_what_is_said if {
	some f in report(env("NODE_OPTIONS", "--max-old-space-size=1024"), {"kind": "node", "floor": 900 * mi})
	f.message == concat(" ", [
		"The heap holds 900 MiB at the lowest of an hour, 87.9 % of the 1024 that it may have",
		"(--max-old-space-size=1024; measured by Prometheus: its client over 7d); 80 % is the most.",
	])
	f.expected == "--max-old-space-size=1500 or more"
	some live in report(env("GOMEMLIMIT", "1GiB"), {"kind": "go", "live": 900 * mi, "floor": 1000 * mi})
	startswith(live.message, "The heap holds 900 MiB after collections")
	live.expected == "GOMEMLIMIT=1500MiB or more"
	some share in report({}, {"kind": "dotnet", "floor": 1500 * mi})
	share.expected == "limits.memory of 3334Mi or more"
	some bytes in report(env("DOTNET_GCHeapHardLimit", "0x20000000"), {"kind": "dotnet", "floor": 500 * mi})
	bytes.expected == `DOTNET_GCHeapHardLimit: "0x34200000" (834 MiB) or more`
	some narrow in report(env("NODE_OPTIONS", "--max-old-space-size=1700"), {"kind": "node", "floor": 1600 * mi})
	narrow.expected == "--max-old-space-size=2667 or more, and limits.memory of 3556Mi or more"
}

# More than the bound that is taken for its own shows that it has another; with GOGC=off it is garbage that is near it.
test_bounds_that_are_refuted if {
	count(report({}, {"kind": "node", "version": "v22.1.0", "floor": 1500 * mi})) == 0
	count(report({}, {"kind": "dotnet", "floor": 1600 * mi})) == 0
	said := env("NODE_OPTIONS", "--max-old-space-size=1024")
	count(report(said, {"kind": "node", "floor": 1100 * mi})) == 1
	count(report(said, {"kind": "node", "floor": 2000 * mi})) == 0
	count(report(env("GOMEMLIMIT", "1GiB"), {"kind": "go", "floor": 2000 * mi})) == 1
	whole := {"command": ["node", "--max-heap-size=1200", "a.js"]}
	count(report(whole, {"kind": "node", "version": "v22.1.0", "floor": 1000 * mi})) == 0
	off := {"env": [{"name": "GOMEMLIMIT", "value": "900MiB"}, {"name": "GOGC", "value": "off"}]}
	count(report(off, {"kind": "go", "floor": 850 * mi})) == 0
	count(report(off, {"kind": "go", "live": 850 * mi})) == 1
	on := {"env": [{"name": "GOMEMLIMIT", "value": "900MiB"}, {"name": "GOGC", "value": "50"}]}
	count(report(on, {"kind": "go", "floor": 850 * mi})) == 1
}

# What bounds the heap is not known, or whose it is.
test_silence if {
	full := {"floor": 4000 * mi}
	secret := {"envFrom": [{"secretRef": {"name": "a"}}]}
	no_limit := {"resources": {"limits": {"memory": "0"}}}
	every given in [
		[{}, {"kind": "node"}],
		[{}, {"kind": "node", "version": "v18.1.0"}],
		[secret, {"kind": "node", "version": "v22.1.0"}],
		[no_limit, {"kind": "node", "version": "v22.1.0"}],
		[no_limit, {"kind": "dotnet"}],
		[secret, {"kind": "dotnet"}],
		[{}, {"kind": "go"}],
		[{}, {"kind": "beam"}],
		[{}, {}],
		[
			{"command": ["pm2-runtime", "-i", "4", "a.js"], "env": env("NODE_OPTIONS", "--max-old-space-size=512").env},
			{"kind": "node"},
		],
	] {
		[container, runtime] := given
		count(report(container, object.union(full, runtime))) == 0
	}
	count(report({}, {"kind": "dotnet"})) == 0
	count(report({}, {"kind": "dotnet", "samples": 3, "floor": 4000 * mi})) == 0
	pod := review({}, {}).object
	count(rule.report) == 0 with input as pod
}

# Of a bound that the program told, what its own Pod holds counts.
test_of_one_pod if {
	small := {"memory_limit": 512 * mi, "floor": 450 * mi, "live": 0}
	told := {"kind": "go", "floor": 900 * mi, "memory_limit": 4096 * mi, "pods": {"floor_share": small}}
	some f in report({}, told)
	f.figures == {"held_mib": 450, "bound_mib": 512}
	full := {"live_share": {"live": 480 * mi, "memory_limit": 500 * mi}}
	some live in report({}, object.union(told, {"live": 900 * mi, "pods": full}))
	live.figures == {"held_mib": 480, "bound_mib": 500}
	some said in report(env("GOMEMLIMIT", "1GiB"), told)
	said.figures == {"held_mib": 900, "bound_mib": 1024}
}
