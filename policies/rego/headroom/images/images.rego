# METADATA
# title: Known images
# description: |
#   Which images start a JVM by a script that somebody has read, and what that script puts on
#   java's command line: fixed options, variables and their defaults, sizes that become a heap,
#   files. One YAML file a family stands beside this one; table.rego is made of them. Start scripts that a command
#   names start the same JVM under any image: scripts/ has a file a program.
package headroom.images

import data.headroom.config
import data.headroom.inside
import data.headroom.process
import data.headroom.workload

# found has the record of each container's image, by container id: {name, title, tag, record, built}. What headroom.yaml
# says of an image stands above what is known here, and a script that the command names above the image.
found[c.id] := object.union({"title": concat("", ["image ", image.name])}, image) if {
	some c in workload.containers
	image := _found(c)
}

_found(c) := _configured(reference(c.raw.image)) if {
	_configured(reference(c.raw.image))
} else := {"name": "", "title": "the operator", "tag": "", "record": {"line": line}} if {
	# What an operator sets where its resource says nothing (package headroom.kinds).
	line := array.concat([{"variable": "JAVA_TOOL_OPTIONS"}], workload.entry.line)
} else := _by_script(c, script, _named(c)) if {
	script := started[c.id]
} else := _image(c, reference(c.raw.image))

# known says that the variables of an image are, too: those that tools build have names and variables of their own.
known(c) if {
	image := found[c.id]
	not image.built
}

# variables are those that scripts of known images take in.
variables[name] if {
	some key in ["variable", "size"]
	name := records[_].line[_][key]
}

# reference takes registry.example:5000/team/name:tag@sha256:… apart: {path, last, tag}, path
# without the tag.
reference(image) := {"path": path, "last": last, "tag": tag} if {
	is_string(image)
	parts := split(split(image, "@")[0], "/")
	end := split(parts[count(parts) - 1], ":")
	last := end[0]
	tag := concat(":", array.slice(end, 1, count(end)))
	path := concat("/", array.concat(array.slice(parts, 0, count(parts) - 1), [last]))
}

_configured(ref) := {"name": _longest(own), "tag": ref.tag, "record": own[_longest(own)]} if {
	own := object.union_n([{name: record} |
		some record in config.settings.images
		some name in record.names
		named(ref.path, name)
	])
	count(own) > 0
}

_image(c, ref) := image if {
	image := _named(c)
	image.record
} else := {"name": words[0].word, "tag": ref.tag, "record": records[words[0].id], "built": true} if {
	# Images that tools build have names and variables of their own, and the tools' launchers.
	not inside.built_otherwise(c.raw)
	words := [{"word": word, "id": starters[word]} | some word in c.raw.command]
} else := {"name": name, "tag": ref.tag, "record": records[id], "built": true} if {
	# Their variables show them, where no command takes the place of the launcher.
	not c.raw.command[0]
	some pattern, id in shown
	name := min({e.name | some e in c.raw.env; is_string(e.name); regex.match(pattern, e.name)})
}

_named(c) := _fitting(reference(c.raw.image)) if {
	_fitting(reference(c.raw.image))
} else := base if {
	# One that is built on a known image has that image's script only where it runs it.
	some ref in _bases(c.raw.inside.config.labels)
	base := _fitting(ref)
	_brings(base, _programs(c))
} else := {}

_fitting(ref) := {"name": name, "tag": ref.tag, "record": records[ids[name][0]]} if {
	ids := {name: fitting |
		some name, all in names[ref.last]
		named(ref.path, name)
		fitting := [id | some id in all; regex.match(object.get(records[id], "tag", ""), ref.tag)]
		count(fitting) > 0
	}
	name := _longest(ids)
}

# _bases are what the labels in a lock say of the image that one is built on, whose labels it has, too. Red Hat's images
# name themselves, as ubi9/openjdk-21; OCI has a key for the base.
_bases(labels) := array.concat(
	[reference(concat(":", [labels.name, labels.version])) |
		labels["com.redhat.component"]
		every key in ["name", "version"] { is_string(labels[key]) }
		contains(labels.name, "/")
	],
	[reference(labels["org.opencontainers.image.base.name"]) | labels["org.opencontainers.image.base.name"]],
)

# Of bitnami/kafka and mirror/bitnami/kafka the longer says more.
_longest(by_name) := [name | some name, _ in by_name; count(name) == max([count(n) | some n, _ in by_name])][0]

# named: apache/kafka is docker.io/apache/kafka and mirror.example/hub/apache/kafka, too. A name of
# one part is an official image of Docker Hub, which no other organisation's is.
named(path, name) if path == name

named(path, name) if {
	contains(name, "/")
	endswith(path, concat("", ["/", name]))
}

named(path, name) if {
	not contains(name, "/")
	endswith(path, concat("", ["library/", name]))
}

named(path, name) if {
	not contains(name, "/")
	[host, name] = split(path, "/")
	regex.match(`[.:]|^localhost$`, host)
}

# release is what a tag says of Java: {"feature": n}, with "update" and "tagged" where the tag has them itself,
# {"least": n}, or {} where it says nothing. 8u151, 11.0.13 and 17 are read; without an update it is 0, unknown: such
# tags float.
release(image) := image.release if {
	image.release
} else := _release(image.tag, rows[0]) if {
	rows := [row | some row in image.record.java; regex.match(row.tag, image.tag)]
	count(rows) > 0
} else := {}

_release(tag, row) := {
	"feature": to_number(feature),
	"update": max([to_number(u) | some u in ["0", update]; u != ""]),
} if {
	row.release == "tag"
	text := regex.find_all_string_submatch_n(row.tag, tag, 1)[0][1]
	some [_, feature, update] in regex.find_all_string_submatch_n(`^([0-9]+)(?:(?:u|\.0\.)0*([0-9]{1,4}))?$`, text, 1)
} else := {"feature": row.release} if {
	is_number(row.release)
} else := {"least": row.least} if {
	is_number(row.least)
} else := {}

# off_heap_words are properties of programs that size memory outside the heap, or the heap of a JVM that they start.
# They count wherever they stand: in a file's text in a variable, or on a command line. Those of builds count where
# `starts` names a line that the container runs.
off_heap_words := [
	{"name": "page cache", "words": "server.memory.pagecache.size"},
	{"name": "page cache", "words": "dbms.memory.pagecache.size"},
	{"name": "managed memory", "words": "taskmanager.memory.managed.size"},
	{"name": "off-heap memory", "words": "taskmanager.memory.task.off-heap.size"},
	{"name": "off-heap memory", "words": "spark.memory.offHeap.size"},
	{
		"name": "heap of the build's daemon",
		"words": "org.gradle.jvmargs",
		"heap": true,
		"starts": `(?:[^\x01]*/)?gradlew?(?:\x01|$)`,
	},
	{
		"name": "heap of the tests' JVM",
		"words": "-DargLine",
		"heap": true,
		"starts": `(?:[^\x01]*/)?mvnw?\x01(?:[^\x01]*\x01)*(?:test|verify|install|package|deploy)(?:\x01|$)`,
	},
]

# openj9_options are those that only Eclipse OpenJ9 knows.
openj9_options := concat("", [
	`(?:^|\s)-X(?:aot|compressedrefs|dump:|gcpolicy:|gcthreads|jit|mn[sx][0-9]|mo[sx]?[0-9]|nocompressedrefs|quickstart|`,
	`scmx|shareclasses|softmx|tune:|verbosegclog)`,
])

# openj9_names are in the names of its images and folders.
openj9_names := `openj9|semeru|ibm-?java|/ibm/java`

# openj9 says that the JVM of a container is Eclipse OpenJ9 (J14): its known image has it, or its own words say so.
openj9(c) if found[c.id].record.vm == "openj9"

openj9(c) if {
	not known(c)
	some text in _strings(c)
	contains(text, "-X")
	regex.match(openj9_options, text)
}

# The image's name tells it, too, and that of the folder where its java lies.
openj9(c) if {
	some text in _names_of_vendor(c)
	regex.match(openj9_names, text)
}

_strings(c) := {text | text := c.raw.env[_].value; is_string(text)} | {text |
	some field in ["command", "args"]
	some text in process.strings_of(object.get(c.raw, field, []))
}

_names_of_vendor(c) := ({c.raw.image | is_string(c.raw.image)} | {text |
	some e in c.raw.env
	e.name in {"JAVA_HOME", "JRE_HOME"}
	text := e.value
	is_string(text)
}) | {word | some word in words(c); startswith(word, "/")}

# native_images are containers whose program is a GraalVM native image (J16), by id: {sure, evidence}. Those where java
# stands in the command are left out, and so are known images.
native_images := {} if {
	not _perhaps_native
} else := {c.id: shown |
	some c in workload.containers
	not known(c)
	line := process.joined(words(c))
	not regex.match(_names_java, line)
	shown := _native(c, line)
}

# A first look at all containers together.
_perhaps_native if {
	images_of := {text | text := workload.containers[_].raw.image; is_string(text)}
	texts := {text | text := workload.containers[_].raw[["command", "args"][_]][_]; is_string(text)}
	regex.match(`native|-XX:Maximum|-Dquarkus|application`, concat(" ", images_of | texts))
}

_perhaps_native if {
	inside.native(workload.containers[_].raw)
}

_perhaps_native if regex.match(_options, concat(" ", _values_of_options))

_values_of_options := [e.value |
	some c in workload.containers
	some e in c.raw.env
	e.name in _variables_of_options
	is_string(e.value)
]

_names_java := `(?:^|[\s\x01/;&|"'])java(?:$|[\s\x01"'])|\.jar(?:$|[\s\x01"'])|-(?:jar|cp|classpath)[\s\x01]`

_native(c, line) := {"sure": true, "evidence": "its options are those of native images"} if {
	regex.match(_options, line)
} else := {"sure": true, "evidence": "its options are those of native images"} if {
	some value in _carried(c)
	regex.match(_options, value)
} else := {"sure": true, "evidence": "its command is that of Quarkus's native images"} if {
	regex.match(`(?:application|-runner)[\x01\s]`, line)
	starts(c, _quarkus)
} else := {"sure": true, "evidence": "its image was built by a buildpack for native images"} if {
	inside.native(c.raw)
} else := {"sure": false, "evidence": "its image has the word native in its name, and settings of a Java program"} if {
	named_native(c.raw.image)
	_settings_of_java(c, line)
}

# Options that a native image takes, and no HotSpot.
_options := `(?:^|[\s\x01"'])-XX:Maximum(?:HeapSize|YoungGenerationSize)Percent=`

_carried(c) := [e.value | some e in c.raw.env; e.name in _variables_of_options; is_string(e.value)]

_variables_of_options := {"JAVA_ARGS", "JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTS_APPEND", "JVM_OPTS"}

# Dockerfile.native and Dockerfile.native-micro of Quarkus's own templates copy target/*-runner to ./application, which
# is in /work.
# Source: https://quarkus.io/guides/building-native-image
_quarkus := concat("", [
	`(?:(?:\./|/work/)?application\x01(?:.*\x01)?-(?:Dquarkus\.|Xm[nsx]|XX:)|`,
	`(?:[^\x01]*/)?[A-Za-z0-9._-]+-runner\x01(?:.*\x01)?-Dquarkus\.)`,
])

# named_native tells images that say so: app:1.2-native, app-native:1.2. Quarkus, Micronaut and Spring Boot call so what
# they compile ahead.
named_native(image) if {
	is_string(image)
	regex.match(says_native, image)
	not regex.match(says_other_native, image)
}

# The same patterns for the CEL policies.
says_native := `^(?:[^@]*/)?(?:[^/@]*[-._:])?native(?:[-._:][^/@]*)?(?:@|$)`

says_other_native := `^(?:[^@]*/)?[^/@]*(?:cloud|react)-native`

_settings_of_java(_, line) if {
	regex.match(`(?:^|\x01)-(?:X(?:m[nsx]|ss|X:)|D[a-z]+[.])`, line)
	not regex.match(`\.sh(?:$|[\s\x01])`, line)
}

# What the JVM itself reads shows a JVM, whatever the image is called.
_settings_of_java(c, "") if {
	set_names := {name | name := c.raw.env[_].name; is_string(name)}
	set_names & {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"} == set()
	strings.any_prefix_match(set_names, _prefixes_of_java)
}

_prefixes_of_java := {"QUARKUS_", "MICRONAUT_", "SPRING_", "JAVA_OPT", "JVM_OPTS"}
