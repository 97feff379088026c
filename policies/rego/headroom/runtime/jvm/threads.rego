package headroom.runtime.jvm

import data.headroom.cpu

# processors is how many the JVM counts: ActiveProcessorCount, else its CPU limit rounded up
# (measured), else 0, all of the node's.
processors(c, flags) := {"count": declared, "source": flags.ActiveProcessorCount.source} if {
	declared := size(flags, "ActiveProcessorCount")
	declared > 0
} else := {"count": 0, "source": "the node: container support is off"} if {
	off(flags, "UseContainerSupport")
} else := {"count": cpu.cores[c.id], "source": "limits.cpu"} if {
	c.cpu_limit > 0
} else := {"count": 0, "source": "the node: there is no CPU limit"}

# thread_count is what a flag sets (-1 where it cannot be read), else the default.
thread_count(flags, name, fallback) := {"value": size(flags, name), "source": flags[name].source, "set": true} if {
	flags[name]
} else := {"value": fallback, "source": "JVM default", "set": false}

# default_parallel and default_concurrent are the defaults on n processors (J1, as real
# JVMs print them); 0 where the node decides or the collector has no such threads.
default_parallel("G1", n, _) := _up_to_eight(n)

default_parallel("Parallel", n, _) := _up_to_eight(n)

default_parallel("CMS", n, _) := _up_to_eight(n)

default_parallel("Serial", _, _) := 0

default_parallel("Epsilon", _, _) := 0

default_parallel("Shenandoah", n, _) := max([min([n, 1]), bits.rsh(n, 1)])

default_parallel("ZGC", n, heap) := min([ceil((n * 3) / 5), _zgc_pages(heap)])

# One for each processor up to eight, then five for each eight.
_up_to_eight(n) := n if n <= 8

_up_to_eight(n) := 8 + bits.rsh((n - 8) * 5, 3) if n > 8

# ZGC keeps its workers' pages, of 2 MiB each, within 2 % of the heap.
_zgc_pages(heap) := max([1, floor(heap / 104857600)])

default_concurrent("G1", parallel, _, _) := _quarter(parallel + 2) if parallel > 0

default_concurrent("CMS", parallel, _, _) := _quarter(parallel + 3) if parallel > 0

default_concurrent(gc, parallel, _, _) := 0 if {
	gc in {"G1", "CMS"}
	parallel <= 0
}

default_concurrent("Parallel", _, _, _) := 0

default_concurrent("Serial", _, _, _) := 0

default_concurrent("Epsilon", _, _, _) := 0

default_concurrent("Shenandoah", _, n, _) := min([n, _quarter(n)])

default_concurrent("ZGC", _, n, heap) := min([n, min([bits.rsh(n + 3, 2), _zgc_pages(heap)])])

_quarter(n) := max([1, bits.rsh(n, 2)])

# Compilers on n processors: log2 n times log2 of that, times 3/2 (measured on 8 to 28).
default_compilers(0, _, _) := 0

default_compilers(n, flags, feature) := 2 if {
	n > 0
	feature in {8, 11}
	off(flags, "TieredCompilation")
} else := min([_most_by_default(feature), max([_least_compilers(flags, feature), bits.rsh((_log2(n) * _log2(max([1, _log2(n)]))) * 3, 1)])]) if {
	n > 0
}

# From 26 on, what fits into the default code cache bounds them (measured).
_most_by_default(feature) := 24 if feature >= 26

_most_by_default(feature) := 1024 if feature < 26

# With one of the two compilers off, JDK 25 makes do with one thread.
_least_compilers(flags, feature) := 1 if {
	feature >= 25
	one_compiler(flags)
} else := 2

one_compiler(flags) if off(flags, "TieredCompilation")

one_compiler(flags) if size(flags, "TieredStopAtLevel") in {1, 2, 3}

# compilers is how many compiler threads run: some releases do not take what they are told.
compilers(jvm, asked) := {"value": 0, "source": "JVM default", "set": false} if {
	jvm.version >= 25
	_no_compiler(jvm)
} else := {"value": 2, "source": asked.source, "set": true} if {
	jvm.version == 8
	asked.value == 1
	not off(jvm.flags, "TieredCompilation")
} else := asked

_no_compiler(jvm) if interpreted(jvm)

_no_compiler(jvm) if size(jvm.flags, "TieredStopAtLevel") == 0

# concurrent is thread_count of ConcGCThreads, where 0 asks for the default.
concurrent(flags, fallback) := {"value": fallback, "source": flags.ConcGCThreads.source, "set": true} if {
	size(flags, "ConcGCThreads") == 0
} else := thread_count(flags, "ConcGCThreads", fallback)

# n is at most a few thousand: one comparison for each power of two.
_log2(n) := count([p | some p in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]; p <= n])
