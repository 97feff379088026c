# METADATA
# title: Autoscalers beside a workload
# description: |
#   Which VerticalPodAutoscalers and HorizontalPodAutoscalers have the object as their target, what they change and
#   what they count by, and what boosts its start.
package headroom.autoscalers

import data.headroom.workload

verticals := _scalers_of("VerticalPodAutoscaler", "targetRef")

horizontals := _scalers_of("HorizontalPodAutoscaler", "scaleTargetRef")

_scalers_of(kind, reference) := [scaler |
	some scaler in workload.context.autoscalers
	scaler.kind == kind
	is_string(scaler.metadata.name)
	scaler.spec[reference].kind == workload.kind
	scaler.spec[reference].name == workload.resource.name
	_same_group(scaler.spec[reference])
]

# A Deployment of another group is another thing. The version says nothing, and may be missing.
_same_group(reference) if not reference.apiVersion

_same_group(reference) if {
	is_string(reference.apiVersion)
	_group(reference.apiVersion) == _group(workload.api_version)
}

_group(api_version) := split(api_version, "/")[0] if contains(api_version, "/")

_group(api_version) := "" if not contains(api_version, "/")
