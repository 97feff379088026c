# METADATA
# title: Resource quantity that no node can honour
# description: |
#   A quantity that Kubernetes cannot read, a negative one, or one beyond what any node has.
#   The API server refuses most of them, for the whole object and at deploy time; some it
#   takes and never schedules. A few (`1e99999999`) hang whoever compares them, and so are
#   refused here by their length and exponent before any arithmetic. The largest CPU
#   quantity accepted is 8192 cores, the most that Linux is built for on x86; the largest
#   memory 4 PiB, what 52 bits of physical address reach.
# related_resources:
# - ref: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
#   description: Quantity
# - ref: https://docs.kernel.org/arch/x86/x86_64/5level-paging.html
#   description: 4 PiB of physical address space
# custom:
#   id: HR001
#   severity: error
#   facts: [W45]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Write a number with one of the units m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or
#     none: cpu as 500m or 2, memory as 512Mi or 2Gi. Where a template or a chart fills the
#     value in, look at what it was given: `null` and empty values come from there.
package headroom.rules.manifest["quantity-invalid"]

import data.headroom.words
import data.headroom.workload

report contains finding if {
	not workload.plain
	some place in _places
	some problem in _problems(place.resources)
	finding := {
		"container": place.container,
		"path": array.concat(place.path, problem.path),
		"message": sprintf("%s %s.", [_field(problem.path), problem.why]),
		"expected": _expected(problem.path),
		"figures": object.get(problem, "figures", {}),
	}
}

# Where quantities stand.
_places := [place | some list in [_containers, _pod]; some place in list]

_containers := [{"container": c.name, "path": array.concat(c.path, ["resources"]), "resources": c.raw.resources} |
	some c in workload.containers
]

_pod := [{"container": "", "path": array.concat(workload.spec_path, ["resources"]), "resources": resources} |
	resources := workload.pod_spec.resources
	not workload.skip_reason
]

_field([]) := "resources"

_field(path) := words.shown(concat(".", path)) if path != []

_expected(path) := "a quantity such as 500m or 2" if path[1] == "cpu"

_expected(path) := "a quantity such as 512Mi or 2Gi" if path[1] in {"memory", "ephemeral-storage"}

_expected(path) := "requests and limits as maps of resource names to quantities" if {
	count(path) < 2
}

_expected([_, name]) := sprintf("a whole number of %s", [words.shown(name)]) if {
	not name in {"cpu", "memory", "ephemeral-storage"}
}
