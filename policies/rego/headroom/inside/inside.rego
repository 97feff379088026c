# METADATA
# title: What is in the image
# description: |
#   An image's config says what it starts and with which variables: data.headroom.image_lock has it by reference and
#   by digest, as `headroom images lock` writes it. Here the manifest is laid over it as the kubelet does: `command`
#   takes the place of entrypoint and command, `args` that of the command, and variables overlay each other by name.
package headroom.inside

# redacted stands for what a lock leaves out of a config.
redacted := "…"

# known says that there are any configs.
known if is_object(data.headroom.image_lock.images)

# config is that of an image, by the reference as a manifest writes it, or by the digest in it; undefined where it is
# not known.
config(image) := data.headroom.image_lock.images[data.headroom.image_lock.references[image]] if {
	data.headroom.image_lock.references[image]
} else := data.headroom.image_lock.images[digest] if {
	is_string(image)
	[_, digest] := split(image, "@")
}

# completed is a container as the kubelet starts it: what the manifest does not say comes from the image, and
# `inside` tells what does:
#   {config, command: how many words of its command are the image's, env: the place of the first variable that is}
# The image's words are all in `command`; no $(NAME) is expanded in them.
completed(raw) := object.union(object.remove(raw, ["args"]), {
	"command": array.concat(start.entrypoint, start.rest),
	"env": array.concat(own, added),
	"inside": {"config": image, "command": start.theirs, "env": count(own), "args": start.args},
}) if {
	image := config(raw.image)
	start := _start(raw, image)
	own := _list(object.get(raw, "env", []))
	added := _variables(own, image)
} else := raw

_start(raw, image) := {"entrypoint": command, "rest": _list(object.get(raw, "args", [])), "theirs": 0, "args": n} if {
	command := _list(object.get(raw, "command", []))
	n := count(command)
	n > 0
} else := {"entrypoint": entrypoint, "rest": args, "theirs": count(entrypoint), "args": count(entrypoint)} if {
	args := _list(object.get(raw, "args", []))
	count(args) > 0
	entrypoint := _words(image, "entrypoint")
} else := {"entrypoint": all, "rest": [], "theirs": count(all), "args": count(all)} if {
	all := array.concat(_words(image, "entrypoint"), _words(image, "command"))
}

_list(value) := value if is_array(value)

_list(value) := [] if not is_array(value)

_words(image, field) := [_plain(word) | some word in _list(object.get(image, field, [])); is_string(word)]

# The kubelet expands what stands in the manifest alone.
_plain(text) := replace(text, "$", "$$")

_variables(own, image) := [{"name": name, "value": _plain(value)} |
	some name, value in image.environment
	is_string(value)
	not name in {entry.name | some entry in own}
]

# shown is a path below such a container in the manifest's own words: what is the image's has the image for its place.
shown(raw, rest) := ["image"] if {
	rest[0] == "env"
	rest[1] >= raw.inside.env
} else := ["image"] if {
	rest[0] == "command"
	array.concat(rest, [0])[1] < raw.inside.command
} else := array.concat(["args", rest[1] - raw.inside.args], array.slice(rest, 2, count(rest))) if {
	rest[0] == "command"
	rest[1] >= raw.inside.args
} else := rest

# java is what the image says of its Java: the text of JAVA_VERSION, as JDK images set it.
java(raw) := trim_prefix(trim_prefix(raw.inside.config.environment.JAVA_VERSION, "jdk"), "-") if {
	is_string(raw.inside.config.environment.JAVA_VERSION)
} else := "" if {
	# Buildpacks for Java, which set no variable: their launcher works out the heap and its flags at the start.
	regex.match(_java_buildpack, raw.inside.config.labels["io.buildpacks.build.metadata"])
	not native(raw)
}

# native says that buildpacks have compiled the program ahead, and taken its byte code out of the image.
# Source: https://github.com/paketo-buildpacks/native-image
native(raw) if {
	names := raw.inside.config.labels["io.buildpacks.build.metadata"]
	regex.match(`(?:^| )[a-z0-9.-]+/(?:[a-z0-9.-]*-)?native-image(?: |$)`, names)
}

# built_otherwise says that buildpacks for something else have built the image.
built_otherwise(raw) if {
	names := raw.inside.config.labels["io.buildpacks.build.metadata"]
	not regex.match(_java_buildpack, names)
}

_java_buildpack := concat("", [
	`(?:^| )[a-z0-9.-]+/[a-z0-9.-]*`,
	`(?:java|jdk|jre|jvm|liberica|corretto|zulu|temurin|sapmachine)[a-z0-9.-]*(?: |$)`,
])
