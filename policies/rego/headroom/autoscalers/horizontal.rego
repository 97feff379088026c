package headroom.autoscalers

# counted is what HorizontalPodAutoscalers count: {scaler, resource, container, share, target}. share is true if
# target is a share of the request, in %. container is "" if all count.
counted := [metric |
	some scaler in horizontals
	some metric in _metrics(scaler)
]

# Without any metric it is 80 % of the CPU request (the API server's default).
_metrics(scaler) := [metric |
	some entry in scaler.spec.metrics
	metric := _metric(scaler, entry)
] if {
	is_array(scaler.spec.metrics)
	count(scaler.spec.metrics) > 0
} else := [_cpu_share(scaler, object.get(scaler.spec, "targetCPUUtilizationPercentage", 80))] if {
	# Others stand in it, in the time of autoscaling/v1.
	not scaler.metadata.annotations["autoscaling.alpha.kubernetes.io/metrics"]
} else := []

_cpu_share(scaler, target) := {"scaler": scaler, "resource": "cpu", "container": "", "share": true, "target": target}

_metric(scaler, entry) := _of_resource(scaler, entry.resource, "") if {
	entry.type == "Resource"
} else := _of_resource(scaler, entry.containerResource, entry.containerResource.container) if {
	entry.type == "ContainerResource"
}

_of_resource(scaler, resource, container) := {
	"scaler": scaler,
	"resource": resource.name,
	"container": container,
	"share": _is_share(resource.target),
	"target": object.get(resource.target, "averageUtilization", 0),
} if {
	is_object(resource.target)
}

default _is_share(_) := false

_is_share(target) if target.type == "Utilization"

# counts says that a metric is about a container.
counts(metric, c) if metric.container in {"", c.name}
