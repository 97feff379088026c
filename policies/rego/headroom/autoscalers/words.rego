package headroom.autoscalers

import data.headroom.runtime.jvm
import data.headroom.words

# said names an autoscaler as people do.
said(scaler) := sprintf("%s %s", [scaler.kind, words.shown(scaler.metadata.name)])

# seen is what a fight shows itself by, and why is what comes of it.
seen("fixed heap", fight) := sprintf("%s sets limits.memory by what was used, and the heap is fixed, %s: %s.", [
	said(fight.control.scaler),
	jvm.origin(fight.j, "MaxHeapSize"),
	sprintf("the JVM may come to use %v MiB", [fight.mib]),
])

seen("heap in place", fight) := sprintf("%s changes limits.memory under the running JVM (updateMode: %s).", [
	said(fight.control.scaler),
	mode_of(fight.control.scaler),
])

seen("same resource", fight) := sprintf("%s changes requests.%s, and %s scales by a share of it.", [
	said(fight.control.scaler),
	fight.control.resource,
	said(fight.metric.scaler),
])

seen("allocation", fight) := sprintf("%s moves limits.cpu, which is what the tenant pays for.", [
	said(fight.control.scaler),
])

seen("moved limit", fight) := sprintf("%s moves limits.cpu with requests.cpu, now %v to 1 (controlledValues).", [
	said(fight.control.scaler),
	round((fight.control.c.cpu_limit * 10) / fight.control.c.cpu_request) / 10,
])

seen("heap counted", fight) := sprintf("%s scales by memory, and a JVM (%s) seldom gives back %s.", [
	said(fight.metric.scaler),
	fight.j.gc,
	"what its heap has taken",
])

why := {
	"fixed heap": "Under a smaller limit the container is OOMKilled as the heap grows; a larger one helps no heap.",
	"heap in place": "Its heap keeps its size: a smaller limit gets the container OOMKilled, a larger one helps no heap.",
	"same resource": "Each changes what the other scales by: replicas and requests move although the load does not.",
	"allocation": "The limit leaves the allocation: the tenant uses CPU unpaid, or pays for CPU that it cannot use.",
	"moved limit": "Where the average use is low the limit shrinks too, and bursts that fit today are throttled.",
	"heap counted": "Replicas are added under load, and stay when it is gone.",
}
