package headroom.rules.classification["annotation-invalid"]

import data.headroom.words

# Keys that mean nothing where they stand.
complaints contains [entry, why, expected] if {
	some entry in entries
	entry.reads == null
	[why, expected] := _misplaced(entry)
}

_misplaced(entry) := ["is a label of Namespaces; as an annotation it has no effect", "the label, on the Namespace"] if {
	entry.domain == ""
	entry.name in {"mode", "mutate"}
} else := ["is for Namespaces, and has no effect here", "the annotation on the Namespace"] if {
	entry.domain == ""
	_ = _on_namespaces[entry.name]
} else := [
	"is for workloads and their Pods, and has no effect on a Namespace",
	"the annotation on the workload; headroom.dev/default-class gives all of them a class",
] if {
	_ = _on_workloads[object.get({"": entry.name}, entry.domain, entry.domain)]
} else := [sprintf("is no annotation that headroom knows, and has no effect; did you mean %s?", [near]), near] if {
	near := _nearest(entry)
} else := ["is no annotation that headroom knows, and has no effect", "no such annotation"]

# What was meant keeps the name that was written behind the key.
_nearest(entry) := sprintf("%sheadroom.dev/%s", [near, words.shown(entry.name)]) if {
	near := words.nearest(entry.domain, _readers_with_a_name)
	near != ""
} else := _with_a_name(key) if {
	key := sprintf("%s.", [_word(entry)])
	key in _readers_with_a_name
} else := concat("", ["headroom.dev/", near]) if {
	near := words.nearest(_word(entry), object.keys(_readers) - _readers_with_a_name)
	near != ""
} else := _with_a_name(near) if {
	near := words.nearest(_word(entry), _readers_with_a_name)
	near != ""
}

_with_a_name(key) := sprintf("%sheadroom.dev/<%s>", [key, object.get({"ignore.": "rule"}, key, "container")])

_readers_with_a_name := {key | some key, _ in _readers; endswith(key, ".")}

_word(entry) := trim_suffix(entry.domain, ".") if entry.domain != ""

_word(entry) := entry.name if entry.domain == ""
