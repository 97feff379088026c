package headroom.runtime.jvm

# processors is how many the JVM counts: ActiveProcessorCount, else its CPU limit rounded up
# (measured), else 0, all of the node's.
processors(c, flags, numbers) := {"count": declared, "source": flags.ActiveProcessorCount.source} if {
	declared := numbers.ActiveProcessorCount
	declared > 0
} else := {"count": 0, "source": sprintf("the node: %s", [without_support(flags)])} if {
	off(flags, "UseContainerSupport")
} else := {"count": 0, "source": sprintf("the node: it counts %v processors", [counted])} if {
	c.cpu_limit > 0
	counted := object.get(object.union(facts_of(c.name), seen_of(c.name)), "processors", 0)
	counted > 2 * ceil(c.cpu_limit / 1000)
} else := {"count": ceil(c.cpu_limit / 1000), "source": "limits.cpu"} if {
	c.cpu_limit > 0
} else := {"count": 0, "source": "the node: there is no CPU limit"}

# parallel_threads, concurrent_threads and compiler_threads are {value, source, set}. value is what
# a flag sets (-1 where it cannot be read) or the default on n processors (J1, as real JVMs print
# it). It is 0 where the node decides or there are no such threads.
parallel_threads(flags, numbers, gc, n, heap) := _told(flags, "ParallelGCThreads", numbers.ParallelGCThreads) if {
	flags.ParallelGCThreads
} else := _by_default(max([default_parallel(gc, n, heap), numbers.ConcGCThreads])) if {
	gc == "Shenandoah" # has as many of these at least
	n > 0
	numbers.ConcGCThreads > 0
} else := _by_default(default_parallel(_pool_like(flags, gc), n, heap))

# 0 asks for the default.
concurrent_threads(flags, numbers, gc, parallel, n, heap) := _told(flags, "ConcGCThreads", numbers.ConcGCThreads) if {
	numbers.ConcGCThreads != 0
} else := _by_default(default_concurrent(gc, parallel, n, heap)) if {
	not flags.ConcGCThreads
} else := _told(flags, "ConcGCThreads", default_concurrent(gc, parallel, n, heap))

_told(flags, name, value) := {"value": value, "source": flags[name].source, "set": true}

_by_default(value) := {"value": value, "source": "JVM default", "set": false}

# The young collector of UseParNewGC has threads like those of CMS.
_pool_like(flags, _) := "CMS" if on(flags, "UseParNewGC")

_pool_like(flags, gc) := gc if not on(flags, "UseParNewGC")

default_parallel("G1", n, _) := own_threads(n)

default_parallel("Parallel", n, _) := own_threads(n)

default_parallel("CMS", n, _) := own_threads(n)

default_parallel("Serial", _, _) := 0

default_parallel("Epsilon", _, _) := 0

default_parallel("Shenandoah", n, _) := max([min([n, 1]), bits.rsh(n, 1)])

default_parallel("ZGC of 11", n, _) := ceil((n * 3) / 5)

default_parallel("ZGC", n, heap) := min([ceil((n * 3) / 5), _zgc_pages(heap)])

# own_threads is one for each processor up to eight, then five for each eight (J1).
own_threads(n) := n if n <= 8

own_threads(n) := 8 + bits.rsh((n - 8) * 5, 3) if n > 8

# sized_as is the collector by whose rule there are threads. ZGC of JDK 11 looks at the processors only (measured).
sized_as(gc, feature) := "ZGC of 11" if {
	gc == "ZGC"
	feature == 11
} else := gc

# ZGC keeps its workers' pages, of 2 MiB each, within 2 % of the heap.
_zgc_pages(heap) := max([1, floor(heap / zgc_share)])

zgc_share := 104857600

default_concurrent("G1", parallel, _, _) := _quarter(parallel + 2) if parallel > 0

default_concurrent("CMS", parallel, _, _) := _quarter(parallel + 3) if parallel > 0

default_concurrent(gc, parallel, _, _) := 0 if {
	parallel <= 0
	gc in {"G1", "CMS"}
}

default_concurrent("Parallel", _, _, _) := 0

default_concurrent("Serial", _, _, _) := 0

default_concurrent("Epsilon", _, _, _) := 0

default_concurrent("Shenandoah", parallel, n, _) := min([n, _quarter(n)]) if parallel <= 0

default_concurrent("Shenandoah", parallel, n, _) := min([n, parallel, _quarter(n)]) if parallel > 0

default_concurrent("ZGC of 11", _, n, _) := bits.rsh(n + 7, 3)

default_concurrent("ZGC", _, n, heap) := min([n, bits.rsh(n + 3, 2), _zgc_pages(heap)])

_quarter(n) := max([1, bits.rsh(n, 2)])

# compiler_threads is how many compile: what CICompilerCount says, where the release takes it.
compiler_threads(flags, numbers, sources, feature, n) := _told(flags, "CICompilerCount", numbers.CICompilerCount) if {
	numbers.CICompilerCount != 1
	feature < 25
} else := _by_default(0) if {
	feature >= 25
	_no_compiler(numbers, sources)
} else := _by_default(1) if {
	not flags.CICompilerCount
	n > 0
	as_client(flags, sources, feature)
} else := _by_default(2) if {
	not flags.CICompilerCount
	n > 0
	_few_compilers(numbers, sources, feature)
} else := _told(flags, "CICompilerCount", 2) if {
	# Java 8 makes two of one unless there is only one compiler.
	feature == 8
	numbers.CICompilerCount == 1
	not off(flags, "TieredCompilation")
} else := _told(flags, "CICompilerCount", numbers.CICompilerCount) if {
	flags.CICompilerCount
} else := _by_default(default_compilers(flags, numbers, feature, n))

# From 11 to 24 two are counted where none compiles.
_few_compilers(_, sources, feature) if {
	feature >= 11
	some s in sources
	s.options["-Xint"]
}

_few_compilers(numbers, _, feature) if {
	feature >= 17
	numbers.TieredStopAtLevel == 0
}

_no_compiler(_, sources) if {
	some s in sources
	s.options["-Xint"]
}

_no_compiler(numbers, _) if numbers.TieredStopAtLevel == 0

# Compilers on n processors: log2 n times log2 of that, times 3/2 (measured on 8 to 28).
default_compilers(flags, numbers, feature, n) := 0 if {
	n == 0
} else := 2 if {
	off(flags, "CICompilerCountPerCPU")
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

one_compiler(flags, _) if flags.CompilationMode.value in {"quick-only", "high-only"}

one_compiler(_, numbers) if numbers.TieredStopAtLevel in {1, 2, 3}

# n is at most a few thousand: one comparison for each power of two.
_log2(n) := count([k | some k in numbers.range(1, 31); bits.lsh(1, k) <= n])
