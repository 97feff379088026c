package headroom.runtime.jvm

# processors is how many the JVM counts: ActiveProcessorCount, else its CPU limit rounded up
# (measured), else 0, all of the node's.
processors(c, flags, numbers) := {"count": declared, "source": flags.ActiveProcessorCount.source} if {
	declared := numbers.ActiveProcessorCount
	declared > 0
} else := {"count": 0, "source": "the node: container support is off"} if {
	off(flags, "UseContainerSupport")
} else := {"count": ceil(c.cpu_limit / 1000), "source": "limits.cpu"} if {
	c.cpu_limit > 0
} else := {"count": 0, "source": "the node: there is no CPU limit"}

# parallel_threads, concurrent_threads and compiler_threads are {value, source, set}: what a
# flag sets (-1 where it cannot be read) or the default on n processors (J1, as real JVMs print
# it); 0 where the node decides or there are no such threads.
parallel_threads(flags, numbers, gc, n, heap) := _told(flags, "ParallelGCThreads", numbers.ParallelGCThreads) if {
	flags.ParallelGCThreads
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

default_concurrent("Shenandoah", _, n, _) := min([n, _quarter(n)])

default_concurrent("ZGC", _, n, heap) := min([n, bits.rsh(n + 3, 2), _zgc_pages(heap)])

_quarter(n) := max([1, bits.rsh(n, 2)])
