package headroom.runtime.jvm

# _clean is a first look at every JVM, so that the many whose flags are in order cost little:
# whatever _refusals could report breaks one of these lines. One body and no functions, as
# each of those costs as much as ten lines.
_clean(jvm) if {
	count(jvm.chosen) < 2
	count([true | jvm.sources[_].options[_][1]]) == 0
	count([true |
		some s in jvm.sources
		some option, values in object.remove(s.options, common_flags)
		not _harmless(jvm, s.name, option, values[0])
	]) == 0
	count([true | some s in jvm.sources; regex.match(`["']|0[xX]`, s.text)]) == 0
	count([true |
		some i, s in jvm.sources
		some k, t in jvm.sources
		k > i
		count(object.keys(s.options) & object.keys(t.options)) > 0
	]) == 0
	count([true | regex.match(`^[\s"']`, jvm.command.rest[0])]) == 0

	names := object.keys(jvm.flags)
	names & _watched == set()
	{jvm.flags[name].value | some name in (names & common_switches)} - {"+", "-"} == set()
	count([true |
		some name in (names & common_percentages)
		not regex.match(_plain_percentage, jvm.flags[name].value)
	]) == 0
	count([true | some name in (names & common_numbers); not regex.match(_patterns.n, jvm.flags[name].value)]) == 0
	count(names & _collector_flags) == count(jvm.chosen)
	{object.get(jvm.flags, ["ThreadStackSize", "value"], "Xss1m")} - {"Xss256k", "Xss512k", "Xss1m"} == set()

	{-1} & {number | number := jvm.numbers[_]} == set()
	n := object.union(_usual, jvm.numbers)
	n.MaxHeapSize >= 3145728
	n.InitialHeapSize >= 1048576
	n.InitialHeapSize <= n.MaxHeapSize
	n.ParallelGCThreads > 0
	n.ConcGCThreads <= jvm.parallel_gc_threads.value
	n.CICompilerCount > 1
	n.CICompilerCount <= max([2, jvm.processors, 28 - jvm.version])
	n.ReservedCodeCacheSize >= 8388608
	n.ReservedCodeCacheSize <= 2147483648
	n.InitialCodeCacheSize >= 4096
	n.InitialCodeCacheSize <= 2555904
	n.MaxMetaspaceSize >= 10485760
}

# Flags in common use that have a range, or that others bound.
_watched := {
	"CompressedClassSpaceSize",
	"G1HeapRegionSize",
	"G1ReservePercent",
	"GCTimeRatio",
	"InitiatingHeapOccupancyPercent",
	"MaxGCPauseMillis",
	"MaxHeapFreeRatio",
	"MaxTenuringThreshold",
	"MetaspaceSize",
	"MinHeapFreeRatio",
	"NativeMemoryTracking",
	"NewRatio",
	"SurvivorRatio",
	"TieredStopAtLevel",
}

_plain_percentage := `^(?:100\.0{1,9}|[0-9]{1,2}\.[0-9]{1,9})$`

# Stand-ins for flags that are not set, which break no line above.
_usual := {
	"MaxHeapSize": 1e15,
	"InitialHeapSize": 3145728,
	"ParallelGCThreads": 1e15,
	"ConcGCThreads": 0,
	"CICompilerCount": 2,
	"ReservedCodeCacheSize": 2147483648,
	"InitialCodeCacheSize": 2555904,
	"MaxMetaspaceSize": 1e15,
}

# Options that no release refuses where they stand, and a log from JDK 11 on.
_harmless(_, "command line", option, _) if not startswith(option, "-")

_harmless(_, "command line", option, "") if option in {"-jar", "-cp", "-classpath", "-server"}

_harmless(_, _, option, _) if {
	startswith(option, "-D")
	not _properties[option]
}

_harmless(jvm, _, option, value) if {
	jvm.version >= 11
	regex.match(_plain_log, _whole_option(option, value))
}

_plain_log := concat("", [
	`^-Xlog:(?:gc\*?|safepoint)(?:,(?:gc\*?|safepoint))*`,
	`(?::(?:stdout|file=[^:",]+)?(?::(?:(?:time|uptime|level|tags|tid|pid|utctime)(?:,|$))*)?)?$`,
])
