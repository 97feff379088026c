# METADATA
# title: OpenJ9
# description: |
#   JVMs of Eclipse OpenJ9 (IBM Semeru). Shown by the annotation, by the image or by options that only OpenJ9 knows
#   (J14). Its flags and defaults are its own: of what is known of HotSpot nothing is applied. Its -Xmx is held against
#   the memory limit.
package headroom.runtime.openj9

import data.headroom.ceiling
import data.headroom.images
import data.headroom.process
import data.headroom.registry
import data.headroom.workload

about := {
	"words": "a JVM (OpenJ9)",
	"aliases": ["semeru"],
	"bursts": "garbage collection, JIT compilation and requests on several threads",
	"images": ["ibm-semeru-runtimes", "open-liberty", "websphere-liberty"],
	"variables": ["JAVA_TOOL_OPTIONS", "OPENJ9_JAVA_OPTIONS", "IBM_JAVA_OPTIONS", "JVM_ARGS"],
}

found := {c.id: {"sure": true, "evidence": "its image or its options are those of OpenJ9"} | some c in _containers}

_containers := [c |
	some c in workload.containers
	object.get(registry.declared, c.name, ["openj9"])[0] == "openj9"
	_shown(c)
	not process.only_utilities(images.words(c))
]

_shown(c) if registry.declared[c.name]

_shown(c) if images.openj9(c)

# ceilings are heaps that a flag sizes. The command line wins over variables; of variables that differ none counts. A
# variable is sure in an image that is known: the start script of another may set a heap behind it.
ceilings := [{
	"c": c,
	"sure": heap.sure,
	"path": heap.path,
	"terms": [{
		"text": sprintf("OpenJ9's heap may take %v MiB (-Xmx%s)", [ceiling.mib(heap.bytes), heap.text]),
		"bytes": heap.bytes,
		"sure": true,
	}],
	"before": "Java throws an OutOfMemoryError",
	"expected": sprintf("-Xmx%vm, which OpenJ9 takes of this limit by itself, or limits.memory of %s", [
		ceiling.mib(own_heap(c.memory_limit)),
		ceiling.limit_for(heap.bytes, 0.75),
	]),
} |
	some c in _containers
	heap := _heap(c)
]

_heap(c) := said[count(said) - 1] if {
	said := [heap |
		some field in ["command", "args"]
		some i, word in c.raw[field]
		heap := _last(word, array.concat(c.path, [field, i]), true)
	]
	count(said) > 0
} else := heaps[0] if {
	heaps := [heap |
		some name in _variables(c)
		variable := process.arrived(images.last_call(c), name)
		variable.state == "literal"
		heap := _last(variable.value, variable.path, _known(c))
	]
	count({heap.bytes | some heap in heaps}) == 1
}

default _known(_) := false

_known(c) if images.known(c)

# The JVM itself reads these; others are read by the script of an image that is known.
_variables(c) := {"JAVA_TOOL_OPTIONS", "OPENJ9_JAVA_OPTIONS", "IBM_JAVA_OPTIONS"} | {part.variable |
	some part in images.found[c.id].record.line
}

_last(text, path, sure) := {"text": size, "bytes": bytes, "path": path, "sure": sure} if {
	sizes := regex.find_all_string_submatch_n(`(?:^|\s)-Xmx([0-9]+[kKmMgG]?)\b`, text, -1)
	size := sizes[count(sizes) - 1][1]
	bytes := ceiling.size(size)
}

# own_heap is the heap in bytes that OpenJ9 takes of a memory limit in bytes without a flag, at most 25 GiB.
# Source: https://eclipse.dev/openj9/docs/xxusecontainersupport/
own_heap(limit) := limit / 2 if limit < _gibi

own_heap(limit) := limit - (_gibi / 2) if {
	limit >= _gibi
	limit <= 2 * _gibi
}

own_heap(limit) := min([(limit * 3) / 4, 25 * _gibi]) if limit > 2 * _gibi

_gibi := 1073741824
