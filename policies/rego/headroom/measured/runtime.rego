package headroom.measured

import data.headroom.config
import data.headroom.words

# _runtime is what a program measures of itself: {text, days, doubt}, kind and version where they are told, and each of
# the amounts that is known. doubt is "", or why there are no amounts. It is {} where nothing of it was measured.
_runtime(entry, source, figures, doubt) := {} if {
	doubt != ""
} else := {} if {
	not _told(entry)
} else := {"text": "", "days": -1, "doubt": doubted} if {
	doubted := _runtime_doubt(_told(entry))
	doubted != ""
} else := object.union(
	{"text": _runtime_text(told, source, figures), "days": _days(_number(told, "seen_seconds")), "doubt": ""},
	object.union(
		{key: amount | some key in _amounts; amount := _number(told, key); amount > 0},
		{key: told[key] | some key in ["kind", "version"]; is_string(told[key]); regex.match(`^[\w.+-]{1,40}$`, told[key])},
	),
) if {
	told := _told(entry)
}

# All are the most that was seen: bytes, numbers, and a share of ten minutes. heap_max, memory_limit and processors are
# of now. floor is what the heap held at the lowest of an hour. What ends in _rise is by how much it grows in a day.
# What ends in _risen is to what it has grown, in the Pod in which it grows most.
_amounts := {
	"floor", "memory_limit", "live_rise", "floor_rise", "metaspace_rise", "direct_rise", "threads_rise",
	"live_risen", "floor_risen", "metaspace_risen", "direct_risen", "threads_risen",
	"heap_max", "live", "metaspace", "code_cache", "direct", "threads", "classes", "processors",
	"gc_share", "pause",
}

_told(entry) := entry.runtime if {
	is_object(entry.runtime)
	count(entry.runtime) > 0
}

_runtime_doubt(told) := words.shown(told.doubt) if {
	is_string(told.doubt)
	told.doubt != ""
} else := sprintf("%s has %s, at least %v are wanted", [_exporter(told), _count({"samples": samples}), least]) if {
	samples := _number(told, "samples")
	least := config.settings.measured.minSamples
	samples < least
} else := ""

_runtime_text(told, source, figures) := sprintf("measured by %s: %s over %s", [
	source,
	_exporter(told),
	words.span(figures.window_seconds),
]) if {
	figures.window_seconds > 0
} else := sprintf("measured by %s: %s", [source, _exporter(told)])

_exporter(told) := words.shown(told.exporter) if {
	is_string(told.exporter)
	told.exporter != ""
} else := "an unnamed exporter"

# runtime_of is what the program in a container measures of itself; {} where that is not known.
runtime_of(name) := object.get(containers, [name, "runtime"], {})
