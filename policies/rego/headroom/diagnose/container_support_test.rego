package headroom.diagnose_container_support_test

import data.headroom.diagnose

_support(cgroup, java) := [c.status | some c in checks; c.check == "container-support"] if {
	checks := diagnose.checks with input as {"jvm": true, "read": {"version": cgroup, "perf": {"version": java}}}
}

test_releases_and_cgroups if {
	every case in [
		["1.8.0_362", 1, ["ok"]],
		["1.8.0_362", 2, ["warning"]],
		["1.8.0_372", 2, ["ok"]],
		["1.8.0_181", 1, ["warning"]],
		["1.8.0_181", 2, ["warning"]],
		["11.0.15", 1, ["ok"]],
		["11.0.15", 2, ["warning"]],
		["11.0.16", 2, ["ok"]],
		["13.0.2", 2, ["warning"]],
		["17.0.9", 2, ["ok"]],
		["28-ea", 2, ["ok"]],
		["9.0.4", 1, ["warning"]],
		["a release", 2, []],
		[17, 2, []],
		["1.8.0_362", 7, []],
	] {
		_support(case[1], case[0]) == case[2]
	}
}

_whole(heap) := {"jvm": true, "read": {
	"version": 2,
	"limit": 1000,
	"perf": {"version": "11.0.15"},
	"flags": {"MaxHeapSize": heap},
}}

_found(given) := [c | some c in checks; c.check == "container-support"][0] if {
	checks := diagnose.checks with input as given
}

# What heap it ended up with decides how bad that is.
test_the_heap_decides if {
	every heap, said in {
		1000: ["error", "Java 11.0.15 reads the limits of cgroup v1, and this node has v2: its heap may grow beyond"],
		999: ["warning", "Java 11.0.15 reads the limits of cgroup v1, and this node has v2: its threads count"],
	} {
		c := _found(_whole(heap))
		c.status == said[0]
		startswith(c.message, said[1])
		c.fix != ""
	}
}

test_what_it_reads if {
	given := {"jvm": true, "read": {"version": 2, "perf": {"version": "17.0.9"}}}
	_found(given).message == "It reads the limits of cgroup v2."
}
