package headroom.runtime.jvm

import data.headroom.ceiling
import data.headroom.images
import data.headroom.process
import data.headroom.workload

# stopped are programs that refuse their own sizes: Flink's task managers (R71) and Trino's servers (R73).
stopped := array.concat(_flinks, _trinos)

_flinks := [{
	"c": flink.c,
	"path": flink.path,
	"severity": "error",
	"outcome": "certain",
	"message": sprintf("%s + at least %v MiB for Flink and the JVM = %v MiB, and %s is %v MiB.", [
		concat(" + ", [sprintf("%s %v MiB", [name, ceiling.mib(bytes)]) | some name, bytes in flink.said]),
		ceiling.mib(flink.sum - sum([bytes | some bytes in flink.said])),
		ceiling.mib(flink.sum),
		flink.setting,
		ceiling.mib(flink.whole),
	]),
	"why": "Flink refuses such a sum: the task manager ends at the start.",
	"expected": sprintf("%s of %vm%s, or smaller parts", [flink.setting, needs, _flink_limit(flink, needs)]),
	"figures": {"bytes": flink.sum, "whole_bytes": flink.whole},
} |
	some flink in array.concat(_flink_images, _flink_objects)
	count(flink.said) > 0
	flink.sum > flink.whole
	needs := _flink_needs(flink.sizes)
]

# The resource of the operator is the limit, too.
_flink_limit(flink, needs) := sprintf(" and limits.memory of %vMi", [needs]) if {
	flink.setting == "taskmanager.memory.process.size"
	flink.c.memory_limit > 0
	ceiling.mib(flink.c.memory_limit) < needs
} else := ""

# What Flink takes for each part that is not set; of metaspace 1.10 takes this, and later releases more.
_flink_usual := {
	"taskmanager.memory.framework.heap.size": "128m",
	"taskmanager.memory.framework.off-heap.size": "128m",
	"taskmanager.memory.jvm-metaspace.size": "96m",
	"taskmanager.memory.jvm-overhead.min": "192m",
	"taskmanager.memory.managed.size": "0",
	"taskmanager.memory.task.heap.size": "0",
	"taskmanager.memory.task.off-heap.size": "0",
}

_flink(c, whole, sizes) := {
	"c": c,
	"path": whole.path,
	"setting": whole.setting,
	"whole": whole.bytes,
	"sizes": sizes,
	"sum": sum([bytes | some bytes in sizes]),
	"said": {name: bytes |
		some name, bytes in sizes
		bytes != _amount(_flink_usual[name], "")
	},
}

_flink_images := [_flink(c, {"path": whole.path, "setting": part.setting, "bytes": whole.bytes}, sizes) |
	some c in workload.containers
	image := images.found[c.id]
	some part in image.record.plans
	part.setting == "taskmanager.memory.process.size"
	holds(c, image, part.when)
	whole := _planned(c, part)
	sizes := {name: _flink_part(c, object.union(part, {"setting": name, "default": usual})) |
		some name, usual in _flink_usual
	}
	count(sizes) == count(_flink_usual)
]

_flink_part(c, part) := _planned(c, part).bytes if {
	_planned(c, part)
} else := _amount(part["default"], "") if {
	_added(c, part)
	some file in part.files
	not _setting_in(part.setting, process.mounted(c, file).text)
	process.mounted(c, file).text
}

# The operator makes the whole of the memory of the resource.
_flink_objects := [_flink(c, whole, sizes) |
	workload.kind == "FlinkDeployment"
	settings := workload.manifest.spec.flinkConfiguration
	every value in settings {
		not is_object(value)
	}
	some c in workload.containers
	c.name == "taskmanager"
	workload.manifest.spec.taskManager.resource.memory
	c.memory_limit > 0
	whole := {"path": ceiling.resources(c), "setting": "taskManager.resource.memory", "bytes": c.memory_limit}
	sizes := {name: _amount(sprintf("%v", [object.get(settings, name, usual)]), "") | some name, usual in _flink_usual}
	count(sizes) == count(_flink_usual)
]

# A process of so many MiB has room for the parts, 64 MiB of network, 256 of metaspace and a tenth, at most 1 GiB, for
# the JVM.
_flink_needs(sizes) := ceil(max([parts + least, min([parts / 0.9, parts + 1073741824])]) / 67108864) * 64 if {
	least := sizes["taskmanager.memory.jvm-overhead.min"]
	metaspace := sizes["taskmanager.memory.jvm-metaspace.size"]
	others := sum([bytes | some bytes in sizes]) - (least + metaspace)
	parts := (others + 67108864) + max([metaspace, 268435456])
}

_trinos := [{
	"c": j.c,
	"path": array.concat(j.c.path, ["volumeMounts"]),
	"severity": certainty(j),
	"outcome": "certain",
	"message": sprintf("query.max-memory-per-node %v MiB + %s %v MiB is more than the heap of %v MiB.", [
		ceiling.mib(query),
		kept.words,
		ceiling.mib(kept.bytes),
		ceiling.mib(j.heap.bytes),
	]),
	"why": "Trino refuses such a sum and ends at the start.",
	"expected": sprintf("query.max-memory-per-node of at most %vMB, or a larger heap", [
		max([0, ceiling.mib(j.heap.bytes - kept.bytes)]),
	]),
	"figures": {"bytes": query + kept.bytes, "heap_bytes": j.heap.bytes},
} |
	some j in jvms
	images.found[j.c.id].name == "trinodb/trino"
	j.heap.bytes > 0
	text := process.mounted(j.c, "/etc/trino/config.properties").text
	query := _trino_size(text, "query.max-memory-per-node")
	kept := _trino_kept(text, j.heap.bytes)
	query + kept.bytes > j.heap.bytes
]

_trino_kept(text, heap) := {"words": _trino_headroom, "bytes": _trino_size(text, _trino_headroom)} if {
	contains(text, _trino_headroom)
} else := {"words": "30 % of the heap that it keeps free", "bytes": round(heap * 0.3)}

_trino_headroom := "memory.heap-headroom-per-node"

_trino_size(text, setting) := _amount(found[count(found) - 1][1], "") if {
	line := concat("", [`(?m)^[ \t]*`, _escaped(setting), `[ \t]*=[ \t]*(\S+)`])
	found := regex.find_all_string_submatch_n(line, text, -1)
}
