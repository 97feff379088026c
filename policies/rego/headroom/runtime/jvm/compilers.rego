package headroom.runtime.jvm

# compiler_threads is how many compile: what CICompilerCount says, where the release takes it.
compiler_threads(flags, numbers, sources, feature, n) := _told(flags, "CICompilerCount", numbers.CICompilerCount) if {
	numbers.CICompilerCount != 1
	feature < 25
} else := _by_default(0) if {
	feature >= 25
	_no_compiler(numbers, sources)
} else := _told(flags, "CICompilerCount", 2) if {
	# Java 8 makes two of one unless there is only one compiler.
	feature == 8
	numbers.CICompilerCount == 1
	not off(flags, "TieredCompilation")
} else := _told(flags, "CICompilerCount", numbers.CICompilerCount) if {
	flags.CICompilerCount
} else := _by_default(default_compilers(flags, numbers, feature, n))

_no_compiler(_, sources) if {
	some s in sources
	s.options["-Xint"]
}

_no_compiler(numbers, _) if numbers.TieredStopAtLevel == 0

# Compilers on n processors: log2 n times log2 of that, times 3/2 (measured on 8 to 28).
default_compilers(flags, numbers, feature, n) := 0 if {
	n == 0
} else := 2 if {
	n < 4
	feature < 25
} else := 2 if {
	feature in {8, 11}
	off(flags, "TieredCompilation")
} else := min([_most_by_default(feature), max([_least_compilers(flags, numbers, feature), by_log])]) if {
	by_log := bits.rsh((_log2(n) * _log2(max([1, _log2(n)]))) * 3, 1)
}

# From 26 on, what fits into the default code cache bounds them (measured).
_most_by_default(feature) := 24 if feature >= 26

_most_by_default(feature) := 1024 if feature < 26

# With one of the two compilers off, JDK 25 makes do with one thread.
_least_compilers(flags, numbers, feature) := 1 if {
	feature >= 25
	one_compiler(flags, numbers)
} else := 2

one_compiler(flags, _) if off(flags, "TieredCompilation")

one_compiler(_, numbers) if numbers.TieredStopAtLevel in {1, 2, 3}

# n is at most a few thousand: one comparison for each power of two.
_log2(n) := count([p | some p in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]; p <= n])
