package headroom.advice

import data.headroom.autoscalers
import data.headroom.words

# scaling_beside is what has to become of the targets of autoscalers that count by a CPU request, for the scaling to
# stay.
scaling_beside(c, wanted) := concat("", [_target(metric, c, wanted) |
	count(autoscalers.counted) > 0
	some metric in autoscalers.shares(c)
])

_target(metric, c, wanted) := sprintf(", with averageUtilization: %v in %s (now %v), which then scales as before", [
	target,
	autoscalers.said(metric.scaler),
	metric.target,
]) if {
	target := autoscalers.target_for(metric, c, wanted)
} else := sprintf(", by which %s then scales: its averageUtilization is a share of it", [
	autoscalers.said(metric.scaler),
])

# steady_processors is the count that a boosted JVM is to have from the start.
steady_processors(j) := in_place(j, processors(j))

# peace is what ends a fight of autoscalers with what they scale, or with each other.
peace("fixed heap", fight) := sprintf("%s, or minAllowed: {memory: %vMi} there", [_left_alone(fight), fight.mib])

peace("heap in place", fight) := sprintf("%s, or %s", [
	"resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]",
	_left_alone(fight),
])

peace("same resource", fight) := sprintf("%s, or in %s a metric that is no share of a request", [
	_left_alone(fight),
	autoscalers.said(fight.metric.scaler),
])

peace("allocation", fight) := _left_alone(fight)

peace("moved limit", fight) := sprintf("controlledValues: RequestsOnly for container %s in %s", [
	words.shown(fight.container),
	autoscalers.said(fight.control.scaler),
])

peace("heap counted", fight) := sprintf("in %s a metric that follows the load, such as requests in flight", [
	autoscalers.said(fight.metric.scaler),
])

# What the autoscaler may still change of the container, all its fights together.
_left_alone(fight) := sprintf("controlledResources: [%s] for container %s in %s", [
	kept[0],
	words.shown(fight.container),
	autoscalers.said(fight.control.scaler),
]) if {
	kept := _kept(fight.control)
	count(kept) > 0
} else := sprintf("mode: \"Off\" for container %s in %s", [
	words.shown(fight.container),
	autoscalers.said(fight.control.scaler),
])

_kept(control) := [resource |
	some resource in ["cpu", "memory"]
	some other in autoscalers.controls
	other.scaler.metadata.name == control.scaler.metadata.name
	other.c.id == control.c.id
	other.resource == resource
	not [control.scaler.metadata.name, control.c.id, resource] in autoscalers.lost
]
