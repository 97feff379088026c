package headroom.explain

import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# jvm_line is what the JVM makes of its flags: {value, source} each, the value "" where it is
# not known.
jvm_line(j) := {
	"version": _version(j),
	"collector": {"value": j.gc, "source": _collector_source(j)},
	"processors": _processors(j),
	"parallel_gc_threads": _threads(j, j.parallel_gc_threads, "ParallelGCThreads"),
	"conc_gc_threads": _threads(j, j.conc_gc_threads, "ConcGCThreads"),
	"compiler_threads": _threads(j, j.compiler_threads, "CICompilerCount"),
	"max_heap_mib": _max_heap(j),
	"pause": {"value": sprintf("%v", [gc_pause(j).ms]), "source": gc_pause(j).text},
	"will_not_start": [sprintf("It does not start%s with %s: %s.", [_on_releases(entry), flags, entry.reason]) |
		some entry in j.startup
		flags := concat(" and ", entry.flags)
	],
}

_processors(j) := {"value": "", "source": j.processors_source} if {
	j.processors == 0
} else := {"value": sprintf("%v", [j.processors]), "source": jvm.origin(j, "ActiveProcessorCount")} if {
	j.numbers.ActiveProcessorCount > 0
} else := {
	"value": sprintf("%v", [j.processors]),
	"source": sprintf("limits.cpu %s, rounded up", [quantity.format_cpu(j.c.cpu_limit)]),
}

_threads(j, found, name) := {"value": "0", "source": sprintf("%s has none", [jvm.collector_text(j)])} if {
	_without(j, name)
} else := {"value": "", "source": sprintf("%s cannot be read", [jvm.origin(j, name)])} if {
	found.value < 0
} else := {"value": sprintf("%v", [found.value]), "source": jvm.origin(j, name)} if {
	found.set
} else := {"value": sprintf("%v", [found.value]), "source": sprintf("JVM default on %s", [on])} if {
	found.value > 0
	on := jvm.plural(j.processors, "processor")
} else := {"value": "", "source": j.processors_source} if {
	j.processors == 0
} else := {"value": "0", "source": "no compiler runs"}

_without(j, "ParallelGCThreads") if j.gc in jvm.single_threaded

_without(j, "ConcGCThreads") if not j.gc in jvm.concurrent_collectors

_max_heap(j) := {"value": sprintf("%v", [term.mib]), "source": _heap_source(j, term)} if {
	j.heap.bytes > 0
	term := memory.heap(j)
} else := {"value": "", "source": sprintf("%s cannot be read", [jvm.origin(j, "MaxHeapSize")])} if {
	j.flags.MaxHeapSize
} else := {"value": "", "source": sprintf("%v %% of the node's memory: the JVM sees no limit", [j.heap.percent])}

_heap_source(j, _) := jvm.origin(j, j.heap.flag) if j.heap.flag != ""

_heap_source(j, term) := memory.source_text(j, term) if j.heap.flag == ""
