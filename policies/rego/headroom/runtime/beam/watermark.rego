package headroom.runtime.beam

import data.headroom.ceiling
import data.headroom.environment
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
	texts := [groups[1] |
		some file in ["/etc/rabbitmq/rabbitmq.conf", "/etc/rabbitmq/conf.d/10-defaults.conf"]
		some groups in regex.find_all_string_submatch_n(_absolute, serving.file(c, file), -1)
	]
	text := texts[count(texts) - 1]
	_bytes(text)
}

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
