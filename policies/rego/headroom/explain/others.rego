package headroom.explain

# _other_jvms says that a command starts more than one JVM: the flags and the budget are those of the
# first, and what the others take comes on top.
_other_jvms(j) := [concat(" ", [
	"Its command starts more than one JVM:",
	"what is said here is of the first, and the others' memory comes on top.",
])] if {
	some field in ["command", "args"]
	some text in j.c.raw[field]
	is_string(text)
	count([word |
		some [_, word] in regex.find_all_string_submatch_n(`(?:^|[\s;&|(/])java\s+([^\s;&|)]+)`, text, 10)
		not word in {"-version", "--version", "-fullversion"}
	]) > 1
} else := []
