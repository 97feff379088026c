package headroom.diagnose

# oom_kills counts what the kernel killed in this cgroup, and the end of the container before.
oom_kills := verdict("oom-kills", "error", value, concat(" ", array.concat(_kernel_says, _api_says)), fix) if {
	count(_kernel_says) + count(_api_says) > 0
	value := sprintf("%v", [_kills + count(_api_says)])
	fix := "Hold the budget to the limit: lower the heap, or raise the limit (M1)."
} else := verdict("oom-kills", "ok", "0", message, "") if {
	input.read.oom_kills == 0
	message := sprintf("Nothing was killed since the container started%s.", [_before])
} else := unknown("oom-kills", why(["memory.events", "memory.oom_control"]), "The kernel's log of the node tells.")

default _kills := 0

_kills := number(input.read.oom_kills)

_kernel_says := [sprintf("The kernel killed %v since the container started.", [_processes])] if _kills > 0

_kernel_says := [] if _kills == 0

_processes := "one of its processes" if _kills == 1

_processes := sprintf("%v of its processes", [_kills]) if _kills > 1

_api_says := [sprintf("The container before it was OOMKilled%s.", [_ended_at])] if {
	input.api.reason == "OOMKilled"
} else := []

_before := "" if {
	number(input.api.restarts)
} else := "; of the time before nothing is known"

_ended_at := sprintf(" at %s", [input.api.finished]) if {
	is_string(input.api.finished)
	input.api.finished != ""
} else := ""

# restarts of the container as the API counts them.
restarts := verdict("restarts", "ok", "0", "It has never been restarted.", "") if {
	input.api.restarts == 0
} else := verdict("restarts", "warning", sprintf("%v", [input.api.restarts]), message, fix) if {
	positive(input.api.restarts)
	message := sprintf("It was restarted.%s", [_last])
	fix := "kubectl logs --previous shows its last words; exit code 137 is a kill: memory, or a failed liveness probe."
} else := unknown("restarts", "the Pod's status was not read", "Save `kubectl get pod -o json` as pod.json.")

_last := sprintf(" It last ended%s: %v, exit code %v.", [_ended_at, input.api.reason, input.api.exit_code]) if {
	is_string(input.api.reason)
	is_number(input.api.exit_code)
} else := ""
