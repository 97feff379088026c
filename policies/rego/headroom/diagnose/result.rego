# METADATA
# title: The health of a running container
# description: |
#   What was read from a container, held to what is healthy at run time (M2, T5, T14) and to
#   the budget of its manifest (M1). The input is {read, jvm, api, missing, broken, budget,
#   pod, container}; whatever of it is not there, or has another shape, is unknown.
package headroom.diagnose

# result is {checks, regions, budget}: each check is {check, status, value, healthy, message,
# fix, fact}, and status one of ok, warning, error, unknown.
result := {"checks": checks, "regions": regions, "budget": budget}

checks := array.concat(garbage, array.concat(of_any, of_jvm))

of_any := array.concat(
	array.concat([throttled, mean_throttle], array.concat(quota, array.concat(kernel, cpus))),
	[working_set, oom_kills, restarts],
)

# A container that is known to run no JVM has no heap to ask about, and where nothing tells
# whether it does, that is all there is to say.
of_jvm := [] if {
	input.jvm == false
	budget == null
} else := [unknown("jvm", _no_sign, "runtime.headroom.dev/<container>: jvm on the Pod says so.")] if {
	not input.jvm == true
	budget == null
} else := array.concat([heap, metaspace, threads, direct, fits], container_support)

_no_sign := sprintf("whether one runs here; %s", [why(["PerfCounter.print"])])

# garbage is an error of its own for each file that is not what it should be. A health that was made
# of the rest would pass for a whole one.
garbage := [verdict("file", "error", sprintf("%v", [entry.file]), message, fix) |
	some entry in input.broken
	message := sprintf("%v cannot be read: %v.", [entry.file, entry.reason])
	fix := "Collect it again, whole and unchanged."
]

# verdict is a check as it is shown, fix being what would fix it.
verdict(check, status, value, message, fix) := {
	"check": check,
	"status": status,
	"value": value,
	"healthy": about[check][0],
	"message": message,
	"fix": fix,
	"fact": about[check][1],
}

# judged is ok below what is healthy, and else a warning with the advice.
judged(check, is, most, value, message, _) := verdict(check, "ok", value, message, "") if is < most

judged(check, is, most, value, message, fix) := verdict(check, "warning", value, message, fix) if is >= most

# unknown says why nothing is known, and what would make it known.
unknown(check, reason, fix) := verdict(check, "unknown", "", sprintf("Not known: %s.", [trim_suffix(reason, ".")]), fix)
