package headroom.runtime.go

import data.headroom.process
import data.headroom.quantity
import data.headroom.words

# gomemlimit is {state, set, bytes, raw, path, valid, divided}; bytes is 0 where it is not
# known, and where it is `off`. A malformed one is a fatal error at the start.
_gomemlimit(found) := {
	"state": "literal",
	"set": true,
	"raw": found.text,
	"path": found.path,
	"valid": _memory_valid(found.text),
	"bytes": _memory_bytes(found.text),
	"divided": false,
} if {
	found.text != ""
} else := {
	"state": "resource",
	"set": true,
	"raw": found.resource,
	"path": found.path,
	"valid": true,
	"bytes": found.value,
	"divided": found.divided,
} if {
	found.state == "resource"
} else := {
	"state": found.state,
	"set": found.state == "unknown",
	"raw": "",
	"path": object.get(found, "path", []),
	"valid": true,
	"bytes": 0,
	"divided": false,
}

_powers := {"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}

_max_int64 := 9223372036854775807

# Go's own grammar: whole numbers, and units that end in B (runtime.parseByteCount).
default _memory_valid(_) := false

_memory_valid("off")

_memory_valid(text) if _read(text) <= _max_int64

default _memory_bytes(_) := 0

_memory_bytes(text) := _read(text) if _memory_valid(text)

_read(text) := bits.lsh(to_number(quantity.significant(groups[1])), _powers[groups[2]]) if {
	some groups in regex.find_all_string_submatch_n(`^([0-9]{1,19})(|B|[KMGT]iB)$`, text, -1)
}

# memory_problem is {kind, message}; undefined where nothing is wrong.
memory_problem(g) := {"kind": "malformed", "message": sprintf("GOMEMLIMIT is $(%s), which %s: %s", [
	process.late(g.c, g.gomemlimit.path, {""})[0],
	"env sets behind it, and the kubelet fills in only what stands before",
	"the process stops with a fatal error at its start.",
])} if {
	not g.gomemlimit.valid
	process.late(g.c, g.gomemlimit.path, {""}) != []
} else := {"kind": "placeholder", "message": concat(" ", [
	"GOMEMLIMIT is a placeholder:",
	"the process stops at its start unless something fills it in before the manifest is applied.",
])} if {
	not g.gomemlimit.valid
	words.placeholder(g.gomemlimit.raw)
} else := {"kind": "malformed", "message": sprintf("GOMEMLIMIT is \"%s\", which Go cannot read: %s", [
	words.told(g.gomemlimit.raw),
	"the process stops with a fatal error at its start. Go's units are B, KiB, MiB, GiB and TiB.",
])} if {
	not g.gomemlimit.valid
} else := {"kind": "tiny", "message": sprintf("GOMEMLIMIT is %v bytes%s: %s", [
	g.gomemlimit.bytes,
	_memory_from(g),
	"no heap is that small, and the collector runs all the time. The unit is missing.",
])} if {
	g.gomemlimit.bytes > 0
	g.gomemlimit.bytes < _least_heap
} else := {"kind": "no room", "message": sprintf("GOMEMLIMIT is %s%s, which is not below the memory limit of %s: %s", [
	quantity.format_memory(g.gomemlimit.bytes),
	_memory_from(g),
	quantity.format_memory(g.c.memory_limit),
	"the process is OOMKilled before the collector works harder.",
])} if {
	g.c.memory_limit > 0
	g.gomemlimit.bytes >= g.c.memory_limit
} else := {"kind": "never", "message": sprintf("GOGC turns the collector off, and GOMEMLIMIT is %s: %s %s.", [
	{true: "off", false: "not set"}[g.gomemlimit.set],
	"no garbage is ever freed, and the process is OOMKilled once it has allocated",
	quantity.format_memory(g.c.memory_limit),
])} if {
	g.c.memory_limit > 0
	g.never
	_without_limit(g.gomemlimit)
} else := {"kind": "unset", "message": sprintf("GOMEMLIMIT is not set under a memory limit of %s: %s", [
	quantity.format_memory(g.c.memory_limit),
	"Go's collector does not know the limit and lets the heap grow past it.",
])} if {
	g.c.memory_limit > 0
	not g.gomemlimit.set
	not _by_its_image(g)
}

# A program that others wrote and that nothing of the manifest says is in Go has its own use of memory.
_by_its_image(g) if startswith(g.evidence, "image ")

_without_limit(memory) if not memory.set

_without_limit(memory) if memory.raw == "off"

# HR306 holds limits to the same.
_least_heap := 4194304

_memory_from(g) := sprintf(" (from %s)", [g.gomemlimit.raw]) if g.gomemlimit.state == "resource"

else := ""

# memory_wanted is 90 % of a limit as Go writes it, rounded down to MiB where there are any.
memory_wanted(limit) := sprintf("%vMiB", [mib]) if {
	mib := floor((limit * 9) / 10485760)
	mib > 0
} else := sprintf("%vB", [floor((limit * 9) / 10)])
