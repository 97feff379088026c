package headroom.runtime.jvm

# _size_refusals speaks of sizes that are numbers, and out of bounds.
_size_refusals(jvm) := array.concat(_range_refusals(jvm), array.concat(
	array.concat(_bounds(jvm), _first_metaspace(jvm)),
	array.concat(_code_cache_refusals(jvm), array.concat(_cut_stack(jvm), _shares_of_nothing(jvm))),
))

# Java 8 counts the bytes of -Xss in 32 bits with a sign (measured: 2g and 3g stop it, 4g is the default size).
_cut_stack(jvm) := [_together(jvm, ["ThreadStackSize"], reason, {8}) |
	startswith(jvm.flags.ThreadStackSize.value, "Xss")
	bytes := stack_bytes(jvm.flags.ThreadStackSize.value)
	bytes >= 2147483648
	left := bytes - (4294967296 * floor(bytes / 4294967296))
	_too_cut(left)
	reason := "Java 8 counts its bytes in 32 bits, and no thread with what is left of them can be made"
]

_too_cut(left) if left >= 2147483648

_too_cut(left) if {
	left > 0
	left < 233472
}

_bounds(jvm) := [_together(jvm, [name], row.reason, row.refusing) |
	some [name, value] in array.concat(_small_stack(jvm), array.concat(_small_metaspace(jvm), _small_memory(jvm)))
	some row in _limits[name]
	value >= row.from
	value < row.to
]

# A stack of 0 is the default size; said as -Xss0 it is not one to old releases.
_small_stack(jvm) := [["ThreadStackSize", stack_bytes(jvm.flags.ThreadStackSize.value)]] if {
	jvm.flags.ThreadStackSize.value != "Xss0"
} else := [["ThreadStackSize", 0.5]] if {
	jvm.flags.ThreadStackSize
} else := []

_small_metaspace(jvm) := [["MaxMetaspaceSize", size] | size := jvm.numbers.MaxMetaspaceSize]

_small_memory(jvm) := [[name, size] |
	some name in ["MaxRAM", "ErgoHeapSizeLimit"]
	size := number_of(jvm.flags[name].value)
	not jvm.flags.MaxHeapSize
	not jvm.flags.InitialHeapSize
]

_limits := {
	"MaxRAM": [
		{"from": 0, "to": 1048577, "refusing": every_release, "reason": "no heap fits into it"},
		{"from": 1048577, "to": 4194304, "refusing": since_11, "reason": "no heap fits into it"},
	],
	"ErgoHeapSizeLimit": [
		{"from": 1, "to": 524288, "refusing": every_release, "reason": "no heap fits into it"},
		{"from": 524288, "to": 2097152, "refusing": since_11, "reason": "no heap fits into it"},
	],
	"ThreadStackSize": [
		{"from": 0.5, "to": 1, "refusing": {8, 11}, "reason": "up to 11 a stack of 0 is not the default size"},
		{"from": 1, "to": 139264, "refusing": every_release, "reason": "a stack takes at least 136k, 228k on Java 8"},
		{"from": 139264, "to": 233472, "refusing": {8}, "reason": "Java 8 wants a stack of at least 228k"},
		{"from": 140737488355328, "to": 1e19, "refusing": {8}, "reason": "no thread with such a stack can be made"},
		{"from": 1073741825, "to": 1e18, "refusing": since_11, "reason": "a stack takes at most 1g"},
	],
	"MaxMetaspaceSize": [
		{"from": 0, "to": 1, "refusing": every_release, "reason": "the JVM's own classes do not fit"},
		{"from": 1, "to": 4194304, "refusing": {21, 25}, "reason": "the JVM's own classes do not fit"},
	],
}

# Up to 11, two blocks of the first size must fit.
_first_metaspace(jvm) := [_together(jvm, names, reason, {8, 11}) |
	most := jvm.numbers.MaxMetaspaceSize
	most > 0
	names := [name | some name in ["MaxMetaspaceSize", "InitialBootClassLoaderMetaspaceSize"]; jvm.flags[name]]
	first := number_of(object.get(jvm.flags, ["InitialBootClassLoaderMetaspaceSize", "value"], "4m"))
	most <= 2 * first
	reason := sprintf("up to 11 it must be more than twice InitialBootClassLoaderMetaspaceSize, which is %v", [first])
]

_code_cache_refusals(jvm) := [r |
	initial := max({2555904} | {size | size := jvm.numbers.InitialCodeCacheSize})
	some reserved in _reserved(jvm, initial)
	some r in array.concat(
		[_together(jvm, [name], reason, every_release) |
			reserved < initial
			some [name, reason] in [
				["ReservedCodeCacheSize", "it is less than the initial code cache (2496k by default)"],
				["InitialCodeCacheSize", "it is more than the code cache, 48m unless ReservedCodeCacheSize says more"],
			]
			_names_it(jvm, name)
		],
		array.concat(
			[_together(jvm, ["ReservedCodeCacheSize"], "the code cache takes at most 2048m", every_release) |
				reserved > 2147483648
			],
			[_together(jvm, ["ReservedCodeCacheSize", "SegmentedCodeCache"], "too little for three segments", {25, 26, 28}) |
				reserved < 8388608
				reserved >= initial
				on(jvm.flags, "SegmentedCodeCache")
			],
		),
	)
]

# With a larger initial size, the whole is taken for 48 MiB unless it is set.
_reserved(jvm, _) := {size | size := jvm.numbers.ReservedCodeCacheSize; size >= 0} if jvm.flags.ReservedCodeCacheSize

_reserved(jvm, initial) := {50331648 | initial > 50331648} if not jvm.flags.ReservedCodeCacheSize

_names_it(jvm, "ReservedCodeCacheSize") if jvm.flags.ReservedCodeCacheSize

_names_it(jvm, "InitialCodeCacheSize") if not jvm.flags.ReservedCodeCacheSize

# _heap_refusals compares the sizes of the heap that win.
_heap_refusals(jvm) := [r |
	most := jvm.numbers.MaxHeapSize
	most >= 0
	some r in array.concat(
		[_together(jvm, ["MaxHeapSize"], reason, refusing) |
			some [least, reason, refusing] in _least_heaps
			most < least
		],
		[_together(jvm, [name, "MaxHeapSize"], _above_maximum, every_release) |
			some name in ["InitialHeapSize", "MinHeapSize"]
			jvm.numbers[name] > most
			_counts_as_told(jvm, name)
		],
	)
]

_above_maximum := "it is more than the maximum heap"

# 0 leaves no heap, whatever the memory is (measured).
_shares_of_nothing(jvm) := [_together(jvm, ["MinRAMPercentage"], reason, refusing) |
	number_of(jvm.flags.MinRAMPercentage.value) == 0
	not jvm.flags.MaxHeapSize
	not jvm.flags.InitialHeapSize
	not on(jvm.flags, "AggressiveHeap")
	refusing := every_release
	reason := "0 leaves no heap"
]

# 0 is the JVM's choice. The smallest is 1 MiB.
_small_heaps(jvm) := [_together(jvm, [name], "it must be at least 1 MiB; without k, m or g it counts bytes", refusing) |
	some name, refusing in {"InitialHeapSize": every_release, "MinHeapSize": every_release - {8, 11}}
	jvm.numbers[name] > 0
	jvm.numbers[name] < 1048576
]

# -Xms and -Xmx count from everywhere, their long forms from java's command line.
_counts_as_told(jvm, name) if _told_java(jvm, name)

_counts_as_told(jvm, name) if {
	some s in jvm.sources
	s.name == jvm.flags[name].source
	not contains(s.text, sprintf("-XX:%s=", [name]))
}

# -Xms sets both; MinHeapSize counts only behind it.
_min_above_initial(jvm) := [_together(jvm, ["MinHeapSize", "InitialHeapSize"], reason, refusing) |
	reason := "the least heap is more than the first"
	jvm.numbers.MinHeapSize > jvm.numbers.InitialHeapSize
	jvm.numbers.InitialHeapSize > 0
	_counts_as_told(jvm, "MinHeapSize")
	_counts_as_told(jvm, "InitialHeapSize")
	_behind_xms(jvm)
	refusing := every_release - {8, 11}
]

_behind_xms(jvm) if {
	source := jvm.flags.InitialHeapSize.source
	source == jvm.flags.MinHeapSize.source
	some s in jvm.sources
	s.name == source
	max(indexof_n(s.text, "MinHeapSize")) > max(array.concat([-1], indexof_n(s.text, "-Xms")))
}

_behind_xms(jvm) if {
	some i, s in jvm.sources
	some k, t in jvm.sources
	i < k
	s.name == jvm.flags.InitialHeapSize.source
	t.name == jvm.flags.MinHeapSize.source
}

# Without a unit, -Xmx counts bytes.
_least_heaps := [
	[1048576, "the maximum heap must be at least 1 MiB; without k, m or g it counts bytes", {8}],
	[2097152, "the maximum heap must be at least 2 MiB; without k, m or g it counts bytes", since_11],
]

# _together is about flags that may be fine alone; it stands where the first was set.
_together(jvm, names, reason, refusing) := {
	"flags": [flag_text(jvm, name) | some name in names],
	"reason": reason,
	"path": jvm.flags[names[0]].path,
	"refusing": refusing - {8 | some name in names; jvm.flags[name].source == "JDK_JAVA_OPTIONS"},
}
