package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# Flags right behind java on its own command line: nothing of the image is replaced, java prints nothing of them, and
# flags that follow still win.

# behind_java is the place of java in the manifest's own command: [field, index] of the word before the flags. The
# index is -1 where the image's entrypoint is java itself and takes `args`. Undefined where a shell, a program that is
# not known, or the image alone names java.
behind_java(j) := _in_fields(j.c, at) if {
	j.command.java
	not j.command.script
	not object.get(j.command, "through", false)
	j.command.certain
	count(images.command(j.c)) > 0
	every field in ["command", "args"] {
		every word in object.get(j.c.raw, field, []) { is_string(word) }
	}
	at := _java_at(images.words(j.c))
}

# The first word that names java with nothing but known wrappers before it.
_java_at(words) := min({i |
	some i, word in words
	regex.match(_word_java, word)
	regex.match(_up_to_java, process.joined(array.slice(words, 0, i + 1)))
})

# The same patterns for the CEL policies.
_word_java := `^(?:.*/)?java$`

_up_to_java := concat("", ["(?s)^", process.wrapper, _name_of_java, "$"])

# _in_fields is a place among the words of a command in the manifest's own fields.
_in_fields(c, at) := ["command", at] if {
	not c.raw.inside
	at < count(object.get(c.raw, "command", []))
} else := ["args", at - count(images.command(c))] if {
	not c.raw.inside
	at >= count(images.command(c)) - 1
	count(object.get(c.raw, "args", [])) > 0
} else := ["command", at] if {
	c.raw.inside.command == 0
	at < c.raw.inside.args
} else := ["args", at - c.raw.inside.args] if {
	at >= c.raw.inside.args - 1
	count(c.raw.command) > c.raw.inside.args
}
