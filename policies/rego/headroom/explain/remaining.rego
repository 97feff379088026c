package headroom.explain

import data.headroom.cpu
import data.headroom.judge
import data.headroom.workload

# remaining says which errors on CPU and memory a container has with these resources: the
# policies are asked again, so that a block promises nothing that they do not
# hold to. `passed` are rules that flags beside the block satisfy.
remaining(c, values, passed) := [sprintf("%s remains: %s", [f.rule, f.expected]) |
	patch := [{"op": "add", "path": array.concat(c.path, ["resources"]), "value": values}]
	some f in _verdict_on(json.patch(workload.manifest, patch)).findings
	f.container == c.name
	f.severity == "error"
	regex.match(`^HR[23]`, f.rule)
	not f.rule in passed
]

# _fight is what in the namespace stands against a block without a CPU limit (HR209).
_fight(c) := [sprintf("%s %v (%s) %s", [cpu.fight.kind, cpu.fight.name, cpu.fight.what, _does[cpu.fight.does]])] if {
	c in cpu.unlimited
	cpu.fight != null
} else := []

_does := {"limits": "sets a CPU limit again", "refuses": "refuses Pods without a CPU limit"}

_verdict_on(manifest) := found if {
	found := judge.result with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": manifest,
		"namespace": workload.namespace,
		"context": _around,
	}
}

_around := object.union(workload.context, {"measured": workload.measured}) if {
	workload.measured
} else := workload.context
