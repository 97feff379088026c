package headroom.explain

import data.headroom.runtime.jvm

# _note says whether the i-th setting counts, and why not; of one that counts, what has to be
# said about it.
_note(j, all, i) := {"wins": false, "text": _overridden(all, i, later)} if {
	not _adds_up(all[i].option)
	later := [n | some n, e in all; n > i; e.option == all[i].option]
	count(later) > 0
} else := {"wins": false, "text": sprintf("Java %v does not know it, and passes over it", [j.version])} if {
	startswith(all[i].option, "-XX:")
	not j.flags[_flag_name(all[i].option)]
} else := {"wins": false, "text": concat("; ", array.concat([idle], _stops(j, all[i])))} if {
	idle := why_idle(j, _flag_name(all[i].option))
	idle != ""
} else := {"wins": true, "text": concat("; ", array.concat(_stops(j, all[i]), _assumed(all[i].s)))}

# Each of these options does something of its own.
_adds_up(option) if regex.match(`^-X(?:log|run|check|bootclasspath|share)`, option)

_overridden(all, i, later) := sprintf("%s says the same later", [_who(all, i, last)]) if {
	last := later[count(later) - 1]
	all[last].value == all[i].value
} else := sprintf("%s wins: the later one counts", [_who(all, i, last)]) if {
	last := later[count(later) - 1]
}

_who(all, i, n) := jvm.shown(all[n].s, all[n].option, all[n].value) if {
	all[n].s.name == all[i].s.name
} else := sprintf("%s (%s)", [jvm.shown(all[n].s, all[n].option, all[n].value), all[n].s.name])

# What keeps the JVM from starting, as far as this setting is part of it.
_stops(j, e) := [text |
	shown := jvm.shown(e.s, e.option, e.value)
	some entry in j.startup
	shown in entry.flags
	text := sprintf("keeps the JVM from starting%s: %s", [_on_releases(entry), entry.reason])
]

_on_releases(entry) := "" if entry.all

_on_releases(entry) := sprintf(" on Java %s", [jvm.listed(entry.versions)]) if not entry.all

_assumed(s) := [sprintf("no JVM reads %s by itself; taken as if a start script hands it on", [s.name])] if {
	s.assumed
	s.name != "args"
} else := ["taken as if the image's entrypoint hands its arguments to java"] if {
	s.assumed
} else := []

# why_idle says why a flag that nothing overrides has no effect; "" where it has one.
why_idle(j, name) := _idle_share(j, name) if {
	name in _shares
} else := sprintf("%s has no such threads", [jvm.collector_text(j)]) if {
	name == "ParallelGCThreads"
	j.gc in jvm.single_threaded
} else := sprintf("%s has no concurrent threads", [jvm.collector_text(j)]) if {
	name == "ConcGCThreads"
	not j.gc in jvm.concurrent_collectors
} else := "0 asks for the default" if {
	name == "ThreadStackSize"
	jvm.stack_size(j.flags).flag == ""
} else := "no compiler runs" if {
	name == "CICompilerCount"
	not j.compiler_threads.set
} else := ""

_shares := {"MaxRAMPercentage", "MaxRAMFraction", "MinRAMPercentage", "MinRAMFraction"}

# Of what could set the maximum heap, one does (J6).
_idle_share(j, name) := "" if {
	j.heap.flag == name
} else := sprintf("%s wins, in whatever order they stand", [jvm.origin(j, "MaxHeapSize")]) if {
	j.flags.MaxHeapSize
} else := sprintf("%s is more, and lifts the maximum heap", [jvm.origin(j, "InitialHeapSize")]) if {
	j.heap.flag == "InitialHeapSize"
} else := sprintf("%s wins, in whatever order they stand", [jvm.origin(j, newer)]) if {
	newer := replace(name, "Fraction", "Percentage")
	newer != name
	j.flags[newer]
} else := sprintf("on %s it is MinRAMPercentage that decides%s", [_little(j), _by_default(j)]) if {
	startswith(name, "Max")
} else := "it decides only on little memory, less than 250 MiB by default"

_little(j) := sprintf("as little memory as %v MiB", [bits.rsh(j.memory, 20)])

_by_default(j) := ", 50 % by default" if {
	j.heap.flag == ""
} else := sprintf(", here %s", [jvm.origin(j, j.heap.flag)])
