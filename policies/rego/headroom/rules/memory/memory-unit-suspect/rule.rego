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
#   harm: start
#   certain: true
#   remediation: Write the unit that was meant, Mi or Gi.
package headroom.rules.memory["memory-unit-suspect"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.memory
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	some [container, path, resources] in _places
	some field, least in _least
	bytes := quantity.bytes(resources[field].memory)
	bytes > 0
	bytes < least.bytes
	text := quantity.text(resources[field].memory)
	some [_, number, unit] in regex.find_all_string_submatch_n(`^\+?([0-9.]+)(.*)$`, text, -1)
	finding := {
		"container": container,
		"path": array.concat(path, ["resources", field, "memory"]),
		"message": sprintf("%s.memory is %s: %s. %s", [field, text, _meaning(number, unit, bytes), least.effect]),
		"expected": sprintf("%s.memory: %s%s", [field, advice.memory_unit(number, unit), _follows(field, resources)]),
		"figures": {"bytes": bytes, "least_bytes": least.bytes},
		"harm": least.harm,
	}
}

_places contains [c.name, c.path, c.raw.resources] if some c in workload.containers

_places contains ["", workload.spec_path, workload.pod_spec.resources]

_follows("requests", _) := ""

_follows("limits", resources) := advice.and_request({"raw": {"resources": resources}})

# Below these nothing runs.
_least := {
	"limits": {"bytes": memory.least_limit, "effect": "No process starts with that little.", "harm": "start"},
	"requests": {"bytes": memory.least_request, "effect": "That reserves nothing.", "harm": "evicted"},
}

_meaning(number, "m", _) := sprintf("%v bytes, as m is a thousandth", [to_number(number) / 1000]) if {
	regex.match(`^[0-9]+(\.[0-9]+)?$`, number)
} else := "a byte or less, as m is a thousandth"

_meaning(_, "k", bytes) := sprintf("Kubernetes reads k as 1000, so that is %v bytes", [bytes])

_meaning(_, unit, bytes) := sprintf("that is %s", [cpu.plural(bytes, "byte")]) if not unit in {"m", "k"}
