package headroom.judge

import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.runtime.workers
import data.headroom.workload

# runtimes says what runs in each container, as far as the manifest shows it: "jvm", "go",
# "ruby", "python", "node", "native", or "" where nothing does. "jvm?" is a guess.
runtimes := ["" | some _ in workload.containers] if {
	[jvm.declared_runtimes, jvm.jvms, go.gos, workers.pools] == [{}, [], [], []]
} else := [_runtime(c) | some c in workload.containers]

_known := {"go", "jvm", "native", "node", "python", "ruby"}

_runtime(c) := declared if {
	declared := jvm.declared_runtimes[c.name][0]
	declared in _known
} else := _jvm_words[_jvms[c.id]] if {
	_jvms[c.id] in {true, false}
} else := "go" if {
	c.id in _gos
} else := found[0] if {
	found := [pool.runtime | some pool in workers.pools; pool.c.id == c.id; pool.runtime in _known]
	count(found) > 0
} else := ""

_jvm_words := {true: "jvm", false: "jvm?"}

_jvms := {j.c.id: j.sure | some j in jvm.jvms}

_gos := {g.c.id | some g in go.gos}
