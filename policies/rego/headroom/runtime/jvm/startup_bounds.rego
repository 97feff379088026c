package headroom.runtime.jvm

# _bounds are numbers that are too small or too large, as measured: below `least`, but not below `from`; above `most`,
# but not above `upto`. beside: the only collectors that look. told: from java's command line, not from the variables.
# unless: other flags that decide instead. whole: a fraction is not looked at here. Without `why` the bound is told.
_bounds := [
	{"flag": "MaxGCPauseMillis", "least": 1, "beside": {"G1"}, "refusing": {8}},
	{"flag": "GCPauseIntervalMillis", "least": 1, "beside": {"G1"}, "refusing": every_release},
	{"flag": "ConcGCThreads", "least": 1, "beside": {"ZGC", "Shenandoah"}, "refusing": every_release},
	{
		"flag": "ParallelGCThreads", "whole": true, "from": 0, "least": 1,
		"beside": {"Parallel", "G1", "CMS", "ZGC", "Shenandoah"},
		"refusing": every_release, "why": "the collector needs at least one thread",
	},
	{
		"flag": "G1HeapRegionSize", "whole": true, "from": 1, "least": 1048576, "beside": {"G1"},
		"refusing": {28}, "why": "JDK 28 wants regions of at least 1m",
	},
	{"flag": "MarkStackSize", "least": 1, "beside": {"G1"}, "refusing": {8, 11}},
	{"flag": "NewRatio", "least": 1, "beside": {"Serial", "Parallel", "CMS"}, "refusing": since_11},
	{"flag": "YoungPLABSize", "least": 256, "beside": {"G1", "Parallel", "CMS"}, "refusing": since_11},
	{"flag": "YoungPLABSize", "most": 1073741822, "beside": {"Parallel"}, "refusing": since_11, "why": _large_buffer},
	{"flag": "OldPLABSize", "least": 256, "beside": {"G1", "Parallel"}, "refusing": since_11},
	{"flag": "OldPLABSize", "most": 1073741822, "beside": {"Parallel"}, "refusing": since_11, "why": _large_buffer},
	{
		"flag": "TLABSize", "most": 8589934576, "beside": {"Serial", "Parallel", "G1"}, "told": true,
		"refusing": since_11, "why": _large_buffer,
	},
	{"flag": "MinTLABSize", "most": 16777216, "beside": {"G1"}, "refusing": since_11, "why": _large_buffer},
	{
		"flag": "MinTLABSize", "most": 8589934576, "beside": {"Serial", "Parallel"},
		"refusing": since_11, "why": _large_buffer,
	},
	{"flag": "VMThreadStackSize", "from": 1, "least": 64, "refusing": since_11},
	{"flag": "VMThreadStackSize", "most": 68719476735, "refusing": {8}},
	{"flag": "VMThreadStackSize", "most": 68719476735, "refusing": since_11},
	{"flag": "CompilerThreadStackSize", "from": 1, "least": 144, "refusing": since_11},
	{"flag": "CompilerThreadStackSize", "most": 68719476735, "refusing": {8}},
	{"flag": "CompilerThreadStackSize", "most": 68719476735, "refusing": since_11},
	{"flag": "CompileThreshold", "least": 0, "refusing": since_11},
	{"flag": "CompileThreshold", "most": 1073741823, "refusing": since_11},
	{"flag": "AllocatePrefetchInstr", "least": 0, "refusing": since_11},
	{"flag": "AllocatePrefetchInstr", "most": 3, "refusing": since_11},
	{"flag": "MaxRAM", "from": 0, "least": 1048577, "unless": _heap_sizes, "refusing": every_release, "why": _no_heap},
	{"flag": "MaxRAM", "from": 1048577, "least": 4194304, "unless": _heap_sizes, "refusing": since_11, "why": _no_heap},
	{
		"flag": "ErgoHeapSizeLimit", "from": 1, "least": 524288, "unless": _heap_sizes,
		"refusing": every_release, "why": _no_heap,
	},
	{
		"flag": "ErgoHeapSizeLimit", "from": 524288, "least": 2097152, "unless": _heap_sizes,
		"refusing": since_11, "why": _no_heap,
	},
	{
		"flag": "MaxHeapSize", "whole": true, "from": 0, "least": 1048576, "refusing": {8},
		"why": "the maximum heap must be at least 1 MiB; without k, m or g it counts bytes",
	},
	{
		"flag": "MaxHeapSize", "whole": true, "from": 0, "least": 2097152, "refusing": since_11,
		"why": "the maximum heap must be at least 2 MiB; without k, m or g it counts bytes",
	},
	{
		"flag": "InitialHeapSize", "whole": true, "from": 1, "least": 1048576,
		"refusing": every_release, "why": _small_heap,
	},
	{
		"flag": "MinHeapSize", "whole": true, "from": 1, "least": 1048576,
		"refusing": since_11 - {11}, "why": _small_heap,
	},
	{
		"flag": "ReservedCodeCacheSize", "whole": true, "most": 2147483648,
		"refusing": every_release, "why": "the code cache takes at most 2048m",
	},
	{
		"flag": "ThreadStackSize", "from": 0.5, "least": 1,
		"refusing": {8, 11}, "why": "up to 11 a stack of 0 is not the default size",
	},
	{
		"flag": "ThreadStackSize", "from": 1, "least": 139264,
		"refusing": every_release, "why": "a stack takes at least 136k, 228k on Java 8",
	},
	{
		"flag": "ThreadStackSize", "from": 139264, "least": 233472,
		"refusing": {8}, "why": "Java 8 wants a stack of at least 228k",
	},
	{
		"flag": "ThreadStackSize", "most": 140737488355327, "upto": 1e19,
		"refusing": {8}, "why": "no thread with such a stack can be made",
	},
	{
		"flag": "ThreadStackSize", "most": 1073741824, "upto": 1e18,
		"refusing": since_11, "why": "a stack takes at most 1g",
	},
	{
		"flag": "MaxMetaspaceSize", "whole": true, "from": 0, "least": 1,
		"refusing": every_release, "why": _small_metaspace,
	},
	{
		"flag": "MaxMetaspaceSize", "whole": true, "from": 1, "least": 262144,
		"refusing": {17, 26, 28}, "why": _small_metaspace,
	},
	{
		"flag": "MaxMetaspaceSize", "whole": true, "from": 1, "least": 4194304,
		"refusing": {21, 25}, "why": _small_metaspace,
	},
]

_large_buffer := "a thread's buffer is never so large"

_no_heap := "no heap fits into it"

_small_heap := "it must be at least 1 MiB; without k, m or g it counts bytes"

_small_metaspace := "the JVM's own classes do not fit; without k, m or g it counts bytes"

_heap_sizes := ["MaxHeapSize", "InitialHeapSize"]

_bound_refusals(jvm) := [_wanting(_together(jvm, [row.flag], reason, refusing), row.flag) |
	some row in _bounds
	flag := jvm.flags[row.flag]
	reason := _beyond(row, _bounded(row, flag.value))
	every name in object.get(row, "unless", []) {
		not jvm.flags[name]
	}
	_is_told(jvm, row, [row.flag])
	refusing := _where_looked(jvm, row)
]

# A stack counts KiB; one of 0 is the default size, but for old releases that are told -Xss0.
_bounded(row, value) := stack_bytes(value) if {
	row.flag == "ThreadStackSize"
	value != "Xss0"
} else := 0.5 if {
	row.flag == "ThreadStackSize"
} else := size_of(value) if {
	row.whole
} else := number_of(value)

_beyond(row, number) := object.get(row, "why", sprintf("it must be at least %v", [row.least])) if {
	number < row.least
	number >= object.get(row, "from", number)
} else := object.get(row, "why", sprintf("it must be at most %v", [row.most])) if {
	number > row.most
	number <= object.get(row, "upto", number)
}

_where_looked(_, row) := row.refusing if not row.beside

_where_looked(jvm, row) := {v | some v in row.refusing; _collector_on(jvm, v) in row.beside} if row.beside
