# METADATA
# title: Class that the namespace does not allow
# description: |
#   The annotation headroom.dev/allowed-classes on a Namespace lists the classes that its workloads may
#   have. Without that bound a tenant could call itself latency-sensitive, and drop the CPU limit that
#   keeps it to what it pays for. The list holds for every class, whether it is annotated, inferred (a
#   Job is batch) or set by the config, and for a workload without one. A sidecar is not held to it, as
#   it stands beside a container that is. A Namespace that allocates CPU and has no list allows every
#   class whose containers have a CPU limit.
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
#     headroom.dev/allowed-classes. headroom.dev/workload-class on the pod template goes before
#     what the kind says, so that a Job can be multi-tenant.
package headroom.rules.classification["class-not-allowed"]

import data.headroom.advice
import data.headroom.classify
import data.headroom.config
import data.headroom.words
import data.headroom.workload

report contains finding if {
	workload.judged
	allowed := _allowed
	some evidence in _held
	not evidence.class in allowed
	finding := {
		"container": "",
		"path": evidence.path,
		"message": sprintf("%s; %s.", [_named(evidence), _rule]),
		"expected": advice.allowed_class(allowed - {"unclassified"}),
	}
}

# _held is what says the class of the Pod and of its containers. One that does not exist is
# HR102's.
_held contains classify.pod_evidence if {
	classify.pod_evidence.annotated
	classify.pod_class != "unknown"
}

_held contains evidence if {
	some evidence in classify.evidence
	not evidence.class in {"init", "sidecar", "unknown"}
}

# A Pod of sidecars alone says what it is as little as one without a class.
_held contains classify.pod_evidence if {
	classify.pod_class != "unknown"
	count(classify.evidence) > 0
	every evidence in classify.evidence {
		evidence.class in {"init", "sidecar"}
	}
}

_named(evidence) := sprintf("%s is %s", [words.shown(evidence.key), words.quoted(evidence.class)]) if {
	evidence.annotated
} else := "No class is set" if {
	evidence.class == "unclassified"
} else := sprintf("The class is %s (%s)", [words.quoted(evidence.class), evidence.text])

# A list that cannot be read allows nothing.
_allowed := {name |
	is_string(_list)
	some part in split(_list, ",")
	name := trim_space(part)
	name != ""
} if {
	_ = _list
} else := {class | some class, row in config.settings.matrix; row.limit != "none"} | {"unclassified"} if {
	_ = workload.namespace_annotations["headroom.dev/cpu-allocation"]
}

_list := workload.namespace_annotations["headroom.dev/allowed-classes"]

_rule := sprintf("namespace %s allocates CPU, and allows classes with a CPU limit only (headroom.dev/cpu-allocation)", [
	_namespace,
]) if {
	not _listed
} else := sprintf("namespace %s allows %s (headroom.dev/allowed-classes)", [_namespace, _what])

_what := "no class at all" if {
	count(_allowed) == 0
} else := sprintf("%s only", [words.listed_shown(_allowed)])

_listed if _ = _list

_namespace := words.shown(workload.namespace)
