package headroom.runtime.jvm

# unknown_of lists the places where a flag may hide: {what, why, path}.
unknown_of(d) := array.concat(
	array.concat(_unknown_variables(d), _unknown_bulk(d.c)),
	array.concat(_unknown_command(d), _unknown_parts(d)),
)

_unknown_variables(d) := [{"what": name, "why": found.why, "path": found.path, "unreadable": true} |
	some name, found in d.variables
	found.state == "unknown"
]

# A whole ConfigMap or Secret can bring any variable, unless its prefix rules it out.
_unknown_bulk(c) := [{"what": "envFrom", "why": source.why, "path": source.path, "unreadable": true} |
	some source in bulk(c)
	source.why
	_may_carry(source.prefix)
]

_may_carry(prefix) if {
	some name, _ in ranks
	startswith(name, prefix)
}

_unknown_command(d) := d.command.hides if {
	d.command.given
	d.command.java
} else := [{
	"what": "the image's entrypoint",
	"why": "the manifest has no command, so the image decides how java is started",
	"path": array.concat(d.c.path, ["command"]),
	"unreadable": false,
}] if {
	not d.command.given
	not d.c.raw.command
} else := [{
	"what": "the command",
	"why": "it starts java through a script, which may add flags",
	"path": array.concat(d.c.path, ["command"]),
	"unreadable": false,
}]

# Parts of a source that are filled in at run time, and files that hold options.
_unknown_parts(d) := [{"what": s.name, "why": hiding.why, "path": s.path, "unreadable": hiding.unreadable} |
	some s in d.sources
	some pattern, hiding in _hiding
	regex.match(pattern, s.text)
]

_hiding := {
	"(?:^|\\s)\u0002": {"why": "part of it is filled in when the container starts", "unreadable": true},
	`(?:^|\s)@[^\s]`: {"why": "an argument file holds options", "unreadable": false},
	`(?:^|\s)-XX:(?:VMOptionsFile|Flags)=`: {"why": "a file of the image holds options", "unreadable": false},
}
