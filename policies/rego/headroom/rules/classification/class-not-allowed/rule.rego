# METADATA
# title: Class that the namespace does not allow
# description: |
#   The annotation headroom.dev/allowed-classes on a Namespace says what its workloads may
#   call themselves: a tenant who declares itself latency-sensitive would shed the CPU limit
#   that keeps it to what it pays for.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/security/multi-tenancy/
#   description: Multi-tenancy
# custom:
#   id: HR104
#   severity: error
#   harm: style
#   certain: true
#   fixable: false
#   kyverno: true
#   remediation: |
#     Choose a class that the namespace allows, or ask its owner to add this one to
#     headroom.dev/allowed-classes. Classes that headroom infers (a Job is batch) are not held
#     against the list.
package headroom.rules.classification["class-not-allowed"]

import data.headroom.advice
import data.headroom.classify
import data.headroom.words
import data.headroom.workload

report contains finding if {
	list := workload.namespace_annotations["headroom.dev/allowed-classes"]
	is_string(list)
	allowed := {name | some part in split(list, ","); name := trim_space(part); name != ""}
	some evidence in array.concat([classify.pod_evidence], classify.evidence)
	evidence.class != "unknown" # HR102's
	not evidence.class in allowed
	finding := {
		"container": "",
		"path": evidence.path,
		"message": sprintf("%s is %s; %s (headroom.dev/allowed-classes).", [
			words.shown(evidence.key),
			words.quoted(evidence.class),
			_rule(allowed),
		]),
		"expected": advice.allowed_class(allowed),
	}
}

_rule(allowed) := text if {
	count(allowed) > 0
	text := sprintf("namespace %s allows %s only", [_namespace, words.listed_shown(allowed)])
}

_rule(allowed) := sprintf("namespace %s allows no class at all", [_namespace]) if count(allowed) == 0

_namespace := words.shown(workload.namespace)
