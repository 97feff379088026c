package headroom.diagnose

# _throttle_verdict is [status, words, fix] for hundredths of so many periods.
_throttle_verdict(hundredths, periods) := ["warning", words, fix] if {
	hundredths > periods * percent.throttled_alert
	words := sprintf(": an alert fires at more than %v %% for 10 minutes.", [percent.throttled_alert])
	fix := "Remove the CPU limit where the class allows it, or run fewer threads at once: GC threads (T6), workers (T12)."
} else := ["warning", words, fix] if {
	hundredths >= periods * percent.throttled_healthy
	words := sprintf(": more than is healthy (%v %%), no cause for an alert yet (%v %%).", [
		percent.throttled_healthy,
		percent.throttled_alert,
	])
	fix := "Run fewer threads at once, or remove the CPU limit where the class allows it."
} else := ["ok", ".", ""]
