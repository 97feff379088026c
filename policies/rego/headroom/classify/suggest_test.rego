package headroom.classify_test

import data.headroom.classify
import data.headroom.reviews_test as reviews

_web := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "web", "namespace": "shop"},
	"spec": {"template": {"metadata": {"labels": {"app": "web", "tier": "front"}}, "spec": {"containers": [{
		"name": "app",
		"ports": [{"name": "http", "containerPort": 8080}],
	}]}}},
}

_with_probe := {"name": "app", "readinessProbe": {"tcpSocket": {}}}

_probed := object.union(_web, {"spec": {"template": {"spec": {"containers": [_with_probe]}}}})

_service(selector, ports) := {
	"kind": "Service",
	"metadata": {"name": "web"},
	"spec": {"selector": selector, "ports": ports},
}

_of_web := _service({"app": "web"}, [{"port": 80, "targetPort": "http"}])

_ingress := {
	"kind": "Ingress",
	"metadata": {"name": "front"},
	"spec": {"rules": [{"http": {"paths": [{"path": "/", "backend": {"service": {"name": "web"}}}]}}]},
}

_route := {
	"kind": "HTTPRoute",
	"metadata": {"name": "front"},
	"spec": {"rules": [{"backendRefs": [{"name": "web", "port": 80}]}]},
}

_scaler(name) := {
	"kind": "HorizontalPodAutoscaler",
	"metadata": {"name": "by-cpu"},
	"spec": {"scaleTargetRef": {"kind": "Deployment", "name": name}},
}

_suggested(object_, around) := found if {
	found := classify.suggestion with input as reviews.of_object(object_, around)
}

_latency(evidence, sure) := {"class": "latency-sensitive", "evidence": evidence, "sure": sure}

test_a_service_that_selects_it if {
	served := _latency("Service web selects it", false)
	_suggested(_web, {"services": [_of_web]}) == served
	_suggested(_web, {"services": [_service({"app": "web"}, [{"port": 8080}])]}) == served
	_suggested(_web, {"services": [_service({"app": "web"}, [{"port": 80, "targetPort": 8080}])]}) == served
	_suggested(_web, {"services": [_service({"app": "web", "tier": "front"}, [{"port": 8080}])]}) == served
	probed := _suggested(_probed, {"services": [_service({"app": "web"}, [])]})
	probed == _latency("Service web selects it, with a readiness probe", true)

	# Peers, metrics and node agents have Services too.
	headless := json.patch(_service({"app": "web"}, []), [
		{"op": "add", "path": "/spec/clusterIP", "value": "None"},
		{"op": "replace", "path": "/metadata/name", "value": "all"},
	])
	_suggested(_probed, {"services": [headless]}) == _latency("Service all selects it, with a readiness probe", false)
	_suggested(_probed, {"services": [headless, _service({"app": "web"}, [])]}) == probed
	agent := object.union(_probed, {"kind": "DaemonSet"})
	_suggested(agent, {"services": [_service({"app": "web"}, [])]}).sure == false

	# Another port, another Pod, or none.
	every service in [
		_service({"app": "web"}, [{"port": 9090}]),
		_service({"app": "web"}, []),
		_service({"app": "web"}, null),
		_service({"app": "other"}, [{"port": 8080}]),
		_service({"app": "web", "team": "a"}, [{"port": 8080}]),
		_service({}, [{"port": 8080}]),
		_service(null, [{"port": 8080}]),
		_service("app", [{"port": 8080}]),
		{"kind": "Service"},
	] {
		_suggested(_web, {"services": [service]}) == {}
	}
}

test_what_leads_to_the_service if {
	found := _latency("Ingress front leads to it; Service web selects it", true)
	_suggested(_web, {"services": [_of_web], "routes": [_ingress]}) == found
	by_route := _suggested(_web, {"services": [_of_web], "routes": [_route]})
	by_route.evidence == "HTTPRoute front leads to it; Service web selects it"
	_suggested(_web, {"routes": [_ingress]}) == {}
	elsewhere := json.patch(_route, [{"op": "replace", "path": "/spec/rules/0/backendRefs/0/name", "value": "api"}])
	abroad := json.patch(_route, [{"op": "add", "path": "/spec/rules/0/backendRefs/0/namespace", "value": "other"}])
	_suggested(_web, {"services": [_of_web], "routes": [abroad]}).evidence == "Service web selects it"
	kept := json.patch(_route, [{"op": "add", "path": "/spec/rules/0/backendRefs/0/kind", "value": "Backend"}])
	_suggested(_web, {"services": [_of_web], "routes": [kept]}).evidence == "Service web selects it"
	_suggested(_web, {"services": [_of_web], "routes": [elsewhere]}).evidence == "Service web selects it"
}

# Ports need not be declared.
_silent := object.union(_web, {"spec": {"template": {"spec": {"containers": [{"name": "app"}]}}}})

test_containers_without_ports if {
	found := _latency("Service web selects it", false)
	_suggested(_silent, {"services": [_of_web]}) == found
	_suggested(_silent, {"services": [_service({"app": "web"}, [{"port": 9090}])]}) == found
	_suggested(_silent, {"services": [_service({"app": "web"}, [])]}) == {}
	_suggested(_silent, {"services": [_service({"app": "web"}, [{"port": 9090, "name": "metrics"}])]}) == {}
	consumer := object.union(_silent, {"metadata": {"name": "order-consumer", "labels": {"app": "web"}}})
	_suggested(consumer, {"services": [_service({"app": "web"}, [{"port": 80}])]}).class == "batch"
	_suggested(_silent, {"services": [_service({"app": "other"}, [{"port": 80}])]}) == {}
}

# A route is enough, whatever ports are declared.
test_a_route_to_a_port_that_is_not_declared if {
	undeclared := _service({"app": "web"}, [{"port": 80, "targetPort": 9090}])
	_suggested(_web, {"services": [undeclared]}) == {}
	every route in [_ingress, _route] {
		found := _suggested(_web, {"services": [undeclared], "routes": [route]})
		found == _latency(sprintf("%s front leads to it; Service web selects it", [route.kind]), true)
	}
	_suggested(_web, {"services": [_service({"app": "other"}, [{"port": 80}])], "routes": [_ingress]}) == {}
}

_named_worker := object.union(_web, {"metadata": {"name": "mail-worker"}})

test_what_scales_it if {
	_suggested(_web, {"autoscalers": [_scaler("web")]}) == _latency("HorizontalPodAutoscaler by-cpu scales it", false)
	_suggested(_web, {"autoscalers": [_scaler("api")]}) == {}
	_suggested(_named_worker, {"autoscalers": [_scaler("mail-worker")]}).class == "batch"
}

test_names_of_what_takes_tasks_off_a_queue if {
	_suggested(_named_worker, {}) == {
		"class": "batch", "sure": false,
		"evidence": "it is named like a queue consumer, and no Service leads to it",
	}
	every name in ["worker", "celery_beat", "orders.consumer", "Sidekiq-1"] {
		_suggested(object.union(_web, {"metadata": {"name": name}}), {}).class == "batch"
	}
	every name in ["networker", "web", "queued", ""] {
		_suggested(object.union(_web, {"metadata": {"name": name}}), {}) == {}
	}

	# A worker behind a Service may be either.
	_suggested(_named_worker, {"services": [_of_web]}) == {}
	_suggested(_named_worker, {"services": [_of_web], "routes": [_ingress]}).class == "latency-sensitive"
}

test_labels_that_tell_a_workload if {
	every case in [
		[{"app": "web", "pod-hash": "x"}, {"app": "web"}],
		[{"k8s-app": "dns"}, {"k8s-app": "dns"}],
		[
			{"app.kubernetes.io/name": "web", "app.kubernetes.io/component": "front", "app": "x"},
			{"app.kubernetes.io/name": "web", "app.kubernetes.io/component": "front"},
		],
		[{"app": "pulsar", "component": "broker", "tier": "back"}, {"app": "pulsar", "component": "broker"}],
		[{"tier": "back"}, {"tier": "back"}],
		[{"team": "a"}, {}],
		[{"app": 5}, {}],
		[{}, {}],
	] {
		[labels, want] := case
		given := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": labels}, "spec": _app}
		classify.telling_labels == want with input as given
	}
}
