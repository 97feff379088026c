package headroom.runtime.jvm

import data.headroom.process

# Where flags of a JVM go whose command line only the image's start script writes: into the variable that
# the script reads, in that variable's own form. Where the command in the manifest names java, both the
# command and JAVA_TOOL_OPTIONS are at hand, and no place is named.

# flag_place is the variable for a flag that nothing sets yet, "" where none need be named.
flag_place(j) := "" if {
	j.command.java
} else := there[0] if {
	there := array.concat(_literal(["JAVA_TOOL_OPTIONS"], j), _literal(_plain_variables(j, -1), j))
	count(there) > 0
} else := _plain_variables(j, -1)[0] if {
	count(_plain_variables(j, -1)) > 0
} else := "JAVA_TOOL_OPTIONS"

# heap_place is where the flag stands that decides on the heap, or one that wins over it: the image's own
# options cannot be changed, only followed by others.
heap_place(j) := "" if {
	j.command.java
} else := flag_place(j) if {
	not j.flags[j.heap.flag]
} else := source if {
	source := heap_source(j)
	source != _the_script
	not _takes_a_number(j, source)
} else := array.concat(_plain_variables(j, last), ["_JAVA_OPTIONS"])[0] if {
	_takes_a_number(j, heap_source(j))
	last := max([i | some i, part in _line(j); part.size == heap_source(j)])
} else := _plain_variables(j, -1)[0] if {
	# The script leaves its share out where that variable sizes the heap.
	share_of_limit(j)
	some part in _line(j)
	part.percent
	part.when.lacks
	count(_plain_variables(j, -1)) > 0
} else := array.concat(_plain_variables(j, _last_the_script(j)), ["_JAVA_OPTIONS"])[0]

_takes_a_number(j, source) if {
	some part in _line(j)
	part.size == source
}

# heap_variable is the variable of a known script that is there for the heap, where nothing sets it.
heap_variable(j) := [part.variable |
	some part in _line(j)
	endswith(part.variable, "HEAP_OPTS")
	process.arrived(j.call, part.variable).state == "absent"
][0]

# heap_source is the variable or file that decides on the heap.
heap_source(j) := _setter(j, j.heap.flag)

_setter(j, flag) := trim_suffix(j.flags[flag].source, ", as the image's start script sets it")

# sized is a heap in the form of the variables that decide on it: ZOO_HEAP_SIZE=512, or two of them where one has
# the initial heap, and more. Undefined where the heap is set by flags.
sized(j, mib) := sprintf("%s=%s", [part.size, _size_text(part.becomes, "-Xmx", mib)]) if {
	part := _deciding(j)
	_initial_follows(j, part, mib)
} else := sprintf("%s=%s and %s=%s", [
	initial.size,
	_size_text(initial.becomes, "-Xms", mib),
	part.size,
	_size_text(part.becomes, "-Xmx", mib),
]) if {
	part := _deciding(j)
	initial := [one | some one in _line(j); one.size == _setter(j, "InitialHeapSize")][0]
}

# size_in is a heap in the form of one such variable that is not set yet.
size_in(j, variable, mib) := sprintf("%s=%s", [variable, _size_text(part.becomes, "-Xmx", mib)]) if {
	part := [part | some part in _line(j); part.size == variable][0]
}

# shared is a share of the limit in the form of the variable that decides on it: MEM_MAX_RAM_PERCENTAGE=50.0, as
# Java 8 wants the point where the script adds none. Undefined where that variable takes no share.
shared(j, percent) := sprintf("%s=%v%s", [
	part.size,
	percent,
	{true: "", false: ".0"}[endswith(part.becomes, "{}.0")],
]) if {
	part := _deciding(j)
	regex.match(`-XX:MaxRAMPercentage=\{\}(?:\.0)?$`, part.becomes)
}

_deciding(j) := [part | some part in _line(j); part.size == heap_source(j)][0] if not j.command.java

# A number of megabytes, without a unit, where the script adds one.
_size_text(becomes, flag, mib) := sprintf("%d", [mib]) if {
	regex.match(concat("", [flag, `\{\}[mM]`]), becomes)
} else := sprintf("%dm", [mib]) if {
	regex.match(concat("", [flag, `\{\}(?:$|[^a-zA-Z])`]), becomes)
}

_initial_follows(_, part, _) if contains(part.becomes, "-Xms{}")

_initial_follows(j, _, mib) if object.get(j.numbers, "InitialHeapSize", 0) <= mib * 1048576

_the_script := "the image's start script"

_line(j) := object.get(j.script, ["image", "record", "line"], [])

# Variables that the script passes on as they are, behind a part of its line. One with a default would
# lose it, one that a condition asks for would change other parts, and one for logs is not the place.
_plain_variables(j, behind) := [part.variable |
	j.script.starts == "script"
	some i, part in _line(j)
	i > behind
	part.variable
	not part.becomes
	not part.default
	not part.variable in _asked_for(j)
	not regex.match(`(?:^|_)(?:GC|LOG)(?:_|$)`, part.variable)
	holds(j.c, j.script.image, object.get(part, "when", {}))
	process.arrived(j.call, part.variable).state in {"literal", "absent"}
]

_asked_for(j) := {name |
	some part in _line(j)
	some key in ["set", "unset"]
	name := part.when[key]
} | {name |
	some part in _line(j)
	some name, _ in part.when.equals
}

_last_the_script(j) := max(array.concat([-1], [i |
	some i, part in _line(j)
	not part.variable
	not part.size
]))

_literal(names, j) := [name | some name in names; process.arrived(j.call, name).state == "literal"]
