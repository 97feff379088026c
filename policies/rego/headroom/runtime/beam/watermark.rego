package headroom.runtime.beam

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.images
import data.headroom.registry
import data.headroom.serving
import data.headroom.workload

# RabbitMQ's own default is 60 % of what it sees (R44).
_watermark_share := 0.6

# ceilings are the sizes at which RabbitMQ stops its publishers. It may need as much again before that works.
ceilings := [{
	"c": c,
	"sure": true,
	"path": mark.path,
	"terms": [{
		"text": sprintf("RabbitMQ stops its publishers at %v MiB (%s)", [ceiling.mib(mark.bytes), mark.name]),
		"bytes": mark.bytes,
		"sure": true,
	}],
	"before": "it stops them",
	"expected": sprintf("%s of at most %vMiB (60 %% of limits.memory), or limits.memory of %s", [
		mark.name,
		ceiling.room(c.memory_limit, _watermark_share, 0),
		ceiling.limit_for(mark.bytes, _watermark_share),
	]),
} |
	some c in workload.containers
	c.role != "init"
	mark := _watermark(c)
]

_watermark(c) := {"bytes": _bytes(setting.text), "name": "RABBITMQ_VM_MEMORY_HIGH_WATERMARK", "path": setting.path} if {
	setting := environment.setting(c, "RABBITMQ_VM_MEMORY_HIGH_WATERMARK")
	setting.state == "literal"
	_bytes(setting.text)
} else := {"bytes": _bytes(text), "name": _key, "path": array.concat(c.path, ["image"])} if {
	serving.served[c.id].runtime == "beam"
	texts := _told(c, _absolute)
	text := texts[count(texts) - 1]
	_bytes(text)
}

# refused are watermarks that are a share of what RabbitMQ takes for its memory: the node's, not the container's (R44).
refused := [{
	"c": c,
	"path": share.path,
	"message": sprintf("RabbitMQ's memory watermark is %v %% of the memory that it sees (%s).", [
		share.percent,
		share.name,
	]),
	"why": concat(" ", [
		"It may see the node's, as it seldom reads cgroups: it then blocks publishers only far above",
		sprintf("limits.memory of %v MiB, and is OOMKilled.", [ceiling.mib(c.memory_limit)]),
	]),
	"expected": concat(" ", [
		sprintf("vm_memory_high_watermark.absolute = %vMiB (60 %% of limits.memory), or", [
			ceiling.room(c.memory_limit, _watermark_share, 0),
		]),
		sprintf("total_memory_available_override_value = %vMiB with the share", [ceiling.mib(c.memory_limit)]),
	]),
	"percent": share.percent,
	"severity": share.severity,
} |
	some c in workload.containers
	c.role != "init"
	c.memory_limit > 0
	not _watermark(c)
	share := _share(c)
]

# What somebody has set is a warning. What a release does by itself is an info: a file that is not seen may say more.
_share(c) := {
	"percent": _percent(setting.text),
	"name": concat("", ["RABBITMQ_VM_MEMORY_HIGH_WATERMARK=", setting.text]),
	"path": setting.path,
	"severity": "warning",
} if {
	setting := environment.setting(c, "RABBITMQ_VM_MEMORY_HIGH_WATERMARK")
	setting.state == "literal"
	_percent(setting.text)
	not _overridden(c)
} else := {
	"percent": _percent(text),
	"name": concat(" ", [_relative_key, "=", text]),
	"path": array.concat(c.path, ["volumeMounts"]),
	"severity": "warning",
} if {
	serving.served[c.id].runtime == "beam"
	texts := _told(c, _relative)
	text := texts[count(texts) - 1]
	_percent(text)
	not _overridden(c)
} else := {
	"percent": _usual(c),
	"name": "its default",
	"path": array.concat(c.path, ["image"]),
	"severity": "info",
} if {
	registry.imaged[c.id].image == "rabbitmq"
	not _has_files(c)
	environment.setting(c, "RABBITMQ_VM_MEMORY_HIGH_WATERMARK").state == "absent"
	environment.hidden(c) == []
}

_has_files(c) if {
	some mount in c.raw.volumeMounts
	is_string(mount.mountPath)
	startswith(mount.mountPath, "/etc/rabbitmq")
}

# 60 % from 4.0 on.
_usual(c) := 40 if regex.match(`^3(?:[.-]|$)`, images.reference(c.raw.image).tag)

else := 60

# Where it is told how much memory there is, a share is one of that.
_overridden(c) if count(_told(c, _total)) > 0

# _files are the texts of what RabbitMQ reads in its order, as far as ConfigMaps of the same input hold them.
_files(c) := array.concat(
	[text | text := serving.file(c, "/etc/rabbitmq/rabbitmq.conf")],
	[text | some path in sort(object.keys(parts)); text := parts[path]],
) if {
	parts := serving.files(c, "/etc/rabbitmq/conf.d")
}

_told(c, pattern) := [groups[1] |
	some text in _files(c)
	some groups in regex.find_all_string_submatch_n(pattern, text, -1)
]

_percent(text) := round(to_number(text) * 100) if {
	regex.match(`^(?:0?\.[0-9]{1,6}|1(?:\.0{1,6})?)$`, text)
	to_number(text) > 0
}

_relative_key := "vm_memory_high_watermark.relative"

_relative := `(?m)^[ \t]*vm_memory_high_watermark\.relative[ \t]*=[ \t]*([0-9.]{1,9})[ \t]*(?:#.*)?$`

_total := `(?m)^[ \t]*total_memory_available_override_value[ \t]*=[ \t]*([0-9]{1,15}[A-Za-z]{0,3})[ \t]*(?:#.*)?$`

_key := "vm_memory_high_watermark.absolute"

_absolute := `(?m)^[ \t]*vm_memory_high_watermark\.absolute[ \t]*=[ \t]*([0-9]{1,12}[A-Za-z]{0,3})[ \t]*(?:#.*)?$`

# A number with a unit: kB and KB are 1000 in RabbitMQ's own reading, KiB 1024; a share has a dot and no unit.
_bytes(text) := to_number(groups[1]) * _units[lower(groups[2])] if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,12})([A-Za-z]{0,3})$`, text, 1)[0]
	to_number(groups[1]) * _units[lower(groups[2])] > 0
}

_units := {
	"": 1,
	"k": 1024, "ki": 1024, "kib": 1024, "kb": 1000,
	"m": 1048576, "mi": 1048576, "mib": 1048576, "mb": 1000000,
	"g": 1073741824, "gi": 1073741824, "gib": 1073741824, "gb": 1000000000,
}
