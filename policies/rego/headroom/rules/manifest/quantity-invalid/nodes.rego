package headroom.rules.manifest["quantity-invalid"]

import data.headroom.nodes
import data.headroom.quantity
import data.headroom.workload

# A Pod that asks for more than the largest node has is not scheduled; its limits may be more.
report contains finding if {
	some resource, most in nodes.largest
	asked := nodes.asked(resource)
	asked > most
	asked <= quantity.most[resource]
	finding := {
		"container": "",
		"path": workload.spec_path,
		"message": sprintf("The Pod asks for %s, and the largest node has %s%s.", [
			_text(resource, asked),
			_text(resource, most),
			_known_by(resource),
		]),
		"why": "No node takes it: it stays Pending.",
		"expected": sprintf("requests.%s of no more than that in all, or larger nodes, with nodes.%s in headroom.yaml", [
			resource,
			_keys[resource],
		]),
		"figures": {_units[resource][0]: asked, _units[resource][1]: most},
		"severity": _severity(resource),
		"outcome": _outcome(resource),
	}
}

_text("cpu", amount) := sprintf("%s CPU", [quantity.format_cpu(amount)])

_text("memory", amount) := sprintf("%s of memory", [quantity.format_memory(amount)])

_keys := {"cpu": "cores", "memory": "memory"}

_units := {"cpu": ["asked_millicores", "most_millicores"], "memory": ["asked_bytes", "most_bytes"]}

# Larger nodes than those that there are may be added, by an autoscaler too.
_known_by(resource) := " (nodes in headroom.yaml)" if nodes.declared[resource] > 0

_known_by(resource) := " now" if nodes.declared[resource] <= 0

_severity(resource) := "error" if nodes.declared[resource] > 0

_severity(resource) := "warning" if nodes.declared[resource] <= 0

_outcome(resource) := "certain" if nodes.declared[resource] > 0

_outcome(resource) := "possible" if nodes.declared[resource] <= 0
