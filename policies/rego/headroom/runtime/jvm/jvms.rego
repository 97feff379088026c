package headroom.runtime.jvm

# jvms has one record for each container that surely or probably runs a JVM:
#   c, container, sure, evidence   the container, and why it is taken for a JVM
#   version                        declared feature release, 0 where none is
#   facts                          what jvm.headroom.dev/<container> says
#   visible                        the command names java, and nothing of it is filled in later
#   variables, command, sources    where flags come from; the later source is the stronger
#   unknown, secret                where a flag may hide; secret: and nobody here can know
#   flags                          the value of each flag that wins: {value, source, path}
#   gc, gc_set, processors, …      what the JVM makes of it
jvms := [jvm |
	some d in detected
	model := _jvm(d)
	jvm := object.union(model, {"startup": startup(model.version, refusals_of(model))})
]

# judged are the JVMs that run beside each other; of an init container only HR304, HR401
# and HR409 speak.
judged := [jvm | some jvm in jvms; jvm.c.role != "init"]

_jvm(d) := _modelled(_read(_with_sources(_with_variables(d))))

_with_variables(d) := object.union(d, {
	"facts": facts_of(d.c.name),
	"variables": {name: variable(d.c, name) | some name in d.carried},
})

_with_sources(d) := object.union(d, {"sources": sources_of(d)})

_read(d) := {
	"c": d.c,
	"container": d.c.name,
	"sure": d.evidence.sure,
	"evidence": d.evidence.text,
	"facts": d.facts,
	"version": object.get(d.facts, ["version", "feature"], 0),
	"command": d.command,
	"variables": d.variables,
	"sources": d.sources,
	"unknown": unknown,
	"secret": _secret(unknown),
	"visible": _visible(d, unknown),
	"flags": effective(flags_of(d.sources), object.get(d.facts, ["version", "feature"], 0)),
} if {
	unknown := unknown_of(d)
}

# An entrypoint or a script may add flags; what nobody can read is another thing.
default _secret(_) := false

_secret(unknown) if {
	some u in unknown
	u.unreadable
}

default _visible(_, _) := false

_visible(d, unknown) if {
	d.command.given
	d.command.java
	every u in unknown {
		u.what != "command line"
		u.what != "the script before java"
	}
}

_modelled(jvm) := object.union(jvm, {
	"chosen": gcs,
	"gc": gc,
	"processors": counted.count,
	"processors_source": counted.source,
	"parallel_gc_threads": parallel,
	"conc_gc_threads": concurrent(flags, default_concurrent(gc, parallel.value, n, heap.bytes)),
	"compiler_threads": compilers(jvm, thread_count(flags, "CICompilerCount", default_compilers(n, flags, jvm.version))),
	"heap": heap,
	"heap_initial": max([0, size(flags, "InitialHeapSize")]),
	"memory": memory,
}) if {
	flags := jvm.flags
	counted := processors(jvm.c, flags)
	n := counted.count
	memory := seen_memory(jvm.c, flags)
	gcs := chosen(flags)
	gc := _named_otherwise(jvm, _collector(gcs, n, jvm.c.memory_limit, jvm.version))
	heap := max_heap(flags, memory)
	parallel := thread_count(flags, "ParallelGCThreads", default_parallel(_pool_like(flags, gc), n, heap.bytes))
}

# The young collector of UseParNewGC has threads like those of CMS.
_pool_like(flags, _) := "CMS" if on(flags, "UseParNewGC")

_pool_like(flags, gc) := gc if not on(flags, "UseParNewGC")

# Old ways to ask for a collector.
_named_otherwise(jvm, gc) := "CMS" if {
	some s in jvm.sources
	s.options["-Xincgc"]
	jvm.version == 8
} else := "Serial" if {
	on(jvm.flags, "UseParNewGC")
	gc == "Parallel"
} else := gc

_collector(gcs, _, _, _) := min(gcs) if count(gcs) > 0

_collector(gcs, n, memory, feature) := default_collector(n, memory, feature) if count(gcs) == 0

# seen_memory is what the JVM takes for its memory; 0 is the node's.
seen_memory(c, flags) := max([size(flags, "MaxRAM"), 0]) if {
	flags.MaxRAM
} else := 0 if {
	off(flags, "UseContainerSupport")
} else := max([c.memory_limit, 0])
