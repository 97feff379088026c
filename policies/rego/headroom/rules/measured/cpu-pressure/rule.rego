# METADATA
# title: Threads wait for a CPU, as measured
# description: |
#   The kernel counts the time in which at least one thread of the container was ready to run and had no CPU
#   (PSI, cpu "some"). Where the container is hardly throttled, others on the node have taken the CPU: its request,
#   which is its weight, is too small for what it needs, or the node is full. Nodes have it from Kubernetes 1.34 on
#   (container_pressure_cpu_waiting_seconds_total), on cgroup v2 with PSI in the kernel.
# related_resources:
# - ref: https://docs.kernel.org/accounting/psi.html
#   description: Pressure stall information
# - ref: https://kubernetes.io/docs/reference/instrumentation/understand-psi-metrics/
#   description: PSI metrics of the kubelet
# custom:
#   id: HR604
#   severity: info
#   harm: starved
#   facts: [T5]
#   remediation: |
#     Raise requests.cpu to the measured average use, or the peak where latency counts, or give the node less to do.
package headroom.rules.measured["cpu-pressure"]

import data.headroom.cpu
import data.headroom.measured
import data.headroom.quantity
import data.headroom.workload

# Waiting in a tenth of the time is what a thread notices; the kernel gives no threshold of its own.
_much := 0.1

report contains finding if {
	some c in workload.containers
	seen := measured.containers[c.name]
	seen.waiting > _much

	# A throttled thread waits as well: HR602 has the story.
	cpu.throttling(seen.ratio, 1) == "healthy"
	c.role != "init"

	# A request that is at the peak leaves only the node to blame.
	peak := max([seen.cpu_peak, seen.cpu_average])
	peak > c.cpu_request
	percent := round(seen.waiting * 1000) / 10
	finding := {
		"container": c.name,
		"path": array.concat(c.path, ["resources", "requests", "cpu"]),
		"message": sprintf("Threads waited for a CPU %v %% of the time, and it is hardly throttled: %s (%s).", [
			percent,
			sprintf("requests.cpu %s weighs too little on a busy node", [quantity.format_cpu(c.cpu_request)]),
			seen.text,
		]),
		"expected": sprintf("requests.cpu: %s (the measured peak)", [quantity.format_cpu(peak)]),
		"figures": {"percent": percent, "request_millicores": c.cpu_request, "peak_millicores": peak},
	}
}
