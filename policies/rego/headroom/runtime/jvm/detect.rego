# METADATA
# title: JVMs
# description: |
#   Which containers run a JVM, the flags it ends up with and where each was said, and what
#   the JVM makes of them: collector, processors, threads, heap. Defaults and precedence
#   are those measured on JDK 8 to 28 by tests/integration/jvm.
package headroom.runtime.jvm

import data.headroom.images
import data.headroom.inside
import data.headroom.process
import data.headroom.registry
import data.headroom.workload

# detected are the containers that surely or probably run a JVM.
detected := [] if {
	not _perhaps
} else := [{
	"c": c,
	"command": command,
	"call": call,
	"main": command == first,
	"script": script,
	"carried": (carried | _read_by(call, script)),
	"sure": found.sure,
	"evidence": found.text,
} |
	some c in workload.containers
	not c.name in _elsewhere
	first := command_of(c)
	not _no_java(c, first)
	script := _known_script(c, first)
	some command in array.concat([first], object.get(first, "others", []))
	call := _call(c, command)
	carried := _carried(c) | ({name | some name, value in call.set; value != null} & carriers)
	found := _evidence(c, command, script, carried)
]

_call(_, command) := command if command.java

_call(c, command) := images.last_call(c) if not command.java

_known_script(c, command) := script_of(c, command)

_known_script(c, command) := {} if not script_of(c, command)

# _read_by are the variables that a known script reads.
_read_by(call, script) := {name |
	some key in ["variable", "size"]
	name := script.image.record.line[_][key]
	process.arrived(call, name).state != "absent"
}

# What the annotation says of a container holds whatever it runs. OpenJ9 has flags and defaults of its
# own, and this is a model of HotSpot.
_no_java(c, _) if {
	not c.name in _declared
	images.openj9(c)
}

_no_java(c, _) if {
	not c.name in _declared
	not images.known(c)
	other_vm(c)
}

_no_java(c, command) if {
	not command.java
	not c.name in _declared
	process.only_utilities(images.words(c))
}

_no_java(c, command) if {
	not command.java
	not c.name in _declared
	count({name | some name in _carried(c); ranks[name]}) == 0
	_starts(c, images.found[c.id].record) == "other"
}

# _perhaps is a first look at all containers together, as most Pods run no JVM: one pass over
# names, one over values, and none of their details.
_perhaps if count(_carriers_present) > 0

_perhaps if strings.any_prefix_match(_values, _beginnings)

_perhaps if {
	text := concat(" ", {word | word := workload.containers[_].raw.command[_]; is_string(word)})
	regex.match(_names_java, text)
}

_perhaps if {
	text := concat(" ", {word | word := workload.containers[_].raw.args[_]; is_string(word)})
	regex.match(_names_java, text)
}

_names_java := `java|-J-X|-jar|-X[mX]`

_perhaps if {
	some c in workload.containers
	c.raw.args
	_java_arguments(c)
}

_perhaps if count(images.found) > 0

_perhaps if {
	some c in workload.containers
	java_image(c.raw.image)
}

_perhaps if {
	some c in workload.containers
	_spring(c)
}

_perhaps if {
	some c in workload.containers
	_files_may_name_java(c)
}

_perhaps if count(_declared) > 0

_perhaps if {
	inside.known
	inside.java(workload.containers[_].raw)
}

_perhaps if {
	some c in workload.containers
	c.raw.envFrom
	count(_mapped(c)) > 0
}

_carriers_present := {name | name := workload.containers[_].raw.env[_].name} & carriers

_values := {value | value := workload.containers[_].raw.env[_].value; is_string(value)}

# Annotations that name a runtime settle it.
_elsewhere := {name | some name, words in registry.declared; words[0] != "jvm"}

_declared := {name | some name, words in registry.declared; words[0] == "jvm"}

_evidence(c, command, script, carried) := {
	"sure": true,
	"text": concat("", ["annotation runtime.headroom.dev/", c.name]),
} if {
	c.name in _declared
} else := {"sure": true, "text": "the image's entrypoint runs java"} if {
	command.java
	c.raw.inside.command > 0
} else := {"sure": true, "text": "its command runs java"} if {
	command.java
} else := {"sure": true, "text": concat("", [read[0], " is set"])} if {
	read := [name | some name in carried; ranks[name]]
	count(read) > 0
} else := {"sure": script.starts == "script", "text": concat(" ", [script.image.title, "starts java"])} if {
	script.image.record.line
} else := {"sure": false, "text": concat("", ["it sets ", min(carried), ", which start scripts hand to java"])} if {
	count(carried) > 0
	not images.named_native(object.get(c.raw, "image", "")) # no start script is in it
} else := {"sure": false, "text": "its arguments look like a JVM's"} if {
	_java_arguments(c)
} else := {"sure": false, "text": concat(" ", ["image", c.raw.image])} if {
	not command.given
	java_image(c.raw.image)
} else := {"sure": false, "text": _spring(c)} if {
	not command.given
	not native_image(object.get(c.raw, "image", ""))
} else := {"sure": false, "text": "its image was built for Java, and a script starts it"} if {
	inside.java(c.raw)
	regex.match(_opaque, c.raw.command[0])
}

# _spring is why a container is taken for a Spring Boot program: its settings come from variables, and its
# probes ask the actuator. SPRING__ is how .NET writes a setting of another name.
_spring(c) := concat("", ["it sets ", min(names), ", which Spring Boot reads"]) if {
	names := {name |
		name := c.raw.env[_].name
		is_string(name)
		startswith(name, "SPRING_")
		not startswith(name, "SPRING__")
	}
	count(names) > 0
} else := "its probe asks for /actuator/health, as Spring Boot answers it" if {
	some probe in _probes
	path := c.raw[probe].httpGet.path
	is_string(path)
	contains(path, "/actuator/health")
}

_probes := ["livenessProbe", "readinessProbe", "startupProbe"]

# What may start java without naming it: scripts, and the launchers of buildpacks.
_opaque := `\.sh$|entrypoint|^/cnb/|/(?:run|start)[^/]*$`

_java_arguments(c) if {
	not c.raw.command[0]
	strings.any_prefix_match(process.strings_of(c.raw.args), _first_arguments)
}

_first_arguments := {"-XX:", "-Xm", "-Xss", "-jar"}

# _carried names the variables of a container that carry, or may carry, JVM flags: those of
# a known name, and those whose value begins as JVM flags do.
_carried(c) := _in_env(c) if {
	not c.raw.envFrom
} else := _in_env(c) | _mapped(c)

_in_env(c) := {name | some name in _carriers_present; c.raw.env[_].name == name} | {name |
	some value in _values_like_flags
	c.raw.env[i].value == value
	name := c.raw.env[i].name
	is_string(name)
}

_beginnings := {"-XX:", "-Xm", "-Xs", "-server"}

_values_like_flags := {value |
	some value in _values
	startswith(value, "-")
	strings.any_prefix_match(value, _beginnings)
}

_mapped(c) := {name |
	some source in process.bulk(c)
	some key, _ in source.data
	name := concat("", [source.prefix, key])
	name in carriers
}
