package headroom.rules.classification["annotation-invalid"]

import data.headroom.words
import data.headroom.workload

# Keys of headroom, and how the value of each is read; "" where another rule reads it.
_prefixed := {
	"class": "",
	"cores-per-worker": "cores",
	"cpu-average": "cpu",
	"cpu-peak": "cpu",
	"ignore": "exemption",
	"inject": "caps",
	"jvm": "facts",
	"memory-peak": "memory",
	"runtime": "runtime",
}

container_domains := object.keys(_prefixed) - {"ignore"}

_on_workloads := {
	"applied": "",
	"cpu-allocation": "cpu",
	"cpu-average": "cpu",
	"cpu-pinning": "pinning",
	"workload-class": "",
}

_on_namespaces := {
	"allow-ignore": "rules",
	"allowed-classes": "classes",
	"cpu-allocation": "cpu",
	"default-class": "",
}

_plain := _on_workloads if not _namespace

_plain := _on_namespaces if _namespace

_namespace if workload.kind == "Namespace"

# known are the entries that mean something where they stand: [entry, how it is read].
known := [[entry, reader] | some entry in entries; reader := _reader(entry)]

_reader(entry) := _plain[entry.name] if entry.domain == ""

_reader(entry) := _prefixed[entry.domain] if {
	entry.domain != ""
	not _namespace
}

complaints contains [entry, why, expected] if {
	some entry in entries
	not _is_known(entry)
	[why, expected] := _misplaced(entry)
}

_is_known(entry) if _ = _reader(entry)

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
	_for_workloads(entry)
} else := [sprintf("is no annotation that headroom knows, and has no effect; did you mean %s?", [near]), near] if {
	near := _nearest(entry)
} else := ["is no annotation that headroom knows, and has no effect", "no such annotation"]

_for_workloads(entry) if {
	entry.domain == ""
	_ = _on_workloads[entry.name]
}

_for_workloads(entry) if _ = _prefixed[entry.domain]

# What was meant keeps the name that was written behind the key.
_nearest(entry) := sprintf("%s.headroom.dev/%s", [near, words.shown(entry.name)]) if {
	entry.domain != ""
	near := words.nearest(entry.domain, object.keys(_prefixed))
	near != ""
	not _namespace
} else := concat("", ["headroom.dev/", near]) if {
	near := words.nearest(_word(entry), object.keys(_plain))
	near != ""
} else := sprintf("%s.headroom.dev/<%s>", [near, object.get({"ignore": "rule"}, near, "container")]) if {
	near := words.nearest(_word(entry), object.keys(_prefixed))
	near != ""
	not _namespace
}

_word(entry) := entry.domain if entry.domain != ""

_word(entry) := entry.name if entry.domain == ""
