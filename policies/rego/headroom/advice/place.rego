package headroom.advice

import data.headroom.runtime.jvm

# _on_the_line says that flags go on java's own command line, where the command names the variable that would be
# filled in.
_on_the_line(j) if {
	j.command.java
	jvm.passed_on(j)
}

# in_place says into which variable flags go that nothing sets yet, where only the image's start script
# writes the command line.
in_place(j, text) := sprintf("%s right behind java in the command", [text]) if {
	_on_the_line(j)
} else := sprintf("%s in %s", [text, place]) if {
	place := jvm.flag_place(j)
	place != ""
} else := text

# heap_in_place says the same of flags that size the heap.
heap_in_place(j, text) := sprintf("%s right behind java in the command", [text]) if {
	_on_the_line(j)
} else := sprintf("%s in %s", [text, place]) if {
	place := jvm.heap_place(j)
	place != ""
} else := text
