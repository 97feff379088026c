# METADATA
# title: Memory-backed volume without a size that fits
# description: |
#   Files of an emptyDir with `medium: Memory` are memory of the container that writes them, and count against its
#   limit. They stay after the program that wrote them has ended, and no garbage collection frees them. Without a
#   sizeLimit the volume may take all of the Pod's memory limits. That is an info. A sizeLimit which leaves a container
#   less than the heap of its JVM is a warning, and so is one of the limit or more.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
#   description: emptyDir, medium and sizeLimit
# custom:
#   id: HR309
#   severity: warning
#   harm: OOMKilled
#   facts: [M11]
#   fixable: false
#   remediation: |
#     Set sizeLimit to what is written there, and add as much to limits.memory of the containers that mount the volume.
#     A program that writes more then gets "no space left on device" in place of being OOMKilled.
package headroom.rules.memory["memory-volume"]

import data.headroom.ceiling
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some mounted in _mounted
	not mounted.volume.emptyDir.sizeLimit
	finding := {
		"container": mounted.c.name,
		"path": ceiling.resources(mounted.c),
		"message": sprintf("Volume %s is memory (medium: Memory) without a sizeLimit. Its files count as memory of %s.", [
			words.shown(mounted.volume.name),
			"the container that writes them",
		]),
		"why": sprintf("They may take all of limits.memory (%v MiB), and the container is OOMKilled then.", [
			ceiling.mib(mounted.c.memory_limit),
		]),
		"expected": sprintf("a sizeLimit of what is written to %s, and as much more in limits.memory", [
			words.shown(mounted.path),
		]),
		"figures": {"limit_bytes": mounted.c.memory_limit},
		"severity": "info",
	}
}

report contains finding if {
	some id in {mounted.c.id | some mounted in _mounted}
	c := workload.containers[id]
	sized := {mounted.volume.name: bytes |
		some mounted in _mounted
		mounted.c.id == id
		bytes := quantity.bytes(mounted.volume.emptyDir.sizeLimit)
		bytes > 0
	}
	count(sized) > 0
	volumes := sum([bytes | some bytes in sized])
	heap := _heap(c)
	volumes + heap >= c.memory_limit
	finding := {
		"container": c.name,
		"path": ceiling.resources(c),
		"message": sprintf("Memory-backed volumes (%s) may take %v MiB%s, and limits.memory is %v MiB.", [
			words.listed(sort(object.keys(sized))),
			ceiling.mib(volumes),
			_beside(heap),
			ceiling.mib(c.memory_limit),
		]),
		"why": "Files in them count as memory of the container that writes them: when they are full, it is OOMKilled.",
		"expected": sprintf("limits.memory of what the program takes and %v MiB, or a smaller sizeLimit", [
			ceiling.mib(volumes),
		]),
		"figures": {"volumes_bytes": volumes, "heap_bytes": heap, "limit_bytes": c.memory_limit},
		"severity": "warning",
	}
}

# _mounted are the memory-backed volumes that a container with a memory limit may write to.
_mounted := [{"c": c, "volume": volume, "path": mount.mountPath} |
	some c in workload.containers
	c.memory_limit > 0
	some volume in c.beside.volumes
	volume.emptyDir.medium == "Memory"
	is_string(volume.name)
	mount := [mount |
		some mount in c.raw.volumeMounts
		mount.name == volume.name
		is_string(mount.mountPath)
		not mount.readOnly == true
	][0]
]

# The heap of a JVM that is sure, 0 for all else.
_heap(c) := j.heap.bytes if {
	some j in jvm.jvms
	j.c.id == c.id
	j.sure
	j.heap.bytes < c.memory_limit
} else := 0

_beside(0) := ""

_beside(heap) := sprintf(" beside a heap of %v MiB", [ceiling.mib(heap)]) if heap > 0
