package headroom.images

import data.headroom.process

# command is that of a container, or of its image where the manifest has none and the image's entrypoint is known to
# be the program itself. words are its args too.
command(c) := words if {
	words := process.strings_of(object.get(c.raw, "command", []))
	count(words) > 0
} else := object.get(found, [c.id, "record", "command"], [])

words(c) := array.concat(command(c), process.args(c))

# calls are the programs that a container comes to run; last_call is the last of them, that of the image's own script
# where the command calls it.
calls(c) := process.calls(c, words(c))

last_call(c) := process.last_call(c, words(c), object.get(found, [c.id, "record", "entrypoint"], []))
