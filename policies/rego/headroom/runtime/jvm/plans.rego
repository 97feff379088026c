package headroom.runtime.jvm

import data.headroom.ceiling
import data.headroom.images
import data.headroom.process
import data.headroom.workload

# ceilings are programs that share out a size among heap, direct memory, metaspace and more (`plans` of an image), where
# that is more than the memory limit. As much as the limit is what their manuals ask for (R71).
ceilings := [{
	"c": c,
	"sure": false,
	"path": planned.path,
	"terms": [{"text": planned.text, "bytes": planned.bytes, "sure": false}],
	"before": sprintf("%s fills what it planned", [part.name]),
	"expected": _wanted(c, part, planned),
} |
	some c in workload.containers
	c.memory_limit > 0
	image := images.found[c.id]
	some part in image.record.plans
	holds(c, image, object.get(part, "when", {}))
	planned := _planned(c, part)
	_reaches(part, planned.bytes, c.memory_limit)
]

_reaches(_, bytes, limit) if bytes > limit

_reaches(part, limit, limit) if part.instead

# What says less than the whole, `instead` says in full: metaspace and more come on top of it.
_wanted(c, part, planned) := sprintf("%s: %vm in place of it, as much as limits.memory", [
	part.instead,
	ceiling.mib(c.memory_limit),
]) if {
	part.instead
} else := sprintf("%s: %vm, as much as limits.memory, or limits.memory of %s", [
	part.setting,
	ceiling.mib(c.memory_limit),
	ceiling.limit_for(planned.bytes, 1),
])

# The variable is added to the file, and the command line wins over both.
_planned(c, part) := _plan(part, found, ceiling.resources(c), "command line") if {
	found := _setting_in(part.setting, concat("\n", images.words(c)))
} else := _plan(part, found, setting.path, part.variable) if {
	setting := process.arrived(images.last_call(c), part.variable)
	setting.state == "literal"
	found := _setting_in(part.setting, setting.value)
} else := _plan(part, first.found, ceiling.resources(c), first.file) if {
	_added(c, part)

	# Of two files Flink reads the older one, as long as it knows that.
	first := [{"file": file, "found": found} |
		some file in part.files
		found := _setting_in(part.setting, process.mounted(c, file).text)
	][0]
} else := _plan(part, part["default"], ceiling.resources(c), "the image's default") if {
	_added(c, part)
	every file in part.files {
		not process.mounted(c, file)
	}
}

# What a variable that cannot be seen adds is not known.
_added(c, part) if process.arrived(images.last_call(c), part.variable).state in {"absent", "literal"}

# A line that begins with # says nothing. Of several the last counts.
_setting_in(setting, text) := found[count(found) - 1][1] if {
	found := regex.find_all_string_submatch_n(concat("", [_begins, _escaped(setting), _assigned]), text, -1)
}

# A setting begins a line, each word of a command being one, or stands behind -D.
_begins := `(?m)(?:^[ \t]*|(?:^|\s)-D)`

_plan(part, size, path, source) := {
	"bytes": bytes,
	"path": path,
	"text": sprintf("%s plans to take %v MiB (%s, %s)", [part.name, ceiling.mib(bytes), part.setting, source]),
} if {
	bytes := _amount(size, "")
}
