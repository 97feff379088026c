package headroom.runtime.jvm

# _suspicious is a first look at every JVM, so that the many whose flags are in order cost
# little: whatever _refusals could report fulfils one of these. A clause must fail at once
# where its flag is not set.
_suspicious(jvm) if count(jvm.chosen) > 1

_suspicious(jvm) if {
	some s in jvm.sources
	some option, _ in s.options
	not steady[option]
	not _harmless(jvm, s.name, option)
}

# Every value counts, those that are overridden too.
_suspicious(jvm) if {
	some s in jvm.sources
	some values in s.options
	values[1]
}

_suspicious(jvm) if {
	some i, s in jvm.sources
	i > 0
	count(object.keys(s.options) & object.keys(jvm.sources[i - 1].options)) > 0
}

_suspicious(jvm) if {
	some number in jvm.numbers
	number < 0
}

_suspicious(jvm) if {
	some name in (object.keys(jvm.flags) & _looked_at)
	option := concat("", ["-XX:", name])
	not regex.match(_patterns[steady[option]], jvm.flags[name].value)
}

_suspicious(jvm) if {
	object.keys(jvm.flags) & _ranged_names != set()
}

_suspicious(jvm) if {
	some flag in ["UseG1GC", "UseSerialGC"]
	jvm.flags[flag].value == "-"
}

_suspicious(jvm) if jvm.numbers.MaxHeapSize < 3145728

_suspicious(jvm) if jvm.numbers.InitialHeapSize > jvm.numbers.MaxHeapSize

_suspicious(jvm) if jvm.numbers.MinHeapSize > jvm.numbers.MaxHeapSize

_suspicious(jvm) if jvm.numbers.ParallelGCThreads == 0

_suspicious(jvm) if jvm.numbers.ConcGCThreads > _parallel_on(jvm)

_suspicious(jvm) if jvm.numbers.CICompilerCount < 2

_suspicious(jvm) if {
	jvm.numbers.CICompilerCount > jvm.processors
	jvm.version >= 28
}

_suspicious(jvm) if jvm.numbers.ReservedCodeCacheSize < 8388608

_suspicious(jvm) if jvm.numbers.ReservedCodeCacheSize > 2147483648

_suspicious(jvm) if jvm.numbers.InitialCodeCacheSize > 2555904

_suspicious(jvm) if jvm.numbers.MaxMetaspaceSize < 10485760

_suspicious(jvm) if {
	value := jvm.flags.ThreadStackSize.value
	not value in {"Xss256k", "Xss512k", "Xss1m"}
}

_suspicious(jvm) if {
	some s in jvm.sources
	regex.match(`["']|0[xX]`, s.text)
}

_suspicious(jvm) if regex.match(`^[\s"']`, jvm.command.rest[0])

# Flags of steady whose values are not among jvm.numbers, and all of them that have a range,
# written out as this is asked of every JVM; startup_look_test holds them to the tables.
_looked_at := {
	"AlwaysPreTouch",
	"CompressedClassSpaceSize",
	"CrashOnOutOfMemoryError",
	"DisableExplicitGC",
	"ExitOnOutOfMemoryError",
	"ExplicitGCInvokesConcurrent",
	"G1HeapRegionSize",
	"G1ReservePercent",
	"GCTimeRatio",
	"HeapDumpOnOutOfMemoryError",
	"IgnoreUnrecognizedVMOptions",
	"InitialRAMPercentage",
	"InitiatingHeapOccupancyPercent",
	"MaxGCPauseMillis",
	"MaxHeapFreeRatio",
	"MaxNewSize",
	"MaxRAMPercentage",
	"MaxTenuringThreshold",
	"MetaspaceSize",
	"MinHeapFreeRatio",
	"MinRAMPercentage",
	"NewRatio",
	"NewSize",
	"OmitStackTraceInFastThrow",
	"PerfDisableSharedMem",
	"PreserveFramePointer",
	"PrintCommandLineFlags",
	"PrintFlagsFinal",
	"SurvivorRatio",
	"TieredCompilation",
	"UnlockDiagnosticVMOptions",
	"UnlockExperimentalVMOptions",
	"UseAdaptiveSizePolicy",
	"UseCompressedOops",
	"UseContainerSupport",
	"UseG1GC",
	"UseGCOverheadLimit",
	"UseLargePages",
	"UseNUMA",
	"UseParallelGC",
	"UsePerfData",
	"UseSerialGC",
	"UseStringDeduplication",
	"UseTLAB",
	"UseTransparentHugePages",
}

_ranged_names := {
	"CompressedClassSpaceSize",
	"G1HeapRegionSize",
	"G1ReservePercent",
	"InitiatingHeapOccupancyPercent",
	"MaxGCPauseMillis",
	"MaxHeapFreeRatio",
	"MaxTenuringThreshold",
	"MinHeapFreeRatio",
	"NewRatio",
	"SurvivorRatio",
	"TieredStopAtLevel",
}

# Options that no release refuses where they stand, and a log from JDK 11 on.
_harmless(_, "command line", option) if not startswith(option, "-")

_harmless(_, "command line", option) if option in {"-jar", "-cp", "-classpath", "-server"}

_harmless(_, _, option) if {
	startswith(option, "-D")
	not _properties[option]
}

_harmless(jvm, _, option) if {
	jvm.version >= 11
	regex.match(`^-Xlog:(?:gc\*?|safepoint)(?:,(?:gc\*?|safepoint))*(?::|$)`, option)
}
