package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# jvms has one record for each container that surely or probably runs a JVM; where its command starts several, of the
# server:
#   c, container, sure, evidence   the container, and why it is taken for a JVM
#   call                           how the environment arrives (commandline.rego)
#   version                        declared feature release, 0 where none is
#   release                        with its update, {feature, update}, as far as it is known
#   facts, seen                    what jvm.headroom.dev/<container> says, or the JVM itself; the keys that it told
#   visible                        the command names java, and nothing of it is filled in later
#   variables, command, sources    where flags come from; the later source is the stronger
#   unknown, secret                where a flag may hide; secret: and it can never be read
#   flags, numbers                 each flag that wins, {value, source, path}, and its number
#   gc, processors, …              what the JVM makes of it
#   startup                        what keeps it from starting (startup.rego)
jvms := [object.union(jvm, {"startup": _refused(jvm)}) | some jvm in _models; jvm.main]

# others are those that a container's command starts beside that one.
others := [object.union(jvm, {"startup": _refused(jvm)}) | some jvm in _models; not jvm.main]

# What a branch of a script starts may never run.
_refused(jvm) := startup(jvm) if object.get(jvm.command, "certain", true)

_refused(jvm) := [] if not object.get(jvm.command, "certain", true)

certain_others := [j | some j in others; j.command.certain]

# judged are the JVMs that run beside each other; of an init container, and of what a script starts beside its
# server, only HR304, HR401 and HR409 speak.
judged := [jvm | some jvm in jvms; jvm.c.role != "init"]

_models := [object.union(_seen(derived, model), model) |
	some model in _seen_models
	derived := _derived(model.c, model.flags, model.sources, model.version)
]

_seen_models := [{
	"c": c,
	"container": c.name,
	"sure": d.sure,
	"evidence": d.evidence,
	"facts": facts,
	"seen": {key | some key, _ in seen},
	"version": feature,
	"release": object.get(facts, "version", _release_by_tag(c)),
	"least_version": object.get(release, "least", 0),
	"command": command,
	"call": d.call,
	"main": d.main,
	"script": script,
	"variables": variables,
	"sources": sources,
	"unknown": unknown,
	"secret": count([u | some u in unknown; u.unreadable]) > 0,
	"visible": _visible(command, unknown),
	"flags": flags,
} |
	some d in detected
	c := d.c
	command := d.command
	script := d.script
	release := _release_of(c)
	seen := seen_of(c.name)
	facts := object.union_n([_fact_of_tag(release), facts_of_image(c.raw), facts_of(c.name), seen])
	feature := object.get(facts, ["version", "feature"], object.get(release, "feature", 0))
	variables := {name: process.arrived(d.call, name) | some name in d.carried}
	sources := with_option_files(c, sources_of(c, command, script, variables, feature))
	unknown := unknown_of(c, command, script, variables, sources)
	flags := object.union(_switched_off(c, facts), with_old_names(effective(flags_of(sources), feature), feature))
]

# _release is what the tag of a known image says of Java.
_release_of(c) := images.release(images.found[c.id])

_release_of(c) := {} if not images.found[c.id]

# An image that is called as JDKs are says it too, but is not surely one: that only keeps flags from it.
_release_by_tag(c) := release if {
	image_name(c.raw.image) in _called_as_jdks
	release := version_of(images.reference(c.raw.image).tag)
} else := {}

_called_as_jdks := {"java", "jdk", "jre", "openjdk", "server-jre", "zulu-openjdk"}

# _fact_of_tag is the release that the tag of a JDK's own image names.
_fact_of_tag(release) := {"version": release} if {
	is_number(release.update)
} else := {}

# _switched_off is container support of a release that has none: such a JVM does what others do without it.
_switched_off(c, facts) := {"UseContainerSupport": {
	"value": "-",
	"source": lacks_container_support(facts.version),
	"path": array.concat(c.path, ["image"]),
}} if {
	lacks_container_support(facts.version)
} else := {}

# _seen takes back the heap that the JVM would choose where a script sets another, out of sight, or may.
_seen(derived, model) := object.union(derived, {"heap": {
	"bytes": 0,
	"set": true,
	"source": model.script.image.name,
	"flag": "",
	"percent": 0,
}}) if {
	some part in model.script.parts
	"-Xmx" in part.sets
	not model.flags.MaxHeapSize
} else := object.union(derived, {"heap": {"bytes": 0, "set": false, "source": "", "flag": "", "percent": 0}}) if {
	not derived.heap.set
	unread(model)
} else := derived

# _derived is what a JVM makes of its flags in a container with these resources.
_derived(c, flags, sources, feature) := {
	"numbers": numbers,
	"chosen": chosen,
	"gc": gc,
	"processors": counted.count,
	"processors_source": counted.source,
	"parallel_gc_threads": parallel,
	"conc_gc_threads": concurrent_threads(flags, numbers, sized, parallel.value, counted.count, heap.bytes),
	"compiler_threads": compiler_threads(flags, numbers, sources, feature, counted.count),
	"heap": heap,
	"memory": memory,
} if {
	numbers := {name: size_of(flags[name].value) | some name in (object.keys(flags) & numeric)}
	asked := {gc | some flag in (object.keys(flags) & _collector_flags); flags[flag].value == "+"; gc := collectors[flag]}
	chosen := asked | {"Parallel" | on(flags, "AggressiveHeap")}
	counted := processors(c, flags, numbers)
	gc := collector(chosen, sources, flags, counted.count, server_class_memory(c, flags), feature)
	sized := sized_as(gc, feature)
	memory := seen_memory(c, flags, numbers)
	reached := compressed(max_heap(flags, numbers, memory), flags, numbers, gc, feature)
	lifted := with_generations(lifted_to_least(reached, flags, numbers, feature), flags, sources, gc, feature)
	heap := fitted(lifted, flags, numbers, gc, feature)
	parallel := parallel_threads(flags, numbers, sized, counted.count, heap.bytes)
}

# changed is a JVM with more flags in JAVA_TOOL_OPTIONS, none of which it has, in a container
# with these resources.
changed(j, c, added) := object.union(j, object.union(derived, {"c": c, "flags": flags})) if {
	flags := object.union(j.flags, {name: {"value": value, "source": "JAVA_TOOL_OPTIONS", "path": flag_path(j)} |
		some option, [value] in options_of_words(added)
		name := substring(option, 4, -1)
	})
	derived := _derived(c, flags, j.sources, j.version)
}

default _visible(_, _) := false

_visible(command, []) if {
	command.given
	command.java
}

_visible(command, unknown) if {
	command.given
	command.java
	every u in unknown {
		not u.what in {"command line", "the script before java"}
	}
}

# server_class_memory is what the choice of a collector looks at; 0 is the node's.
server_class_memory(_, flags) := 0 if off(flags, "UseContainerSupport")

server_class_memory(c, flags) := c.memory_limit if not off(flags, "UseContainerSupport")

# seen_memory is what the JVM takes for its memory; 0 is the node's.
seen_memory(c, flags, numbers) := max([c.memory_limit, 0]) if {
	not flags.MaxRAM
	not off(flags, "UseContainerSupport")
} else := max([numbers.MaxRAM, 0]) if {
	flags.MaxRAM
} else := 0
