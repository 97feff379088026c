# METADATA
# title: Memory quantity that cannot be meant
# description: |
#   Kubernetes takes `512m` for 512 thousandths of a byte and `4` for four bytes, and both
#   are legal. No process starts under such a limit, and such a request reserves nothing.
#   A memory limit under 4Mi, or a memory request under 1Mi, has lost its unit or has the
#   wrong one: m and k are 1/1000 and 1000, Mi and Gi were meant.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Resource units in Kubernetes, and the warning about 400m
# custom:
#   id: HR306
#   severity: error
#   remediation: Write the unit that was meant, Mi or Gi.
package headroom.rules.memory["memory-unit-suspect"]

import data.headroom.quantity
import data.headroom.workload

# Below these nothing runs: container runtimes refuse limits of 4 to 6 MiB and less.
_least := {"limits": 4194304, "requests": 1048576}

report contains finding if {
	not workload.even
	some c in workload.containers
	some field, least in _least
	text := c.raw.resources[field].memory
	finding := _finding(c.name, c.path, field, text, quantity.bytes(text), least)
}

report contains finding if {
	not workload.even
	some field, least in _least
	text := workload.pod_spec.resources[field].memory
	finding := _finding("", workload.spec_path, field, text, quantity.bytes(text), least)
}

_finding(container, base, field, text, bytes, least) := {
	"container": container,
	"path": array.concat(base, ["resources", field, "memory"]),
	"message": sprintf("%s.memory is %s: %s. %s", [field, quantity.text(text), _size(unit, bytes), _effect[field]]),
	"expected": sprintf("%s.memory: %s", [field, _meant(number, unit)]),
	"figures": {"bytes": bytes, "least_bytes": least},
} if {
	bytes > 0
	bytes < least
	[number, unit] := _split(quantity.text(text))
}

_split(text) := [groups[1], groups[2]] if {
	some groups in regex.find_all_string_submatch_n(`^\+?([0-9.]+)(.*)$`, text, 1)
}

_size(unit, bytes) := sprintf("%sthat is %v byte(s)", [object.get(_explained, unit, ""), bytes])

_explained := {"m": "m is a thousandth, so, rounded up, ", "k": "k is 1000, so "}

_effect := {
	"limits": "No process starts with that little.",
	"requests": "That reserves nothing.",
}

# The unit that makes the number a size people give to containers.
_meant(number, unit) := sprintf("%s%s, if that was meant", [number, _likely[unit]]) if {
	_likely[unit]
} else := sprintf("%s%s, if that was meant", [number, _alone(to_number(number))]) if {
	regex.match(`^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`, number)
	unit == ""
} else := "a number with the unit Mi or Gi"

_likely := {"m": "Mi", "k": "Mi", "Ki": "Mi", "M": "Gi", "Mi": "Gi"}

_alone(number) := [unit | some [least, unit] in [[65536, "Ki"], [64, "Mi"], [0, "Gi"]]; number >= least][0]
