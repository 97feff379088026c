package headroom.runtime.jvm_kernels_test

import data.headroom.runtime.jvm

of(text) := jvm.reads_proc_cgroups(jvm.version_of(text))

# Each case: a release, what it is called, and the first that sees the limits.
test_releases_that_read_proc_cgroups if {
	every case in [
		["8u482", "Java 8u482", "Java 8u502"],
		["8u372", "Java 8u372", "Java 8u502"],
		["11.0.31", "Java 11.0.31", "Java 11.0.32"],
		["17.0.12", "Java 17.0.12", "Java 17.0.20"],
		["21.0.6", "Java 21.0.6", "Java 21.0.10"],
		["15", "Java 15", "Java 25"],
		["22.0.2", "Java 22.0.2", "Java 25"],
		["24", "Java 24", "Java 25"],
	] {
		[text, name, fixed] := case
		of(text) == {"name": name, "fixed": fixed}
	}
}

# Those that have it, those whose update is not known, and those of which more is said.
test_releases_that_do_not if {
	every text in [
		"8u502", "11.0.32", "17.0.20", "21.0.10", "25", "26", "8", "11", "17", "21", "8u371", "8u151", "11.0.15", "14", "9",
		"7",
	] {
		not jvm.reads_proc_cgroups(jvm.version_of(text))
	}
}

test_what_the_nodes_are if {
	every case in [
		[{}, "info"],
		[{"kernel": "6.12"}, "warning"],
		[{"kernel": "6.12.4-generic"}, "warning"],
		[{"kernel": "7.0", "cgroup": 2}, "warning"],
		[{"cgroup": 2}, "info"],
		[{"kernel": "new"}, "info"],
	] {
		[nodes, want] := case
		jvm.proc_cgroups_severity == want with data.headroom.overrides as {"nodes": nodes}
	}
	every nodes in [{"kernel": "6.11"}, {"kernel": "5.15.0-100"}, {"cgroup": 1}, {"kernel": "6.14", "cgroup": 1}] {
		not jvm.proc_cgroups_severity with data.headroom.overrides as {"nodes": nodes}
	}
}
