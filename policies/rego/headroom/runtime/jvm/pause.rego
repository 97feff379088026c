package headroom.runtime.jvm

import data.headroom.config
import data.headroom.duration

# gc_pause is how long a collection takes: {ms, text, declared}.
gc_pause(j) := {"ms": j.facts.pause, "text": sprintf("on average, %s", [fact_text(j, "pause")]), "declared": true} if {
	j.facts.pause > 0
	"pause" in object.get(j, "seen", set())
} else := {"ms": j.facts.pause, "text": sprintf("by jvm.headroom.dev/%s", [j.container]), "declared": true} if {
	j.facts.pause > 0
} else := {"ms": ms, "text": sprintf("assumed of %s", [j.gc]), "declared": false} if {
	j.gc in adaptive
	ms := min([_default_pause, _adaptive_pause])
} else := {"ms": _default_pause, "text": "assumed", "declared": false}

# No longer than this in ms, by what ZGC set out for (JEP 333) and Shenandoah reaches (JEP 189).
_adaptive_pause := 10

# gcPause of the config; one that cannot be read is the linter's to refuse.
_default_pause := max([duration.ms(config.settings.jvm.gcPause), 0])
