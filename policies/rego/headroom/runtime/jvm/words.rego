package headroom.runtime.jvm

import data.headroom.cpu
import data.headroom.measured
import data.headroom.quantity

# What the rules on threads have in common.

# single_threaded collectors have no threads to size; concurrent_collectors have both kinds.
single_threaded := {"Serial", "Epsilon"}

concurrent_collectors := {"G1", "CMS", "ZGC", "Shenandoah"}

collector_text(j) := sprintf("the %s collector", [j.gc])

# cores_text says where the number of cores comes from.
cores_text(j) := sprintf("limits.cpu %s", [quantity.format_cpu(j.c.cpu_limit)]) if {
	j.c.cpu_limit > 0
} else := sprintf("twice the average of %s, %s", [quantity.format_cpu(average.milli), _assumed_text(j.c, average)]) if {
	average := cpu.average[j.c.id]
	average.milli > 0
} else := sprintf("counted by the JVM: %s", [j.processors_source])

_assumed_text(c, average) := average.text if {
	measured.counts(c.name, "cpu_average")
} else := concat("", [_assumed_words[average.assumed], measured.doubt(c, "; %s")])

_assumed_words := {true: "taken from the request", false: "measured"}

# pair_text are the two thread counts for that many cores, which belong together.
pair_text(0) := "-XX:ParallelGCThreads at twice the cores, and -XX:ConcGCThreads at half of that"

pair_text(cores) := concat(" and ", pair(cores)) if cores > 0

pair(cores) := [sprintf("-XX:ParallelGCThreads=%v", [2 * cores]), sprintf("-XX:ConcGCThreads=%v", [cores])]

# pair_may_be_injected: a script could set one of the two, and G1 does not start when they
# contradict each other; so only where the whole command line is in sight and sets neither.
default pair_may_be_injected(_) := false

pair_may_be_injected(j) if {
	j.visible
	count(j.unknown) == 0
	not j.flags.ParallelGCThreads
	not j.flags.ConcGCThreads
	cores(j) > 0
	may_inject(j, pair(cores(j)))
}

# plural is "1 core" or "2 cores".
plural(1, noun) := concat(" ", ["1", noun])

plural(n, noun) := sprintf("%v %ss", [n, noun]) if n != 1

# occurrences are all settings of a flag in the order in which they override each other:
# {value, text, source, path}.
occurrences(j, option) := [{"value": value, "text": shown(s, option, value), "source": s.name, "path": s.path} |
	some s in j.sources
	some value in s.options[option]
]

# threads_fit says whether so many parallel GC threads are once to twice the cores (T6).
default threads_fit(_, _) := false

threads_fit(threads, cores) if {
	threads >= cores
	threads <= 2 * cores
}

# half is what ConcGCThreads may be of ParallelGCThreads.
half(threads) := max([1, bits.rsh(max([0, threads]), 1)])

# wanted_parallel is what ParallelGCThreads is, or should be where only the node would tell.
wanted_parallel(j) := j.parallel_gc_threads.value if j.parallel_gc_threads.set

wanted_parallel(j) := 2 * max([1, cores(j)]) if not j.parallel_gc_threads.set

# takes_half says that the JVM picks by itself the ConcGCThreads that would be wanted.
default takes_half(_) := false

takes_half(j) if {
	not j.conc_gc_threads.set
	j.conc_gc_threads.value == half(wanted_parallel(j))
}
