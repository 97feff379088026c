# METADATA
# title: Servers
# description: |
#   Which container runs which server, cache or database, and the words on its command line: of runtimes that declare
#   `starts` and `images`. An exporter, a backup or a shell in the same image does not count.
package headroom.serving

import data.headroom.environment
import data.headroom.images
import data.headroom.process
import data.headroom.registry
import data.headroom.workers
import data.headroom.workload

# served has by container id {runtime, words: [[text, path], …], evidence}: the program that the command runs or, where
# the manifest has no command, what the image is known to start. Words are those behind the program's name.
served := object.union(_imaged, _started) if {
	_any
} else := {}

_any if workers.with_program != set()

_any if registry.imaged != {}

_started[id] := {
	"runtime": command.runtime,
	"words": command.words,
	"evidence": concat(" ", ["its command runs", command.program]),
} if {
	some id, commands in workers.started
	single := [command | some command in commands; workers.programs[command.program].options == []]
	command := single[count(single) - 1]
}

# The image's entrypoint takes options as its program's own; anything else it runs instead.
_imaged[id] := {
	"runtime": imaged.name,
	"words": words,
	"evidence": concat(" ", ["image", imaged.image]),
	"image": imaged.image,
} if {
	some id, imaged in registry.imaged
	c := workload.containers[id]
	not c.raw.command[0]
	words := [[process.expand(c, text), array.concat(c.path, ["args", i])] | some i, text in c.raw.args; is_string(text)]
	_options(words)
}

_options([])

_options(words) if startswith(words[0][0], "-")

# Redis' own script takes a file of its first argument.
_options(words) if endswith(words[0][0], ".conf")

# found are the containers of a runtime, as the registry wants them.
found(runtime) := {id: {"sure": true, "evidence": server.evidence} |
	some id, server in served
	server.runtime == runtime
}

# servers are {c, words, image} of a runtime's servers; image is "" where the command shows them.
servers(runtime) := [{"c": workload.containers[id], "words": server.words, "image": object.get(server, "image", "")} |
	some id, server in served
	server.runtime == runtime
]

# option is the last value that a server is given for any of several options: `--name value` and `--name=value`; {text,
# path}, undefined without the option.
option(server, names) := found[count(found) - 1] if {
	found := [{"text": text, "path": path} |
		some i, [word, path] in server.words
		some text in _values(server.words, i, word, names)
	]
	count(found) > 0
}

_values(words, i, word, names) := [words[i + 1][0]] if {
	word in names
} else := [substring(word, count(name) + 1, -1) |
	some name in names
	startswith(word, concat("", [name, "="]))
]

# variable_words are the words of a variable that holds options of a server, [] where it is not known.
variable_words(c, name) := [[word, setting.path] | some word in workers.shell_words(setting.text)] if {
	setting := environment.setting(c, name)
	setting.state == "literal"
} else := []

# utility says that a container surely runs no server: sleep, a copy, a shell that waits.
utility(c) if process.only_utilities(images.words(c))

# covered says that something is mounted over a file, seen or not.
covered(c, path) if process.mounted(c, path)

# file is the text of a configuration that a ConfigMap of the same input puts at a path; undefined where none does.
file(c, path) := process.mounted(c, path).text

# files are the texts that ConfigMaps of the same input put into a folder, by path.
files(c, folder) := {path: text |
	some mount in c.raw.volumeMounts
	is_string(mount.mountPath)
	some path in _paths(c, mount, folder)
	text := file(c, path)
}

_paths(c, mount, folder) := [concat("/", [folder, name]) |
	some volume in c.beside.volumes
	volume.name == mount.name
	some name in _names(c, volume.configMap)
] if {
	trim_right(mount.mountPath, "/") == folder
} else := [mount.mountPath] if {
	startswith(mount.mountPath, concat("", [folder, "/"]))
	not contains(trim_prefix(mount.mountPath, concat("", [folder, "/"])), "/")
} else := []

_names(c, source) := {item.path | some item in source.items} if {
	source.items
} else := object.keys(process.config_map(source.name, c).data)
