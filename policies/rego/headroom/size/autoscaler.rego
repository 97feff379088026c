package headroom.size

import data.headroom.cpu
import data.headroom.words
import data.headroom.workload

# autoscalers are the targets of HorizontalPodAutoscalers that count in shares of a request, and so change with it:
# {name, metric, resource, container, now, same, wanted, why}. same is the target at which a Pod uses as much as now.
autoscalers := [object.union(
	object.union(target, {"name": words.shown(scaler.metadata.name), "metric": i}),
	_target(target, _sums(target)),
) |
	some scaler in workload.context.autoscalers
	scaler.spec.scaleTargetRef.name == workload.resource.name
	scaler.spec.scaleTargetRef.kind == workload.kind
	is_string(scaler.metadata.name)
	some i, metric in scaler.spec.metrics
	target := _share(metric)
]

_share(metric) := {"resource": metric.resource.name, "container": "", "now": now} if {
	metric.type == "Resource"
	metric.resource.name in {"cpu", "memory"}
	now := metric.resource.target.averageUtilization
	_whole(now)
}

_share(metric) := {
	"resource": metric.containerResource.name,
	"container": metric.containerResource.container,
	"now": now,
} if {
	metric.type == "ContainerResource"
	metric.containerResource.name in {"cpu", "memory"}
	now := metric.containerResource.target.averageUtilization
	_whole(now)
}

_whole(n) if regex.match(`^[1-9][0-9]{0,4}$`, json.marshal(n))

_counted_by(target) := [c | some c in cpu.running; target.container in {"", c.name}]

_sums(target) := [
	sum([max([0, _before(c, target.resource)]) | some c in _counted_by(target)]),
	sum([max([0, _after(c, target.resource)]) | some c in _counted_by(target)]),
]

_before(c, "cpu") := c.cpu_request

_before(c, "memory") := c.memory_request

_after(c, "cpu") := cpus[c.id].request

_after(c, "memory") := memories[c.id].request

_target(target, [before, after]) := {
	"same": target.now,
	"wanted": target.now,
	"why": "a container has no request, so that the share of it is not known",
} if {
	min([before, after]) <= 0
} else := {"same": same, "wanted": target.now, "why": "its requests stay"} if {
	before == after
	same := target.now
} else := {"same": same, "wanted": 100, "why": _over(same)} if {
	same := _same(target.now, before, after)
	same > 100
	target.now <= 100
} else := {"same": same, "wanted": same, "why": sprintf("%v %% × %v / %v: %s", [
	target.now,
	before,
	after,
	"a Pod uses as much as before when another is added",
])} if {
	same := _same(target.now, before, after)
}

_same(now, before, after) := max([1, round((now * before) / after)])

_over(same) := sprintf("%v %% would be as much use of a Pod as now, and more than is reserved: at 100 %% %s", [
	same,
	"more Pods share the same load, and a busy node slows none",
])
