package headroom.classify

import data.headroom.workload

# suggestion is what stands beside a workload without a class, and shows what it may be: {class, evidence, sure}.
# It judges nothing: somebody has to say it. It is {} where nothing shows it, or where two things differ.
suggestion := {"class": "latency-sensitive", "evidence": concat(" ", [_routed, _served]), "sure": true} if {
	_routed != ""
} else := {"class": "latency-sensitive", "evidence": _served, "sure": _surely_serves} if {
	_served != ""
	not _consumes
} else := {"class": "latency-sensitive", "evidence": _scaled, "sure": false} if {
	_scaled != ""
	not _consumes
} else := {
	"class": "batch",
	"evidence": "it is named like a queue consumer, and no Service leads to it",
	"sure": false,
} if {
	_consumes
	count(_services) == 0
} else := {}

# Services that lead to the Pods; those without an address of their own tell Pods from each other, and come last.
_services := array.concat(sort(_addressed), sort(_leading & _headless))

_addressed := _leading - _headless

_headless := {service.metadata.name |
	some service in workload.context.services
	service.spec.clusterIP == "None"
}

# Peers, metrics and node agents have Services too: only who is asked whether it is ready, behind an address, is
# sure to be waited for.
default _surely_serves := false

_surely_serves if {
	count(_addressed) > 0
	_ready != ""
	workload.kind != "DaemonSet"
}

# A Service leads to the Pods whose labels have all of its selector's.
_leading := {service.metadata.name |
	some service in workload.context.services
	is_string(service.metadata.name)
	is_object(service.spec.selector)
	count(service.spec.selector) > 0
	object.subset(workload.labels, service.spec.selector)
	_answers(service)
}

# Somebody waits for an answer: there is a readiness probe, the Service's port is one of a container, or a route leads
# to the Service. Containers need not declare ports; where none does, that the Service has one is enough.
_answers(service) if service.metadata.name in _routed_to

_answers(service) if {
	some port in service.spec.ports
	not object.get(port, "name", "") in _of_metrics
	not _declares_ports
	not _consumes
}

_answers(_) if {
	some c in workload.containers
	c.raw.readinessProbe
}

_answers(service) if {
	some port in service.spec.ports
	some c in workload.containers
	some own in c.raw.ports
	object.get(port, "targetPort", port.port) in {own.containerPort, object.get(own, "name", "")}
}

# Prometheus asks these; no user waits for the answer.
_of_metrics := {"http-metrics", "metrics", "prometheus"}

_declares_ports if {
	some c in workload.containers
	some _ in c.raw.ports
}

_routed_to contains name if {
	some route in workload.context.routes
	some name in _backends(route)
}

default _served := ""

_served := sprintf("Service %s selects it%s", [_services[0], _ready]) if count(_services) > 0

default _ready := ""

_ready := ", with a readiness probe" if {
	some c in workload.containers
	c.raw.readinessProbe
}

default _routed := ""

_routed := sprintf("%s %s leads to it;", [routes[0].kind, routes[0].metadata.name]) if {
	routes := [route |
		some route in workload.context.routes
		is_string(route.metadata.name)
		count(_backends(route) & {name | some name in _services}) > 0
	]
	count(routes) > 0
}

# The Services that an Ingress, or a route of the Gateway API, leads to.
_backends(route) := {backend.name |
	walk(route.spec, [path, backend])
	is_string(backend.name)
	_is_backend(path, backend)
}

_is_backend(path, _) if path[count(path) - 1] == "service"

# One in another namespace is another Service.
_is_backend(path, backend) if {
	path[count(path) - 2] == "backendRefs"
	object.get(backend, "kind", "Service") == "Service"
	object.get(backend, "namespace", "") in {"", workload.resource.namespace}
}

default _scaled := ""

_scaled := sprintf("HorizontalPodAutoscaler %s scales it", [scalers[0].metadata.name]) if {
	scalers := [scaler |
		some scaler in workload.context.autoscalers
		is_string(scaler.metadata.name)
		scaler.spec.scaleTargetRef.name == workload.resource.name
		scaler.spec.scaleTargetRef.kind == workload.kind
	]
	count(scalers) > 0
}

# Words of names that Celery, Sidekiq, Resque, Laravel and the charts of brokers give what takes tasks off a queue.
_consumes if {
	some word in regex.split(`[^a-z0-9]+`, lower(workload.resource.name))
	word in {"celery", "consumer", "consumers", "queue", "resque", "sidekiq", "worker", "workers"}
}

# telling_labels are those by which a row of `classes` would cover this workload, and others like it: its name,
# and which part of it this is.
telling_labels := {name: workload.labels[name] |
	some name in array.concat(array.slice(names, 0, 1), array.slice(parts, 0, 1))
} if {
	names := _labels_of(["app.kubernetes.io/name", "app", "k8s-app", "name"])
	parts := _labels_of(["app.kubernetes.io/component", "component", "role", "tier"])
}

_labels_of(known) := [name | some name in known; is_string(workload.labels[name])]
