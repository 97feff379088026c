# METADATA
# title: Resource quantity that no node can honour
# description: |
#   A quantity that Kubernetes cannot read, a negative one, or one beyond what any node has.
#   The API server refuses most of them, for the whole object and at deploy time; some it
#   takes and never schedules. A few (`1e99999999`) hang programs that compare them, and so are
#   refused here by their length and exponent before any arithmetic. The largest CPU
#   quantity accepted is 8192 cores, the most that Linux is built for on x86; the largest
#   memory 4 PiB, what 52 bits of physical address reach.
#   Where the size of the largest node is known (`nodes` in headroom.yaml, or the nodes that an audit reads), a Pod that
#   asks for more is reported, too: a warning where only an audit tells it, as larger nodes may be added.
#   A placeholder, such as `${CPU}` or `$(cpu)`, is a warning: something fills it in before the
#   manifest is applied, and what it will be is not known here.
# related_resources:
# - ref: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
#   description: Quantity
# - ref: https://docs.kernel.org/arch/x86/x86_64/5level-paging.html
#   description: 4 PiB of physical address space
# custom:
#   id: HR001
#   severity: error
#   harm: start
#   certain: true
#   facts: [W45]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Write a number with one of the units m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or
#     none: cpu as 500m or 2, memory as 512Mi or 2Gi. Where a template or a chart fills the
#     value in, look at what it was given: `null` and empty values come from there.
package headroom.rules.manifest["quantity-invalid"]

import data.headroom.advice
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some [container, path, resources] in _places
	some problem in _problems(resources)
	finding := object.union(
		{
			"container": container,
			"path": array.concat(path, array.concat(["resources"], problem.path)),
			"message": sprintf("%s %s.", [_field(problem.path), problem.why]),
			"expected": advice.resource_quantity(problem.path),
			"figures": {},
		},
		object.remove(problem, ["path", "why"]),
	)
}

_places contains [c.name, c.path, c.raw.resources] if some c in workload.containers

_places contains ["", workload.spec_path, workload.pod_spec.resources] if not workload.skip_reason

_field([]) := "resources"

_field(path) := words.shown(words.field(path)) if path != []
