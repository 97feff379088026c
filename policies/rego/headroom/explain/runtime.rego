package headroom.explain

import data.headroom.registry
import data.headroom.runtime.workers

# runtime is what runs in a container, as the verdicts have it; "jvm?" is a guess.
runtime(c) := registry.running[c.id].id

# runtime_evidence is what shows it.
runtime_evidence(c) := registry.running[c.id].evidence if {
	runtime(c) != ""
} else := found if {
	found := [pool.source | some pool in workers.pools; pool.c.id == c.id][0]
} else := "nothing in the manifest shows what runs here"
