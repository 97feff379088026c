# METADATA
# title: Go programs
# description: |
#   Which containers run a Go program, and what sizes its scheduler and its heap. A container is
#   one where an annotation says so, where it sets a variable that only Go's runtime reads, and where its
#   image is known to bring a release that does not look at the CPU limit. Of the last, nothing else is asked: its
#   owner did not write it.
package headroom.runtime.go

import data.headroom.environment
import data.headroom.inside
import data.headroom.quantity
import data.headroom.registry
import data.headroom.workload

# gos are the Go programs:
#   {c, container, sure, evidence, version, program, automaxprocs, containermaxprocs, gomaxprocs, gomemlimit, never,
#   hidden, path}
# version is the go line of its go.mod as [1, 24], or the image's Go before 1.25, null where neither is known. Init
# containers are over before a quota matters.
gos := [{
	"c": c,
	"container": c.name,
	"sure": true,
	"evidence": evidence,
	"version": _version(c),
	"program": _program(c),
	"automaxprocs": _automaxprocs(c),
	"containermaxprocs": _containermaxprocs(c),
	"gomaxprocs": _gomaxprocs(environment.setting(c, "GOMAXPROCS")),
	"gomemlimit": _gomemlimit(environment.setting(c, "GOMEMLIMIT")),
	"never": _never(environment.setting(c, "GOGC")),
	"hidden": environment.hidden(c),
	"path": array.concat(c.path, ["env"]),
} |
	some id, evidence in _evidence
	c := workload.containers[id]
	c.role != "init"
]

# _evidence is what says Go, by the container's id. An annotation settles it, also one that
# names another runtime.
_evidence := object.union_n([_known, _built, _shown, _declared])

# _programs are the known programs, by the container's id, where nothing of the manifest says more of them.
_programs := {c.id: program |
	some c in workload.containers
	not registry.declared[c.name]
	program := program_of(c)
	program.go < _first_aware
}

_known := {id: sprintf("image %s is a program in Go", [program.name]) | some id, program in _programs}

# The image alone tells that it is Go.
_program(c) := _programs[c.id]

_program(c) := {} if not _programs[c.id]

# An image that was built on Go's own and starts a program that is not one of Go's tools.
_built := {c.id: "its image sets GOLANG_VERSION" |
	inside.known
	some c in workload.containers
	_toolchain(c)
	not registry.declared[c.name]
	words := [word | some word in c.raw.command; is_string(word)]
	script := regex.find_all_string_submatch_n(`^(?:/bin/)?(?:ba)?sh -l?e?c (?:exec )?(\S+)`, concat(" ", words), 1)
	first := array.concat([groups[1] | some groups in script], words)[0]
	not regex.match(`^(?:.*/)?(?:bash|cat|env|go|gofmt|git|make|sh|sleep|tail)$`, first)
}

_toolchain(c) := [to_number(groups[1]), to_number(groups[2])] if {
	text := c.raw.inside.config.environment.GOLANG_VERSION
	groups := regex.find_all_string_submatch_n(`^([1-9])\.([0-9]{1,2})(?:[.a-z]|$)`, text, 1)[0]
}

_declared := {c.id: concat("", ["annotation runtime.headroom.dev/", c.name]) |
	some name, words in registry.declared
	words[0] == "go"
	some c in workload.containers
	c.name == name
}

# variables are those that only Go's runtime reads.
variables := {name | some name in about.variables}

_shown := {} if {
	environment.silent
} else := {id: concat(" ", [sort(names)[0], "is set"]) |
	some id, present in environment.present
	names := present & variables
	not registry.declared[workload.containers[id].name]
}

# No go line is younger than the toolchain that reads it; one may be older.
_version(c) := [to_number(groups[1]), to_number(groups[2])] if {
	words := concat(" ", registry.declared[c.name])
	groups := regex.find_all_string_submatch_n(_declared_line, words, 1)[0]
} else := _toolchain(c) if {
	_toolchain(c) < _first_aware
} else := null

_declared_line := `^go(?:\s.*)?\sversion=(?:go)?([1-9][0-9]?)\.([1-9][0-9]{0,2}|0)(?:[^0-9].*)?$`

# automaxprocs takes the limit, rounded down, where GOMAXPROCS is not set. Only the annotation shows it.
default _automaxprocs(_) := false

_automaxprocs(c) if "automaxprocs" in registry.declared[c.name]

# never says that GOGC turns the collector off: then GOMEMLIMIT alone starts it.
default _never(_) := false

_never(found) if regex.match(`^(?:off|-[1-9][0-9]{0,8})$`, found.text)

# GODEBUG=containermaxprocs=1 makes Go look at the limit whatever the go line says, =0
# keeps it from looking; of several the last counts.
default _containermaxprocs(_) := ""

_containermaxprocs(c) := values[count(values) - 1] if {
	found := environment.setting(c, "GODEBUG")
	values := [value |
		some pair in split(found.text, ",")
		[key, value] := split(pair, "=")
		key == "containermaxprocs"
	]
}

# gomaxprocs is {state, set, value, raw, path, valid, node}; value is 0 where it is not known
# or Go ignores it. Go takes whole numbers above 0 and passes over all else without a word.
_gomaxprocs(found) := {
	"state": "literal",
	"set": true,
	"raw": found.text,
	"path": found.path,
	"valid": _counts(found.text),
	"value": _number(found.text),
	"node": false,
} if {
	found.state == "literal"
} else := {
	"state": "resource",
	"set": true,
	"raw": found.resource,
	"path": found.path,
	"valid": true,
	"value": found.value,
	"node": found.node,
} if {
	found.state == "resource"
} else := {
	"state": found.state,
	"set": found.state != "absent",
	"raw": "",
	"path": object.get(found, "path", []),
	"valid": true,
	"value": 0,
	"node": false,
}

# Above 2^31 Go's parser gives up, and people do not write ten digits.
default _counts(_) := false

_counts(text) if regex.match(_count, text)

_count := `^0*[1-9][0-9]{0,8}$`

default _number(_) := 0

_number(text) := to_number(quantity.significant(text)) if _counts(text)
