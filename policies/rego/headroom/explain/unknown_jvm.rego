package headroom.explain

import data.headroom.memory
import data.headroom.runtime.jvm

unknown_of_jvm(j) := array.concat(
	[sprintf("Flags may hide in %s: %s. %s", [u.what, u.why, _shows(u)]) | some u in j.unknown],
	[text | some list in [_no_release(j), _guessed(j), _scripts_heap(j), _other_jvms(j), _terms(j)]; some text in list],
)

_shows(u) := "As plain text in JAVA_TOOL_OPTIONS they are in sight." if u.unreadable

_shows(u) := "A command in the manifest that names java shows them." if not u.unreadable

_no_release(j) := [sprintf("Its release is not declared: jvm.headroom.dev/%s: version=21 says it.", [j.container])] if {
	j.version == 0
} else := []

_guessed(j) := [sprintf("That this is a JVM is a guess: runtime.headroom.dev/%s: jvm says so.", [j.container])] if {
	not j.sure
} else := []

_scripts_heap(j) := [text] if {
	text := "The program's own start script may set the heap: a command in the manifest that names java would show it."
	jvm.heap_is_scripts(j)
} else := []

_terms(j) := [sprintf("Not bounded or declared, and so assumed: %s. %s", [concat(", ", open), how]) |
	open := [term.name | some term in memory.terms_at(j, j.heap.bytes); term.source == "assumed"]
	count(open) > 0
	how := sprintf("jvm.headroom.dev/%s: threads=120 native=80Mi classes=15000 says what was measured.", [j.container])
]
