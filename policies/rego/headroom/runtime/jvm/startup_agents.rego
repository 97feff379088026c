package headroom.runtime.jvm

# _jdwp_faults says what the debugger's agent refuses of its options (measured on JDK 8 to 28).
_jdwp_faults(text) := [{"reason": row.why, "refusing": row.refusing} |
	given := regex.find_all_string_submatch_n(`^(?:-agentlib:jdwp(?:=|$)|-Xrunjdwp(?::|$))(.*)$`, text, 1)[0][1]
	settings := {name: value |
		some setting in split(given, ",")
		[name, value] := split(setting, "=")
	}
	some row in array.slice([row | some row in _jdwp_rows; _jdwp_wrong(row, settings, given)], 0, 1)
]

_jdwp_rows := [
	{"name": "transport", "pattern": `^dt_socket$`, "why": "it takes transport=dt_socket", "refusing": every_release},
	{"name": "server", "pattern": `^[yn]$`, "why": "server takes y or n", "refusing": every_release},
	{"name": "suspend", "pattern": `^[yn]$`, "why": "suspend takes y or n", "refusing": every_release},
	{"name": "quiet", "pattern": `^[yn]$`, "why": "quiet takes y or n", "refusing": every_release},
	{
		"name": "address",
		"pattern": `^[^*]|^$|^\*$`,
		"why": "Java 8 takes no * in address; without it, as in address=5005, it listens on every address",
		"refusing": {8},
	},
]

_jdwp_wrong(row, settings, _) if {
	value := settings[row.name]
	not regex.match(row.pattern, value)
}

_jdwp_wrong(row, settings, given) if {
	row.name == "transport"
	not settings.transport
	given != "help"
}
