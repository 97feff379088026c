package headroom.explain

import data.headroom.words

_yaml(values) := concat("\n", array.concat(["resources:"], [line |
	some list in ["requests", "limits"]
	some line in array.concat([sprintf("  %s:", [list])], [text |
		some key, value in values[list]
		text := sprintf("    %s: %s", [key, _scalar(value)])
	])
]))

# What YAML would read as a number stands in quotes.
_scalar(value) := value if {
	is_string(value)
	regex.match(`^[0-9]+(?:\.[0-9]+)?[A-Za-z]+$`, value)
	not regex.match(`^[0-9.]+[eE]`, value)
} else := json.marshal(words.shown(value)) if {
	is_string(value)
} else := json.marshal(value)

# What the container has of other resources is kept.
_others(c, list) := {key: value |
	some key, value in c.raw.resources[list]
	is_string(key) # where it is a list, it is none
	not key in {"cpu", "memory"}
	regex.match(`^[A-Za-z0-9./_-]{1,100}$`, key)
	type_name(value) in {"string", "number"}
}
