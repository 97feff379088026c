package headroom.explain

import data.headroom.cpu
import data.headroom.measured
import data.headroom.memory
import data.headroom.runtime.jvm

# What is not known, and what would make it known, in whole sentences.

unknown_of_any(c) := array.concat(_no_limit(c), array.concat(_no_average(c), array.concat(_no_peak(c), _no_runtime(c))))

_no_limit(c) := ["There is no memory limit, so that nothing bounds what it takes: limits.memory does."] if {
	c.memory_limit == 0
	c.role != "init"
} else := []

_no_average(c) := [sprintf("Its average CPU use is not known (%s): %s/%s says it, and headroom annotate measures it.", [
	measured.missing(c, "no annotation gives it"),
	"cpu-average.headroom.dev",
	c.name,
])] if {
	c.role != "init"
	cpu.average[c.id].milli == 0
} else := []

_no_peak(c) := [sprintf("Its peak CPU use is not known%s: annotation cpu-peak.headroom.dev/%s says it.", [
	measured.doubt(c, " (%s)"),
	c.name,
])] if {
	cpu.peak[c.id] == 0
	"peak" in {word | some word in cpu.row[c.id]}
} else := [sprintf("Its peak CPU use is not known%s: annotation cpu-peak.headroom.dev/%s says it.", [
	measured.doubt(c, " (%s)"),
	c.name,
])] if {
	cpu.peak[c.id] == 0
	cpu.row[c.id].limit == "measured"
} else := []

_no_runtime(c) := [sprintf("Nothing shows what runs here: annotation runtime.headroom.dev/%s says it.", [c.name])] if {
	runtime(c) == ""
} else := []

unknown_of_jvm(j) := array.concat(
	[sprintf("Flags may hide in %s: %s. %s", [u.what, u.why, _shows(j)]) | some u in j.unknown],
	[text |
		some list in [_image(j), _no_release(j), _guessed(j), _scripts_heap(j), _other_jvms(j), _terms(j)]
		some text in list
	],
)

_shows(j) := sprintf("As plain text in %s they are visible.", [jvm.flag_place(j)]) if {
	jvm.flag_place(j) != ""
} else := "As plain text in JAVA_TOOL_OPTIONS they are visible."

_image(j) := ["What the image sets is not known, so no heap is written: headroom images lock reads it."] if {
	j.sure
	not j.heap.set
	not jvm.image_read(j.c)
} else := []

_no_release(j) := [sprintf("Its release is not declared: jvm.headroom.dev/%s: version=21 says it.", [j.container])] if {
	j.version == 0
} else := []

_guessed(j) := [sprintf("Assumed to be a JVM: runtime.headroom.dev/%s: jvm would say so.", [j.container])] if {
	not j.sure
} else := []

_scripts_heap(j) := [text] if {
	text := "The program's own start script may set the heap: -Xmx in _JAVA_OPTIONS would win over it."
	jvm.heap_is_scripts(j)
} else := []

_terms(j) := [sprintf("Not bounded or declared, and so assumed: %s. %s", [concat(", ", open), how]) |
	open := [term.name | some term in memory.terms_at(j, j.heap.bytes); _open(term)]
	count(open) > 0
	how := sprintf("jvm.headroom.dev/%s: threads=120 native=80Mi classes=15000 says what was measured.", [j.container])
]

# What an annotation could say. A cap on metaspace is enough, too.
_open(term) if {
	term.source == "assumed"
	term.name in {"stacks", "native"}
}

_open(term) if {
	term.source == "assumed"
	term.name == "metaspace"
	term.flag == ""
}

# _other_jvms says that a command starts more than one JVM.
_other_jvms(j) := [concat(" ", [
	"Its command starts more than one JVM:",
	"what is said here is of the server, and the memory of those that run at the same time comes on top.",
])] if {
	count(object.get(j.command, "others", [])) > 0
} else := []
