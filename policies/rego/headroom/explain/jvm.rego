package headroom.explain

import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

# jvm_line is what the JVM makes of its flags: {value, source} each, the value "" where it is
# not known.
jvm_line(j) := {
	"version": _version(j),
	"collector": _collector(j),
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
	j.heap.bytes != 0
	term := memory.heap(j)
} else := {"value": "", "source": sprintf("%s cannot be read", [jvm.origin(j, "MaxHeapSize")])} if {
	j.flags.MaxHeapSize
} else := {"value": "", "source": _scripts} if {
	j.heap.percent == 0
} else := {"value": "", "source": sprintf("%v %% of the node's memory: the JVM sees no limit", [j.heap.percent])}

_heap_source(j, _) := jvm.origin(j, j.heap.flag) if j.heap.flag != ""

_heap_source(j, term) := memory.source_text(j, term) if j.heap.flag == ""

# _version is the release that an annotation or the image tells, or all that it may be: those that the
# policies consider and that would start with these flags.
_version(j) := {"value": _release(j.facts.version), "source": _declared_where(j)} if {
	j.facts.version
} else := {"value": sprintf("%v", [j.version]), "source": "the image's tag"} if {
	j.version != 0
} else := {"value": "", "source": "with these flags no release from 8 to 25 starts"} if {
	count(_possible(j)) == 0
} else := {"value": "8 to 25", "source": "not declared; 8, 11, 17, 21 and 25 are considered"} if {
	count(_possible(j)) == count(jvm.supported)
} else := {
	"value": only,
	"source": sprintf("not declared; %s leave %s", [_deciders(j), only]),
} if {
	only := replace(jvm.listed(_possible(j)), " and ", " or ")
}

_deciders(j) := "the image's tag and the flags" if {
	j.least_version > 0
} else := "the flags"

_possible(j) := [v |
	some v in jvm.candidates_of(j)
	count([true | some entry in j.startup; v in entry.versions]) == 0
]

_release(version) := sprintf("%v", [version.feature]) if version.update == 0

_release(version) := sprintf("8u%v", [version.update]) if {
	version.feature == 8
	version.update > 0
}

_release(version) := sprintf("%v.0.%v", [version.feature, version.update]) if {
	version.feature != 8
	version.update > 0
}

_declared_where(j) := "the image's tag" if {
	not jvm.facts_of(j.container).version
	not jvm.facts_of_image(j.c.raw).version
} else := "the image's configuration" if {
	not jvm.facts_of(j.container).version
} else := sprintf("annotation %s/%s", [prefix, j.container]) if {
	prefix := ["jvm.headroom.dev" | contains(workload.annotations_of("jvm.headroom.dev/")[j.container], "version=")][0]
} else := sprintf("annotation runtime.headroom.dev/%s", [j.container])

_collector(j) := {"value": "", "source": _scripts} if {
	not jvm.gc_known(j)
} else := {"value": j.gc, "source": _collector_source(j)}

_scripts := "the image's start script decides, which is not known"

_collector_source(j) := jvm.origin(j, flag) if {
	flag := [f | some f, gc in jvm.collectors; jvm.on(j.flags, f); gc == j.gc][0]
} else := "an old flag that asks for it" if {
	j.gc != jvm.default_collector(j.flags, j.processors, jvm.server_class_memory(j.c, j.flags), j.version)
} else := jvm.origin(j, flag) if {
	flag := [f | some f in ["NeverActAsServerClassMachine", "AlwaysActAsServerClassMachine"]; jvm.on(j.flags, f)][0]
} else := "JVM default on one processor" if {
	j.gc == "Serial"
	j.processors == 1
} else := sprintf("JVM default on less than %v MiB", [bits.rsh(jvm.server_memory, 20)]) if {
	j.gc == "Serial"
} else := "JVM default" if {
	j.processors > 1
	j.memory != 0
} else := "JVM default, if the node has two processors and 1792 MiB"
