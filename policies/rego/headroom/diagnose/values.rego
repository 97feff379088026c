package headroom.diagnose

import data.headroom.cpu

# about each check: what is healthy, in words, and the fact that it comes from.
about := {
	"file": ["readable", ""],
	"cpu-throttled": [_throttled_healthy, "T5, T14"],
	"cpu-mean-throttle": ["0 ms; warns with cpu-throttled", "T5"],
	"cpu-quota": ["", "T1, T9, T10"],
	"kernel": ["5.4 or later", "T18"],
	"cpus": ["", "T12"],
	"container-support": ["reads its cgroup's limits", "J11"],
	"memory": [sprintf("under %v %% of the limit", [percent.memory]), "M2"],
	"oom-kills": ["0", "M1"],
	"restarts": ["0", "J3"],
	"jvm": ["", ""],
	"heap-after-gc": [sprintf("under %v %% of the maximum", [percent.heap]), "M2"],
	"metaspace": [sprintf("under %s", [mib(most_metaspace)]), "M2"],
	"threads": [sprintf("under %v", [most_threads]), "M2"],
	"direct-memory": ["under its cap", "M2"],
	"memory-budget": ["within the manifest's", "M1"],
}

_throttled_healthy := sprintf("under %v %%; an alert fires over %v %%", [
	cpu.throttling_from.healthy,
	cpu.throttling_from.alert,
])

# percent holds the thresholds of M2.
percent := {"memory": 80, "heap": 60, "stable": 2}

most_metaspace := 200 * 1048576 # bytes (M2)

most_threads := 250 # of the process (M2)

# number is a value that was read, if it is one: anything else counts as not read.
number(value) := value if {
	is_number(value)
	value >= 0
}

# positive is such a value for readings in which 0 means "not set".
positive(value) := value if number(value) > 0

# share is a part of a whole in percent, to one decimal place.
share(part, whole) := sprintf("%v %%", [round((part * 1000) / whole) / 10])

# mib is bytes in words, to the nearest MiB.
mib(bytes) := sprintf("%v MiB", [round(bytes / 1048576)])

# why tells why the files were not read, in the order in which they are named.
why(files) := sprintf("%s: %v", [concat(", ", named), reason]) if {
	named := [file | some file in files; input.missing[file] != ""]
	reasons := {input.missing[file] | some file in named}
	count(reasons) == 1
	some reason in reasons
} else := concat("; ", reasons) if {
	reasons := [sprintf("%s: %v", [file, input.missing[file]]) | some file in files]
	reasons != []
} else := sprintf("%s was not read", [concat(" or ", files)])
