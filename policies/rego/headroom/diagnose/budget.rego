package headroom.diagnose

import data.headroom.memory

# budget is the sum of the manifest (M1): as it was saved, else of the Pod; null for no JVM.
default budget := null

budget := input.budget if {
	is_object(input.budget)
} else := [b | some b in memory.told with input as input.pod; b.container == input.container][0]

# regions hold each term of the budget to what is really taken: {name, budget_mib, used_mib,
# source}; used_mib is -1 where it is not known.
regions := [{"name": term.name, "budget_mib": term.mib, "used_mib": _taken(term.name), "source": source} |
	some term in budget.terms
	is_string(term.name)
	number(term.mib)
	source := concat(" ", [s | s := term[["source", "flag"][_]]; is_string(s); s != ""])
]

_taken(name) := round(_region[name] / 1048576)

_taken(name) := -1 if not _region[name]

# _region is what each term of the budget takes, in bytes. Without native memory tracking, the
# JVM tells its heap and its metaspace.
_region := object.union(_counted, object.union(_tracked, _rest))

_counted := {name: bytes |
	some name, key in {"heap": "heap_capacity", "metaspace": "metaspace_capacity"}
	bytes := number(input.read.perf[key])
}

_tracked := {name: sum(list) |
	some name, keys in _tracked_as
	list := [bytes | some key in keys; bytes := number(input.read.native[key])]
	list != []
}

_tracked_as := {
	"heap": ["Java Heap"],
	"metaspace": ["Class", "Metaspace"],
	"code cache": ["Code"],
	"direct": ["Other"],
	"stacks": ["Thread"],
}

_rest := {"native": sum([number(bytes) | some key, bytes in input.read.native; not key in _named])} if {
	_tracked != {}
} else := {}

_named := {key | some key in _tracked_as[_]}
