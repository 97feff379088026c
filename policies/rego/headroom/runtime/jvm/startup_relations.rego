package headroom.runtime.jvm

import data.headroom.process

# _relation_refusals speaks of values that are fine alone and not beside another, and of words
# that are none of those a flag takes. All of it was measured.
_relation_refusals(jvm) := array.concat(
	array.concat(_ordered(jvm), array.concat(_free_ratios(jvm), _wrong_words(jvm))),
	array.concat(
		array.concat(_odd_numbers(jvm), _node_room(jvm)),
		array.concat(_code_heaps(jvm), array.concat(_alone(jvm), _default_recording(jvm))),
	),
)

# less may not be more than most. needs: flags that must be set, else the JVM chooses one to fit.
# beside: the only collectors that look. strict: they may not be equal either. told: from
# java's command line, not from the variables.
_orders := [
	{"less": "MinHeapFreeRatio", "most": "MaxHeapFreeRatio", "refusing": every_release},
	{"less": "MinMetaspaceFreeRatio", "most": "MaxMetaspaceFreeRatio", "refusing": every_release},
	{"less": "SoftMaxHeapSize", "most": "MaxHeapSize", "needs": ["SoftMaxHeapSize"], "refusing": every_release},
	{"less": "G1NewSizePercent", "most": "G1MaxNewSizePercent", "beside": {"G1"}, "refusing": every_release},
	{
		"less": "MaxGCPauseMillis", "most": "GCPauseIntervalMillis",
		"needs": ["MaxGCPauseMillis", "GCPauseIntervalMillis"], "beside": {"G1"}, "strict": true, "refusing": {8},
	},
	{
		"less": "MaxGCPauseMillis", "most": "GCPauseIntervalMillis",
		"needs": ["MaxGCPauseMillis", "GCPauseIntervalMillis"], "beside": {"G1"}, "told": true, "strict": true,
		"refusing": since_11,
	},
	{
		"less": "InterpreterProfilePercentage", "most": "OnStackReplacePercentage", "strict": true,
		"refusing": since_11,
	},
	{
		"less": "InitialTenuringThreshold", "most": "MaxTenuringThreshold",
		"needs": ["InitialTenuringThreshold", "MaxTenuringThreshold"], "refusing": {8},
	},
	{
		"less": "InitialTenuringThreshold", "most": "MaxTenuringThreshold", "needs": ["InitialTenuringThreshold"],
		"beside": {"Parallel"}, "refusing": since_11,
	},
	{"less": "MarkStackSize", "most": "MarkStackSizeMax", "refusing": since_11},
	{"less": "BiasedLockingBulkRebiasThreshold", "most": "BiasedLockingBulkRevokeThreshold", "refusing": {11, 17}},
	{"less": "MinTLABSize", "most": "TLABSize", "needs": ["TLABSize"], "told": true, "refusing": since_11},
]

# What a collector makes of flags that are not set.
_defaults_beside := {
	"Parallel": {
		"MinHeapFreeRatio": {"number": 0, "releases": since_11},
		"MaxHeapFreeRatio": {"number": 100, "releases": since_11},
	},
	"G1": {
		"MinHeapFreeRatio": {"number": 0, "releases": {28}},
		"MaxHeapFreeRatio": {"number": 100, "releases": {28}},
		"MarkStackSize": {"number": 0, "releases": since_11 - {11}},
	},
}

# Where the table has none, as the JVM works it out.
_defaults_measured := {
	"MinHeapFreeRatio": 40,
	"MaxHeapFreeRatio": 70,
	"MarkStackSize": 4194304,
	"MarkStackSizeMax": 16777216,
}

_ordered(jvm) := [r |
	some row in _orders
	set_here := [name | some name in [row.most, row.less]; jvm.flags[name]]
	count(set_here) > 0
	every name in object.get(row, "needs", []) {
		jvm.flags[name]
	}
	_is_told(jvm, row, set_here)
	broken := {v: pair |
		some v in row.refusing
		pair := _pair_on(jvm, row, v)
		_breaks(row, pair)
	}
	some pair in {p | some p in broken}
	refusing := {v | some v, p in broken; p == pair}
	reason := _order_text(jvm, row, pair)
	r := _together(jvm, set_here, reason, refusing)
]

_is_told(_, row, _) if not row.told

_is_told(jvm, row, names) if {
	row.told
	some name in names
	_told_java(jvm, name)
}

_pair_on(jvm, row, v) := [less, most] if {
	gc := _collector_on(jvm, v)
	_looks(row, gc)
	less := _number_on(jvm, row.less, v, gc)
	most := _number_on(jvm, row.most, v, gc)
}

_looks(row, _) if not row.beside

_looks(row, gc) if gc in row.beside

_breaks(_, [less, most]) if less > most

_breaks(row, [less, most]) if {
	row.strict
	less == most
}

_number_on(jvm, name, v, gc) := number if {
	gc != ""
	jvm.flags[name]
	not _absent(name, v)
	number := _of_heap(name, number_of(jvm.flags[name].value))
} else := jvm.heap.bytes if {
	name == "MaxHeapSize"
	not jvm.flags[name]
	jvm.heap.bytes > 0
} else := row.number if {
	not jvm.flags[name]
	row := _defaults_beside[gc][name]
	row.releases[v]
} else := to_number(flag_default(name, v)) if {
	not jvm.flags[name]
	regex.match(`^[0-9]+$`, flag_default(name, v))
} else := _defaults_measured[name] if {
	not jvm.flags[name]
}

_of_heap(name, number) := aligned(number) if name == "MaxHeapSize"

_of_heap(name, number) := number if name != "MaxHeapSize"

_order_text(jvm, row, [less, most]) := sprintf("%s is %s %s", [
	_said(jvm, row.most, most),
	{true: "not above", false: "below"}[object.get(row, "strict", false)],
	_said(jvm, row.less, less),
])

_said(jvm, name, _) := sprintf("%s=%s", [name, jvm.flags[name].value]) if jvm.flags[name]

_said(jvm, name, number) := sprintf("%s=%v (default)", [name, number]) if not jvm.flags[name]

# The words that a flag takes; another collector does not look. A word may need a lock opened.
_enumerations := {
	"NativeMemoryTracking": [{"words": {"off", "summary", "detail"}, "refusing": every_release}],
	"CompilationMode": [
		{
			"words": {"", "default", "quick-only", "high-only", "high-only-quick-internal"},
			"refusing": {17, 21, 25, 26},
		},
		{"words": {"", "default", "quick-only", "high-only"}, "refusing": {28}},
	],
	"AOTMode": [
		{"words": {"off", "auto", "on", "record", "create"}, "refusing": {25}},
		{"words": {"off", "auto", "on", "record", "create", "required"}, "refusing": {26, 28}},
	],
	"ShenandoahGCMode": [
		{"words": {"satb", "iu", "passive"}, "beside": {"Shenandoah"}, "refusing": {11, 17, 21}},
		{"words": {"satb", "passive", "generational"}, "beside": {"Shenandoah"}, "refusing": {25, 26, 28}},
	],
	"ShenandoahGCHeuristics": [{
		"words": {"adaptive", "static", "compact", "aggressive"},
		"beside": {"Shenandoah"},
		"refusing": since_11,
	}],
}

_locked_words := {
	"ShenandoahGCMode": {
		"passive": {"lock": "UnlockDiagnosticVMOptions", "refusing": since_11},
		"iu": {"lock": "UnlockExperimentalVMOptions", "refusing": {11, 17, 21}},
	},
	"ShenandoahGCHeuristics": {"aggressive": {"lock": "UnlockDiagnosticVMOptions", "refusing": since_11}},
}

_wrong_words(jvm) := array.concat(
	[_together(jvm, [name], sprintf("it takes %s", [concat(", ", sort(row.words - {""}))]), refusing) |
		some name, rows in _enumerations
		value := jvm.flags[name].value
		not contains(value, process.unresolved)
		some row in rows
		not value in row.words
		refusing := {v | some v in row.refusing; _looks(row, _collector_on(jvm, v))} - _passed_over_on_8(jvm, name)
	],
	[_together(jvm, [name], sprintf("this value needs -XX:+%s", [row.lock]), refusing) |
		some name, words in _locked_words
		row := words[jvm.flags[name].value]
		not on(jvm.flags, row.lock)
		refusing := {v | some v in row.refusing; _collector_on(jvm, v) == "Shenandoah"}
	],
)

# Java 8 looks at these words on java's command line only.
_passed_over_on_8(jvm, name) := {8} if not _told_java(jvm, name)

_passed_over_on_8(jvm, name) := _not_reading(jvm.flags[name].source) if _told_java(jvm, name)

# Numbers within their range that are refused for what they are.
_forms := {
	"ObjectAlignmentInBytes": {
		"text": "a power of two",
		"takes": {8, 16, 32, 64, 128, 256},
		"refusing": every_release,
	},
	"TypeProfileLevel": {
		"text": "up to three digits, each 0, 1 or 2",
		"takes": {n | some n in numbers.range(0, 222); regex.match(`^[012]+$`, format_int(n, 10))},
		"refusing": since_11,
	},
	"LargePageSizeInBytes": {
		"text": "a power of two",
		"takes": {bits.lsh(1, n) | some n in numbers.range(0, 40)},
		"refusing": {25, 26, 28},
	},
	"ContendedPaddingWidth": {"text": "a multiple of 8", "of": 8, "refusing": every_release},
	"BiasedLockingStartupDelay": {"text": "a multiple of 10", "of": 10, "refusing": {11, 17}},
}

_well_formed(row, number) if number in row.takes

_well_formed(row, number) if row.of * floor(number / row.of) == number

_odd_numbers(jvm) := array.concat(
	[_together(jvm, [name], sprintf("it must be %s", [row.text]), row.refusing) |
		some name, row in _forms
		number := number_of(jvm.flags[name].value)
		not _well_formed(row, number)
		not _outside_any(name, number)
	],
	[_together(jvm, ["GCPauseIntervalMillis"], "it needs MaxGCPauseMillis set beside it", refusing) |
		jvm.flags.GCPauseIntervalMillis
		not jvm.flags.MaxGCPauseMillis
		told := {v | some v in since_11; _told_java(jvm, "GCPauseIntervalMillis")} | {8}
		refusing := {v | some v in told; _collector_on(jvm, v) == "G1"}
	],
)

# A value that is refused without one of the other flags beside it.
_companions := [
	{
		"flag": "AutoCreateSharedArchive", "value": "+", "beside": ["SharedArchiveFile"],
		"refusing": {21, 25, 26, 28},
	},
	{
		"flag": "AOTMode", "value": "record", "beside": ["AOTConfiguration", "AOTCacheOutput"],
		"refusing": {25, 26, 28},
	},
	{"flag": "AOTMode", "value": "create", "beside": ["AOTConfiguration"], "refusing": {25, 26, 28}},
]

_alone(jvm) := [_together(jvm, [row.flag], reason, row.refusing) |
	some row in _companions
	jvm.flags[row.flag].value == row.value
	count([name | some name in row.beside; jvm.flags[name]]) == 0
	reason := sprintf("it needs %s set beside it", [concat(" or ", row.beside)])
]

# A recording that is on from the start is asked for with StartFlightRecording since 11.
_default_recording(jvm) := [_together(jvm, ["FlightRecorderOptions"], reason, since_11) |
	regex.match(`(?:^|,)defaultrecording=`, jvm.flags.FlightRecorderOptions.value)
	reason := "defaultrecording= is gone; -XX:StartFlightRecording takes its place"
]

_outside_any(name, number) if {
	some row in ranges_of(name)
	_passed_bound(number, row)
}

_node_room(jvm) := [_together(jvm, names, reason, since_11) |
	names := [name | some name in ["NodeLimitFudgeFactor", "MaxNodeLimit"]; jvm.flags[name]]
	count(names) > 0
	room := number_of(object.get(jvm.flags, ["NodeLimitFudgeFactor", "value"], "2000"))
	most := number_of(object.get(jvm.flags, ["MaxNodeLimit", "value"], "80000"))
	abs((100 * room) - (21 * most)) > 19 * most
	reason := sprintf("NodeLimitFudgeFactor is %v; it must be 2 to 40 %% of MaxNodeLimit, which is %v", [room, most])
]

# The segments of the code cache; the cache grows to the sum from 25 on, if its size is not set.
_segments := ["NonNMethodCodeHeapSize", "ProfiledCodeHeapSize", "NonProfiledCodeHeapSize"]

_code_heaps(jvm) := array.concat(
	[_together(jvm, names, reason, refusing) |
		given := [name | some name in _segments; _told_java(jvm, name)]
		count(given) > 0
		names := array.concat(given, [name | some name in ["ReservedCodeCacheSize"]; jvm.flags[name]])
		total := sum([number_of(jvm.flags[name].value) | some name in given])
		reserved := code_cache_size(jvm)
		_sum_is_wrong(count(given), total, reserved)
		reason := sprintf("its segments are %v bytes, and the code cache is %v", [total, reserved])
		refusing := {v | some v in since_11; _segmented(jvm, v); _sum_counts(jvm, v)}
	],
	[_together(jvm, [name], "the segment has no room for a page", refusing) |
		some name in ["ProfiledCodeHeapSize", "NonProfiledCodeHeapSize"]
		_told_java(jvm, name)
		number_of(jvm.flags[name].value) <= 2048 # 4 KiB is a page; 17 rounds 3 KiB up to one
		not _without_profiles(jvm)
		refusing := {v | some v in since_11; v < 26; _segmented(jvm, v)}
	],
)

# One segment is enough where nothing is compiled with profiles (measured on 11 to 28).
_without_profiles(jvm) if one_compiler(jvm.flags, {})

_without_profiles(jvm) if jvm.numbers.TieredStopAtLevel in {0, 1}

_without_profiles(jvm) if interpreted(jvm)

# Some bounds hold for what java's command line says, and not for the variables.
_told_java(jvm, name) if {
	source := jvm.flags[name].source
	not source in {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"}
}

_sum_is_wrong(_, total, reserved) if total > reserved

_sum_is_wrong(3, total, reserved) if total != reserved

_sum_counts(_, v) if v < 25

_sum_counts(jvm, v) if {
	v >= 25
	jvm.flags.ReservedCodeCacheSize
}

# A cache of 240 MiB or more has segments by default.
_segmented(jvm, _) if on(jvm.flags, "SegmentedCodeCache")

_segmented(jvm, v) if {
	not jvm.flags.SegmentedCodeCache
	code_cache_size(object.union(jvm, {"version": v})) >= 251658240
	not one_compiler(jvm.flags, {})
}
