package headroom.advice

import data.headroom.runtime.jvm

# in_place says into which variable flags go that nothing sets yet, where only the image's start script
# writes the command line.
in_place(j, text) := sprintf("%s in %s", [text, place]) if {
	place := jvm.flag_place(j)
	place != ""
} else := text

# heap_in_place says the same of flags that size the heap.
heap_in_place(j, text) := sprintf("%s in %s", [text, place]) if {
	place := jvm.heap_place(j)
	place != ""
} else := text
