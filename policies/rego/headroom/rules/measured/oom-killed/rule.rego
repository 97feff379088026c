# METADATA
# title: OOMKilled, as measured
# description: |
#   The kernel killed the container, or a process in it, because its memory reached the limit. Where the
#   memory budget of its JVM is more than the limit, that was to be expected. Where it is not, something
#   takes memory that no flag and no variable shows: measure it, and say it in an annotation. A kill
#   under a smaller limit than today's is an info, and so is an end with exit code 137 or 143 without
#   the reason OOMKilled, whose cause is not known. Prometheus has the kills
#   (container_oom_events_total, kube_pod_container_status_last_terminated_reason); without one headroom
#   audit takes the last end of each container from the Pods' status.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#   description: Containers that exceed their memory limit
# custom:
#   id: HR603
#   severity: error
#   harm: OOMKilled
#   certain: true
#   facts: [M1, M2]
#   remediation: |
#     Raise limits.memory, and requests.memory with it, or make the heap smaller, as HR303 and HR304 say. Where the
#     model has room left, say what it does not see:
#     jvm.headroom.dev/<container>: direct=256Mi threads=400 native=100Mi.
package headroom.rules.measured["oom-killed"]

import data.headroom.advice
import data.headroom.config
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.rules.measured["restarted-while-throttled"] as while_throttled
import data.headroom.words
import data.headroom.workload

# What was killed can be killed again: the finding is certain, and that is not.
report contains finding if {
	some c in workload.containers
	seen := measured.containers[c.name]
	seen.oom_kills > 0
	finding := {
		"container": c.name,
		"path": memory.limit_path(c),
		"message": concat("", [
			sprintf("OOMKilled %s%s (%s).", [words.times(seen.oom_kills), _over(seen), seen.figures.source]),
			_told(c, seen),
		]),
		"expected": _expected(c, seen),
		"figures": object.union({"kills": seen.oom_kills, "limit_bytes": max([0, c.memory_limit])}, _total(c)),
		"severity": _severity(c, seen),
		"outcome": "possible",
		"follows": ["jvm-headroom", "jvm-heap-reaches-limit", "runtime-reaches-limit"],
	}
}

# A process that is killed beside the first ends the container with 137 and another reason, and so does a probe.
report contains finding if {
	some c in workload.containers
	seen := measured.containers[c.name]
	seen.probe_kills > 0
	seen.oom_kills == 0
	count([f | some f in while_throttled.report; f.container == c.name]) == 0
	finding := {
		"container": c.name,
		"path": memory.limit_path(c),
		"message": sprintf("Ended %s%s with exit code 137 or 143, and not as OOMKilled (%s). The cause is not known: %s.", [
			words.times(seen.probe_kills),
			_over(seen),
			seen.figures.source,
			concat("", [_probe(c), "a process in it that was OOMKilled, or somebody who ended it", _near(c, seen)]),
		]),
		"expected": "its cause: kubectl describe pod shows failed probes, the kernel's log of the node OOM kills",
		"figures": {"kills": seen.probe_kills, "limit_bytes": max([0, c.memory_limit])},
		"severity": "info",
	}
}

_probe(c) := "a failed probe, " if {
	some name in ["livenessProbe", "startupProbe"]
	is_object(c.raw[name])
} else := ""

_near(c, seen) := sprintf("; its memory peak is %v %% of the limit", [percent]) if {
	percent := quantity.percent(seen.memory_peak, c.memory_limit)
	c.memory_limit > 0
	seen.memory_peak > 0
} else := ""

_over(seen) := sprintf(" in %s", [words.span(seen.figures.window_seconds)]) if {
	seen.figures.window_seconds > 0
} else := ""

# The limit has been raised since, if the peak under the old one leaves room below it.
_raised(c, seen) if {
	seen.memory_peak > 0
	c.memory_limit * config.settings.memory.peak >= seen.memory_peak
}

_severity(c, seen) := "info" if {
	_raised(c, seen)
} else := "error"

_budget(c) := memory.told[c.id] if memory.told[c.id].complete

_total(c) := {"budget_mib": _budget(c).total_mib} if {
	_budget(c)
} else := {}

_told(c, seen) := " The limit was smaller then." if {
	_raised(c, seen)
} else := sprintf(" Its budget comes to %v MiB, and the limit is %v: too little was left free.", [
	_budget(c).total_mib,
	_budget(c).limit_mib,
]) if {
	_foretold(c)
} else := sprintf(" Its budget comes to %v MiB, and the limit is %v: something that it does not count took the rest.", [
	_budget(c).total_mib,
	_budget(c).limit_mib,
]) if {
	_budget(c)
} else := sprintf(" Its memory peak is %v MiB, the limit %v MiB.", [
	quantity.mib(seen.memory_peak),
	quantity.mib(c.memory_limit),
]) if {
	seen.memory_peak > 0
	c.memory_limit > 0
} else := ""

_foretold(c) if _budget(c).total_mib > memory.allowed(_budget(c).limit_mib)

_expected(c, seen) := "nothing: the peak leaves room below today's limit" if {
	_raised(c, seen)
} else := "a smaller heap or a larger limit, as HR303 or HR304 says" if {
	_foretold(c)
} else := sprintf("%s; or say what takes it: jvm.headroom.dev/%s: direct=… threads=… native=…", [
	_larger(c, seen),
	c.name,
]) if {
	_budget(c)
} else := _larger(c, seen)

_larger(c, seen) := sprintf("limits.memory: %s or more%s", [
	quantity.format_memory(advice.limit_for_peak(max([seen.memory_peak, c.memory_limit]), permille)),
	advice.and_request(c),
]) if {
	permille := round(config.settings.memory.peak * 1000)
	permille >= 1
	max([seen.memory_peak, c.memory_limit]) > 0
} else := "a larger limits.memory, and requests.memory with it"
