package headroom.runtime.jvm

# _size_refusals speaks of sizes that are numbers, and out of bounds.
_size_refusals(jvm) := array.concat(_range_refusals(jvm), array.concat(
	array.concat(_bound_refusals(jvm), _first_metaspace(jvm)),
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
		[_together(jvm, ["ReservedCodeCacheSize", "SegmentedCodeCache"], "too little for three segments", {25, 26, 28}) |
			reserved < 8388608
			reserved >= initial
			on(jvm.flags, "SegmentedCodeCache")
		],
	)
]

# With a larger initial size, the whole is taken for 48 MiB unless it is set.
_reserved(jvm, _) := {size | size := jvm.numbers.ReservedCodeCacheSize; size >= 0} if jvm.flags.ReservedCodeCacheSize

_reserved(jvm, initial) := {50331648 | initial > 50331648} if not jvm.flags.ReservedCodeCacheSize

_names_it(jvm, "ReservedCodeCacheSize") if jvm.flags.ReservedCodeCacheSize

_names_it(jvm, "InitialCodeCacheSize") if not jvm.flags.ReservedCodeCacheSize

# _heap_refusals compares the sizes of the heap that win.
_heap_refusals(jvm) := [_together(jvm, [name, "MaxHeapSize"], _above_maximum, every_release) |
	jvm.numbers.MaxHeapSize >= 0
	some name in ["InitialHeapSize", "MinHeapSize"]
	jvm.numbers[name] > jvm.numbers.MaxHeapSize
	_counts_as_told(jvm, name)
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

# _together is about flags that may be fine alone; it stands where the first was set.
_together(jvm, names, reason, refusing) := {
	"flags": [flag_text(jvm, name) | some name in names],
	"reason": reason,
	"path": jvm.flags[names[0]].path,
	"refusing": refusing - {8 | some name in names; jvm.flags[name].source == "JDK_JAVA_OPTIONS"},
}
