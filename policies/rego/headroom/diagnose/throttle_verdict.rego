package headroom.diagnose

import data.headroom.classify
import data.headroom.cpu
import data.headroom.workload

# _throttle_verdict is [status, words, fix] for so many throttled periods of so many: HR602's, which has no status
# between healthy and info.
_throttle_verdict(cut, periods) := [_status[how], words, fix] if {
	how := cpu.throttling(cut, periods)
	how in {"warning", "error"}
	words := sprintf(": an alert fires at more than %v %% for 10 minutes.", [cpu.throttling_from.alert])
	fix := "Remove the CPU limit where the class allows it, or run fewer threads at once: GC threads (T6), workers (T12)."
} else := ["warning", words, fix] if {
	cpu.throttling(cut, periods) == "info"
	words := sprintf(": more than is healthy (%v %%), no cause for an alert yet (%v %%).", [
		cpu.throttling_from.healthy,
		cpu.throttling_from.alert,
	])
	fix := "Run fewer threads at once, or remove the CPU limit where the class allows it."
} else := ["ok", ".", ""]

# Batch and cron work only gets later by it.
_status := {"warning": "warning", "error": "warning"} if {
	_class in {"batch", "cron"}
} else := {"warning": "warning", "error": "error"}

_class := [class |
	classes := classify.classes with input as input.pod
	containers := workload.containers with input as input.pod
	some c in containers
	c.name == input.container
	class := classes[c.id]
][0]
