# METADATA
# title: Native images
# description: |
#   Java programs that GraalVM has compiled ahead, as Quarkus, Micronaut and Spring Boot do. Shown by the annotation, by
#   options that only native images take, by the command of Quarkus's images or by the buildpack (J16). Nothing of
#   HotSpot is in them: their heap is held against the memory limit, and flags in variables are told, as none is read.
package headroom.runtime["native-image"]

import data.headroom.ceiling
import data.headroom.images
import data.headroom.process
import data.headroom.registry
import data.headroom.words
import data.headroom.workload

about := {
	"words": "a native image (GraalVM)",
	"aliases": ["graalvm-native", "quarkus-native", "substratevm"],
	"bursts": "requests on several threads",
	"category": "jvm",
}

found := {id: shown |
	some id, shown in images.native_images
	not registry.declared[workload.containers[id].name]
	not process.only_utilities(images.words(workload.containers[id]))
}

_containers := [{"c": c, "sure": sure} |
	some c in workload.containers
	sure := _sure(c)
]

_sure(c) if registry.declared[c.name][0] == "native-image"

_sure(c) := found[c.id].sure if not registry.declared[c.name]

# ceilings are heaps that a flag sizes. -Xmx goes before a share of the limit, and the last of several counts. Without a
# flag it is 80 % of the limit, or 25 % with G1, which no manifest shows.
ceilings := [{
	"c": c,
	"sure": one.sure,
	"path": heap.path,
	"terms": [{
		"text": sprintf("The heap of the native image may take %v MiB (%s)", [ceiling.mib(heap.bytes), heap.option]),
		"bytes": heap.bytes,
		"sure": true,
	}],
	"before": "the program throws an OutOfMemoryError",
	"expected": sprintf("-Xmx%vm (75 %% of limits.memory), or %s", [
		ceiling.room(c.memory_limit, _share, 0),
		_instead(heap),
	]),
} |
	some one in _containers
	c := one.c
	heap := _heap(c)
]

# What a collection copies comes on top of the heap (J16).
_share := 0.75

# A share of a larger limit is larger, too.
_instead(heap) := sprintf("-XX:MaximumHeapSizePercent=%v", [_share * 100]) if {
	heap.share
} else := sprintf("limits.memory of %s", [ceiling.limit_for(heap.bytes, _share)])

_heap(c) := _last(sizes) if {
	sizes := [{"bytes": bytes, "option": said.option, "path": said.path} |
		some said in _said(c, `(?:^|[\s"'])(-Xmx|-XX:MaxHeapSize=)([0-9]+[kKmMgGtT]?)(?:$|[\s"'])`)
		bytes := ceiling.size(said.value)
	]
	count(sizes) > 0
} else := _last(shares) if {
	shares := [{
		"bytes": (c.memory_limit * to_number(said.value)) / 100,
		"option": said.option,
		"path": said.path,
		"share": true,
	} |
		some said in _said(c, `(?:^|[\s"'])(-XX:MaximumHeapSizePercent=)([0-9]{1,3})(?:$|[\s"'])`)
	]
	count(shares) > 0
}

_last(list) := list[count(list) - 1]

_said(c, pattern) := [{
	"option": concat("", [groups[1], groups[2]]),
	"value": groups[2],
	"path": array.concat(c.path, [field, i]),
} |
	some field in ["command", "args"]
	some i, word in c.raw[field]
	is_string(word)
	some groups in regex.find_all_string_submatch_n(pattern, process.expand(c, word), -1)
]

# unread are variables with flags that have no effect: a native image reads none, and no part of a command that is
# visible takes them in.
unread := [{
	"c": one.c,
	"path": variable.path,
	"message": sprintf("%s holds flags (%s), but a native image reads no such variable: they have no effect.", [
		name,
		words.shown(flag),
	]),
	"expected": "the flags behind the program, in command or args",
} |
	some one in _containers
	one.sure
	one.c.raw.command[0]
	line := process.joined(images.words(one.c))
	not regex.match(_script, line)
	some name in _variables_of_jvms
	not contains(line, name)
	variable := process.variable(one.c, name)
	variable.state == "literal"
	flag := trim_space(regex.find_n(_flag, variable.value, 1)[0])
]

# Of a property the name alone: its value may be a secret.
_flag := `(?:^|\s)-(?:X[A-Za-z:+0-9-]+|D[A-Za-z][A-Za-z0-9._-]*|javaagent)`

# A script may take in any variable.
_script := `\.sh(?:$|[\s\x01;])|entrypoint`

_variables_of_jvms := {
	"JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTS_APPEND", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JVM_OPTS", "_JAVA_OPTIONS",
}
