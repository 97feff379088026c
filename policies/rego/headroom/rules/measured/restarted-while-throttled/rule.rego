# METADATA
# title: Restarted by its probe while throttled, as measured
# description: |
#   The container ended with exit code 137 or 143, and not for memory; it has a liveness or startup
#   probe, and is throttled in more than 5 % of its periods. A throttled process may not answer a probe
#   within a second, and the kubelet then restarts a program that is slow but alive. Each start takes
#   more CPU, and is throttled again.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#   description: Probes, and what the kubelet does when they fail
# custom:
#   id: HR605
#   severity: warning
#   harm: throttled
#   facts: [T5]
#   remediation: |
#     End the throttling (HR602), or give the probe a timeoutSeconds of 5 and a startupProbe for the start.
package headroom.rules.measured["restarted-while-throttled"]

import data.headroom.cpu
import data.headroom.measured
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	seen := measured.containers[c.name]
	seen.probe_kills > 0
	cpu.throttling(seen.ratio, 1) in {"warning", "error"}
	c.cpu_limit > 0
	probe := [name | some name in ["livenessProbe", "startupProbe"]; is_object(c.raw[name])][0]
	timeout := _timeout(c.raw[probe])
	timeout < _enough
	finding := {
		"container": c.name,
		"path": array.concat(c.path, [probe, "timeoutSeconds"]),
		"message": concat(" ", [
			sprintf("Ended %s with exit code 137 or 143, not as OOMKilled,", [words.times(seen.probe_kills)]),
			sprintf("and its Pods were throttled in %v %% of their periods:", [round(seen.ratio * 1000) / 10]),
			sprintf("a throttled one may not answer its %s within %v s.", [probe, timeout]),
		]),
		"expected": sprintf("no throttling (HR602), or %s.timeoutSeconds of %v or more", [probe, _enough]),
		"figures": {"kills": seen.probe_kills, "timeout_seconds": timeout},
	}
}

# The kubelet's default is a second.
_timeout(probe) := probe.timeoutSeconds if {
	is_number(probe.timeoutSeconds)
} else := 1

# Seconds: fifty periods, of which some are not throttled.
_enough := 5
