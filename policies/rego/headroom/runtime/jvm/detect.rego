# METADATA
# title: JVMs
# description: |
#   Which containers run a JVM, the flags it ends up with and where each was said, and what
#   the JVM makes of them: collector, processors, threads, heap. Defaults and precedence
#   are those measured on JDK 8 to 28 by tests/jvm.
package headroom.runtime.jvm

import data.headroom.workload

# detected are the containers that surely or probably run a JVM.
detected := [{"c": c, "command": command, "carried": carried, "evidence": evidence} |
	some c in workload.containers
	command := command_of(c)
	carried := carried_by(c)
	evidence := _evidence(c, command, carried)
]

_evidence(c, command, carried) := {"sure": true, "text": concat("", ["annotation runtime.headroom.dev/", c.name])} if {
	declared_runtimes[c.name][0] == "jvm"
} else := {"sure": true, "text": "its command runs java"} if {
	command.java
	_may_be_jvm(c)
} else := {"sure": true, "text": concat("", [name, " is set"])} if {
	name := min({name | some name in carried; ranks[name]})
	_may_be_jvm(c)
} else := {"sure": false, "text": concat("", ["it sets ", name, ", which start scripts hand to java"])} if {
	name := min(carried)
	_may_be_jvm(c)
} else := {"sure": false, "text": "its arguments look like a JVM's"} if {
	_java_arguments(c)
	_may_be_jvm(c)
} else := {"sure": false, "text": concat(" ", ["image", c.raw.image])} if {
	not command.given
	is_string(c.raw.image)
	regex.match(image_pattern, c.raw.image)
	_may_be_jvm(c)
}

# An annotation that names another runtime settles it.
_may_be_jvm(c) if not declared_runtimes[c.name]

_java_arguments(c) if {
	not c.raw.command
	some word in _strings(c.raw.args)
	regex.match(`^-(?:X(?:m[sx][0-9]|X:|ss[0-9])|jar$)`, word)
}

# carried_by names the variables of a container that carry, or may carry, JVM flags.
carried_by(c) := (_named(c) | _flag_like(c)) | _mapped(c)

_named(c) := {e.name | some e in c.raw.env} & carriers

# A variable of any name whose value holds -XX: or -Xmx is one; one look at all of them
# tells whether there are any.
_flag_like(c) := set() if {
	not _text_has_flags(c)
} else := {e.name |
	some e in c.raw.env
	is_string(e.name)
	is_string(e.value)
	regex.match(`(?:^|\s)-X(?:X:[A-Za-z+-]|m[sx][0-9])`, e.value)
}

_text_has_flags(c) if contains(json.marshal(object.get(c.raw, "env", null)), "-X")

_mapped(c) := set() if {
	not c.raw.envFrom
} else := {name |
	some source in bulk(c)
	some key, _ in source.data
	name := concat("", [source.prefix, key])
	name in carriers
}
