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
		{key: amount | some key in _amounts; amount := _amount(told, key); amount > 0},
		object.union(
			{key: told[key] | some key in ["kind", "version"]; is_string(told[key]); regex.match(`^[\w.+-]{1,40}$`, told[key])},
			{"pods": pods | pods := _pods(told); pods != {}},
		),
	),
) if {
	told := _told(entry)
}

# All are the most that was seen: bytes, numbers, and a share of ten minutes. heap_max, memory_limit and processors are
# of now. beside_heap is the most that metaspace, code cache and direct memory took together. floor is what the heap
# held at the lowest of an hour. What ends in _rise is by how much it grows in a day.
_amounts := {
	"floor", "memory_limit", "live_rise", "floor_rise", "metaspace_rise", "direct_rise", "threads_rise",
	"heap_max", "live", "metaspace", "class_space", "code_cache", "direct", "beside_heap", "threads", "classes",
	"processors", "gc_share", "pause",
}

# _amount is whole, in bytes or in number: an average, or a gauge in MiB, has a fraction; shares and pauses, too.
_amount(told, key) := _number(told, key) if {
	regex.match(`_(?:share|rise)$|^pause$`, key)
} else := ceil(_number(told, key))

# _pods are the Pods that are first in something: each has those amounts that it told, and its memory_peak.
_pods(told) := {first: amounts |
	is_object(told.pods)
	some first, pod in told.pods
	is_object(pod)
	amounts := {key: amount | some key in _of_pod; amount := _amount(pod, key); amount > 0}
	amounts != {}
}

_of_pod := {
	"heap_max", "live", "floor", "memory_limit", "metaspace", "direct", "threads", "gc_share", "memory_peak",
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
	concat("", [words.span(seen), _only(seen)]),
]) if {
	figures.window_seconds > 0
	seen := _seen_of(told, figures)
} else := sprintf("measured by %s: %s", [source, _exporter(told)])

# A program that has told of itself for less than a day says so.
_seen_of(told, figures) := seen if {
	seen := _number(told, "seen_seconds")
	seen > 0
	seen < min([day, figures.window_seconds])
} else := figures.window_seconds

_exporter(told) := words.shown(told.exporter) if {
	is_string(told.exporter)
	told.exporter != ""
} else := "an unnamed exporter"

# runtime_of is what the program in a container measures of itself; {} where that is not known.
runtime_of(name) := object.get(containers, [name, "runtime"], {})

# of_pod is what the Pod told that is first in something. Figures of one sentence are taken from one Pod: the most of
# each of several is of no program that there is. Where a source tells of no Pods, it tells of one program.
of_pod(name, first) := seen.pods[first] if {
	seen := runtime_of(name)
	seen.pods[first]
} else := object.union(seen, {"memory_peak": object.get(containers, [name, "memory_peak"], 0)}) if {
	seen := runtime_of(name)
	not seen.pods
} else := {}
