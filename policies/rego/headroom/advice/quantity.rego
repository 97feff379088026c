package headroom.advice

import data.headroom.quantity
import data.headroom.words

# resource_quantity is one that can be read, for a path below resources.
resource_quantity(path) := "a quantity such as 500m or 2" if path[1] == "cpu"

resource_quantity(path) := "a quantity such as 512Mi or 2Gi" if path[1] in {"memory", "ephemeral-storage"}

resource_quantity(path) := "requests and limits as maps of resource names to quantities" if {
	count(path) < 2
}

resource_quantity([_, name]) := sprintf("a whole number of %s", [words.shown(name)]) if {
	not name in {"cpu", "memory", "ephemeral-storage"}
}

# memory_unit is a number with the unit that was meant: the one that makes it a size people give to containers. That is
# 4 MiB, under which nothing runs, to 64 GiB. Where no unit does, nothing is guessed.
memory_unit(number, unit) := sprintf("%s, if that was meant", [text]) if {
	regex.match(`^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`, number)
	text := concat("", [number, _meant(number, unit)])
	bytes := quantity.bytes(text)
	bytes >= 4194304
	bytes <= 68719476736
} else := "a number with the unit Mi or Gi"

_meant(number, unit) := _likely[unit] if {
	_likely[unit]
} else := fitting[0] if {
	unit == ""
	fitting := [name | some [least, name] in _by_size; to_number(number) >= least]
}

_by_size := [[65536, "Ki"], [64, "Mi"], [0, "Gi"]]

_likely := {"m": "Mi", "k": "Mi", "Ki": "Mi", "M": "Gi", "Mi": "Gi"}
