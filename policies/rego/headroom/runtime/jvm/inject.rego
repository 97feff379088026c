package headroom.runtime.jvm

import data.headroom.config
import data.headroom.cpu
import data.headroom.inside
import data.headroom.process
import data.headroom.workload

# injectable says whether flags may be written for a JVM: behind java in the manifest's own command, else in front of
# JAVA_TOOL_OPTIONS. It takes a sure JVM, no source of flags that cannot be read, and a release that has them.
default injectable(_) := false

injectable(j) if {
	_all_is_read(j)
	takes_flags(j)
	_has_place(j)
}

_all_is_read(j) if {
	j.sure
	not j.secret
	not words_filled_in(j)
}

# injectable_once_read says that flags are not written since the image was not read, and for no other reason. What is in
# it tells the release, where nothing else does.
injectable_once_read(j) if {
	not image_read(j.c)
	_all_is_read(j)
	_takes_flags_once_read(j)
	_has_place_once_read(j)
}

_takes_flags_once_read(j) if takes_flags(j)

_takes_flags_once_read(j) if count(told_releases(j)) == 0

_has_place_once_read(j) if behind_java(j)

_has_place_once_read(j) if {
	_variable_is_free(j)
	not reads_output(j.c)
}

_has_place(j) if behind_java(j)

_has_place(j) if in_variable(j)

# in_variable says whether flags may be put in front of JAVA_TOOL_OPTIONS. The variable stands in the manifest as plain
# text, or is known not to, and what the image has in it is known. Behind a Secret or ConfigMap, an env entry would
# replace what is there.
in_variable(j) if {
	_variable_is_free(j)
	_nothing_lost(j)
}

_variable_is_free(j) if {
	not _kept_from_java(j.script)
	not _replaced(j)
	_may_arrive(j)
	_may_arrive_whole(j)
	not passed_on(j)
	_own_text(object.get(j.variables, "JAVA_TOOL_OPTIONS", {"state": "absent"}))
}

# A new variable takes the place of the image's, and java tells of it on its output.
_nothing_lost(j) if _in_manifest(j)

_nothing_lost(j) if {
	image_read(j.c)
	not reads_output(j.c)
}

# Where the manifest sets the variable, the image's is gone anyway, and java tells of it already.
_in_manifest(j) if {
	path := j.variables.JAVA_TOOL_OPTIONS.path
	path[count(path) - 1] == "value"
	path[count(path) - 2] < object.get(j.c.raw, ["inside", "env"], 100000)
}

# No wrapper or script is seen to take the variable away, or to set it.
_may_arrive(j) if {
	not takes_away(j.c)
	every call in array.concat([j.call], object.get(j.command, "others", [])) {
		_arrives(call)
	}
}

# counts_for_sure says that a JVM will not count the node's cores.
counts_for_sure(j) if {
	j.flags.ActiveProcessorCount
	surely_arrives(j)
}

counts_for_sure(j) if {
	j.flags.ActiveProcessorCount.source == "command line"
	behind_java(j)
}

_arrives(call) if {
	not call.emptied
	not call.through
	count(call.hides) == 0
	not "JAVA_TOOL_OPTIONS" in object.keys(call.set)
}

# What the image sets goes with them, and may be known in part only.
_may_arrive_whole(j) if not contains(object.get(j.variables, ["JAVA_TOOL_OPTIONS", "value"], ""), inside.redacted)

_kept_from_java(script) if "JAVA_TOOL_OPTIONS" in script.image.record.unsets

_kept_from_java(script) if script.image.record.drops_environment

# An entry of the manifest would take the place of what the image itself sets.
_replaced(j) if {
	not j.variables.JAVA_TOOL_OPTIONS
	some part in j.script.image.record.line
	part.variable == "JAVA_TOOL_OPTIONS"
	part["default"]
}

_own_text(found) if found.state == "absent"

_own_text(found) if {
	found.state == "literal"
	found.path[count(found.path) - 1] == "value"
	not process.unmatched(found.value)
}

# passed_on says that the command, a probe or another variable mentions JAVA_TOOL_OPTIONS, which is part of something
# else then: `java $(JAVA_TOOL_OPTIONS)` would get several flags in one argument.
passed_on(j) if {
	some text in array.concat(process.strings_of(object.get(j.c.raw, "command", [])), process.args(j.c))
	contains(text, "JAVA_TOOL_OPTIONS")
}

# The kubelet fills it in there too, and a probe that fails gets the container killed.
passed_on(j) if {
	some hook in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]
	contains(json.marshal(j.c.raw[hook]), "JAVA_TOOL_OPTIONS")
}

passed_on(j) if {
	value := j.c.raw.env[_].value
	is_string(value)
	contains(value, "JAVA_TOOL_OPTIONS")
}

# has_room says whether that many more characters and options still reach Java 8, which may
# be what runs: it reads 1,023 bytes and 64 options of a variable.
has_room(j, _) if behind_java(j)

has_room(j, added) if {
	not j.version in {0, 8}
	is_array(added)
}

has_room(j, added) if {
	text := object.get(j.variables, ["JAVA_TOOL_OPTIONS", "value"], "")
	all := concat(" ", array.concat(added, [text]))
	count(hex.encode(all)) < 2048 # two digits a byte
	count(process.words(all)) <= 64
}

# requested are the caps that may be set: those of the config and of
# inject.headroom.dev/<container>.
requested(j) := {name | some name in config.settings.jvm.inject} | {name |
	some part in split(_asked(j), ",")
	name := trim_space(part)
}

_asked(j) := value if {
	value := workload.annotations[concat("", ["inject.headroom.dev/", j.container])]
	is_string(value)
} else := ""

# may_inject says whether all of these flags may be injected.
default may_inject(_, _) := false

may_inject(j, added) if {
	injectable(j)
	has_room(j, added)
	fits_hidden(j, added)
}

# flag_path is where a flag that is missing would go: beside the others in
# JAVA_TOOL_OPTIONS, else among the container's variables.
flag_path(j) := j.variables.JAVA_TOOL_OPTIONS.path

flag_path(j) := array.concat(j.c.path, ["env"]) if not j.variables.JAVA_TOOL_OPTIONS

# blind is true if a variable that the JVM itself reads, or a part of its command line, cannot be
# read. Then no default may be taken for what it has. What a file of options may hold is told with each finding.
default blind(_) := false

blind(j) if {
	some u in j.unknown
	u.unreadable
	u.what != "envFrom"
	not u.why in ({_long_file} | {_hiding[pattern].why | some pattern in _in_files})
}

# cores are those of a JVM's container, once HR202 has had its way; 0 where neither limit nor average
# nor the JVM's own count tells.
cores(j) := cpu.cores_of(c) if {
	c := cpu.without_limit(j.c)
	max([c.cpu_limit, cpu.average[c.id].milli]) > 0
} else := cpu.cores_of(c) if {
	c := cpu.without_limit(j.c)
	c.lost_limit > 0
	not j.flags.ActiveProcessorCount
} else := j.processors

# passing_size says that only a limit sizes a JVM that HR202 wants away.
passing_size(j) if {
	cpu.loses_limit(j.c)
	not j.flags.ActiveProcessorCount
}

# wanted_processors is what ActiveProcessorCount should be (J3); without limit and known use, the least that it may.
wanted_processors(j) := max([cpu.least_cores(j.c), cores(j)]) if cpu.without_limit(j.c).cpu_limit <= 0

wanted_processors(j) := cores(j) if cpu.without_limit(j.c).cpu_limit > 0

# heap_is_scripts is true where a program's own start script sets the heap, out of sight.
default heap_is_scripts(_) := false

heap_is_scripts(j) if {
	not j.heap.set
	not j.sure
	not jdk_image(object.get(j.c.raw, "image", ""))
	not j.visible
}

# Paketo's launcher works out the heap, and these are its settings.
heap_is_scripts(j) if {
	not j.heap.set
	not j.command.java
	some e in j.c.raw.env
	is_string(e.name)
	regex.match(of_calculator, e.name)
}

# The same pattern for the CEL policies.
of_calculator := `^BPL_(?:JVM|JAVA|JMX|DEBUG|SPRING)_`

# unread is true if an unread start script decides: what no flag in the manifest
# says is not known then, and no default of the JVM is taken for it.
default unread(_) := false

unread(j) if {
	not j.sure
	not j.visible
	j.script == {}
	not jdk_image(object.get(j.c.raw, "image", ""))
}

# gc_known says whether the collector is known, by a flag or as the JVM's own choice.
default gc_known(_) := true

gc_known(j) := false if {
	unread(j)
	count(j.chosen) == 0
}
