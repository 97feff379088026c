package headroom.explain

import data.headroom.runtime.jvm
import data.headroom.workload

# _version is the release that an annotation declares, or all that it may be: those that the
# policies consider and that would start with these flags.
_version(j) := {"value": _release(j.facts.version), "source": _declared_where(j)} if {
	j.version > 0
} else := {"value": "", "source": "with these flags no release from 8 to 25 starts"} if {
	count(_possible(j)) == 0
} else := {"value": "8 to 25", "source": "not declared; 8, 11, 17, 21 and 25 are considered"} if {
	count(_possible(j)) == count(jvm.supported)
} else := {"value": only, "source": sprintf("not declared; of 8 to 25 only %s would start with these flags", [only])} if {
	only := _any_of(_possible(j))
}

_any_of(releases) := replace(jvm.listed(releases), " and ", " or ")

_possible(j) := [v |
	some v in jvm.supported
	count([1 | some entry in j.startup; v in entry.versions]) == 0
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

_declared_where(j) := sprintf("annotation %s/%s", [prefix, j.container]) if {
	prefix := ["jvm.headroom.dev" | contains(workload.annotations_of("jvm.headroom.dev/")[j.container], "version=")][0]
} else := sprintf("annotation runtime.headroom.dev/%s", [j.container])

_collector_source(j) := jvm.origin(j, flag) if {
	flag := [f | some f, gc in jvm.collectors; jvm.on(j.flags, f); gc == j.gc][0]
} else := "an old flag that asks for it" if {
	j.gc != jvm.default_collector(j.processors, j.c.memory_limit, j.version)
} else := "JVM default on one processor" if {
	j.gc == "Serial"
	j.processors == 1
} else := sprintf("JVM default on less than %v MiB", [bits.rsh(jvm.server_memory, 20)]) if {
	j.gc == "Serial"
} else := "JVM default" if {
	j.processors > 1
	j.memory > 0
} else := "JVM default, if the node has two processors and 1792 MiB"
