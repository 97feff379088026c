package headroom.runtime.jvm

# _size_refusals speaks of sizes that are numbers, and out of bounds.
_size_refusals(jvm) := array.concat(_range_refusals(jvm), array.concat(_bounds(jvm), _code_cache_refusals(jvm)))

_bounds(jvm) := [_together(jvm, [name], row.reason, row.refusing) |
	some [name, value] in array.concat(_small_stack(jvm), _small_metaspace(jvm))
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

_limits := {
	"ThreadStackSize": [
		{"from": 0.5, "to": 1, "refusing": {8, 11}, "reason": "up to 11 a stack of 0 is not the default size"},
		{"from": 1, "to": 139264, "refusing": every_release, "reason": "a stack takes at least 136k, 228k on Java 8"},
		{"from": 139264, "to": 233472, "refusing": {8}, "reason": "Java 8 wants a stack of at least 228k"},
		{"from": 2147483648, "to": 1e18, "refusing": {8}, "reason": "no thread with such a stack can be made"},
		{"from": 1073741825, "to": 1e18, "refusing": since_11, "reason": "a stack takes at most 1g"},
	],
	"MaxMetaspaceSize": [
		{"from": 0, "to": 1048576, "refusing": every_release, "reason": "the JVM's own classes do not fit"},
		{"from": 1048576, "to": 4194304, "refusing": {8, 11, 21, 25}, "reason": "the JVM's own classes do not fit"},
		{"from": 4194304, "to": 10485760, "refusing": {8, 11}, "reason": "the JVM's own classes do not fit"},
	],
}

_code_cache_refusals(jvm) := [r |
	reserved := jvm.numbers.ReservedCodeCacheSize
	reserved >= 0
	initial := max({2555904} | {size | size := jvm.numbers.InitialCodeCacheSize})
	some r in array.concat(
		[_together(jvm, ["ReservedCodeCacheSize"], reason, every_release) |
			reserved < initial
			reason := "it is less than the initial code cache (2496k by default)"
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

# _heap_refusals compares the sizes of the heap that win.
_heap_refusals(jvm) := [r |
	most := jvm.numbers.MaxHeapSize
	most >= 0
	some r in array.concat(
		[_together(jvm, ["MaxHeapSize"], reason, refusing) |
			some [least, reason, refusing] in _least_heaps
			most < least
		],
		[_together(jvm, [name, "MaxHeapSize"], "it is more than the maximum heap", every_release) |
			some name in ["InitialHeapSize", "MinHeapSize"]
			jvm.numbers[name] > most
		],
	)
]

# Without a unit, -Xmx counts bytes.
_least_heaps := [
	[1, "the maximum heap must not be 0", {8}],
	[2097152, "the maximum heap must be at least 2 MiB; without k, m or g it counts bytes", since_11],
]

# _together is about flags that may be fine alone; it stands where the first was set.
_together(jvm, names, reason, refusing) := {
	"flags": [flag_text(jvm, name) | some name in names],
	"reason": reason,
	"path": jvm.flags[names[0]].path,
	"refusing": refusing,
}
