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
