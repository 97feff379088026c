# METADATA
# title: CFS period of the kubelet
# description: |
#   The period in which a CPU limit is enforced decides how long a container stands still
#   once its quota is used up. For bursty services shorter is better: the longest stall
#   falls from 39 ms with the default of 100 ms to 6 ms with 10 ms (T9). For CPU-bound work
#   it is the other way round: threads that should just fit were throttled in 6.8 % of the
#   periods of 100 ms and in 49 % of those of 10 ms (T10). From 10 ms up to, not including,
#   100 ms nothing is reported.
# related_resources:
# - ref: https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   description: KubeletConfiguration
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR601
#   severity: info
#   facts: [T9, T10]
#   remediation: |
#     Where CPU limits are required, set cpuCFSQuotaPeriod to 10ms or 20ms on nodes that run
#     bursty, latency-sensitive services, and leave 100ms on nodes that run CPU-bound work.
#     Where the CustomCPUCFSQuotaPeriod feature gate is off, it must be turned on with it.
package headroom.rules.node["kubelet-cfs-period"]

import data.headroom.duration
import data.headroom.workload

report contains {
	"container": "",
	"path": ["cpuCFSQuotaPeriod"],
	"message": concat(" ", [_seen, advice[1]]),
	"expected": "10ms to 20ms where bursty services have CPU limits; 100ms for CPU-bound work",
	"figures": {"period_ms": _ms},
	"severity": advice[0],
} if {
	workload.manifest.kind == "KubeletConfiguration"
	workload.manifest.apiVersion == "kubelet.config.k8s.io/v1beta1"
	not workload.manifest.cpuCFSQuota == false # without a quota there is no period
	advice := _advice
}

_period := object.get(workload.manifest, "cpuCFSQuotaPeriod", null)

_ms := duration.ms(_period) if _period != null

_ms := 100 if _period == null

_seen := "cpuCFSQuotaPeriod is not set, which means 100 ms." if _period == null

_seen := sprintf("cpuCFSQuotaPeriod is %v.", [_period]) if _period != null

# The kubelet takes 1 ms to 1 s.
_advice := ["error", "That is no duration (100ms, 0.02s): the kubelet does not start."] if {
	_ms < 0
} else := ["error", "The kubelet takes 1ms to 1s and does not start with this."] if {
	not _in_range
} else := ["info", concat(" ", [_long, _bursty, _bound])] if {
	_ms >= 100
} else := ["info", concat(" ", [_short, _bound, _bursty])] if {
	_ms < 10
}

_in_range if {
	_ms >= 1
	_ms <= 1000
}

_long := "A container that has used its quota up stands still until the period ends."

_short := "Periods under 10 ms cost the scheduler 0.5-1 % of a core for each container (measured at 5 ms)."

_bursty := "T9, bursty service: longest stall and P99 were 39 and 178 ms at 100 ms, 6 and 38 ms at 10 ms."

_bound := "T10, CPU-bound work: 6.8 % of periods throttled at 100 ms, 45 % at 50 ms, 49 % at 10 ms."
