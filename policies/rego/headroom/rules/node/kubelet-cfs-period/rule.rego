# METADATA
# title: CFS period of the kubelet
# description: |
#   The period in which a CPU limit is enforced decides how long a container is throttled
#   once its quota is used up. For bursty services shorter is better: the longest stall
#   falls from 39 ms with the default of 100 ms to 6 ms with 10 ms (T9). For CPU-bound work
#   it is the other way round: threads that should just fit were throttled in 6.8 % of the
#   periods of 100 ms and in 49 % of those of 10 ms (T10). A burst that a quota of 100 ms takes
#   may be more than one of 10 ms: two threads of 50 ms under a limit of 1 are throttled in none of
#   1 period of 100 ms, and in 9 of 10 of 10 ms. From 10 ms up to, not including, 100 ms nothing is
#   reported.
# related_resources:
# - ref: https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   description: KubeletConfiguration
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR601
#   severity: info
#   harm: throttled
#   facts: [T9, T10]
#   remediation: |
#     Where CPU limits are required and bursts are throttled today, set cpuCFSQuotaPeriod to 10ms
#     or 20ms on the nodes that run these services, and leave 100ms everywhere else.
#     Before Kubernetes 1.36 turn the feature gate CustomCPUCFSQuotaPeriod on with it: without, the kubelet takes no
#     period but 100ms and does not start.
package headroom.rules.node["kubelet-cfs-period"]

import data.headroom.advice
import data.headroom.duration
import data.headroom.workload

report contains {
	"container": "",
	"path": ["cpuCFSQuotaPeriod"],
	"message": concat(" ", [seen, why]),
	"expected": concat(" ", [
		"10ms to 20ms on nodes whose services are throttled by bursts, before Kubernetes 1.36 with",
		"featureGates: {CustomCPUCFSQuotaPeriod: true}; 100ms elsewhere",
	]),
	"figures": {"period_ms": ms},
	"severity": severity,
} if {
	workload.manifest.kind == "KubeletConfiguration"
	workload.manifest.apiVersion == "kubelet.config.k8s.io/v1beta1"
	not workload.manifest.cpuCFSQuota == false # without a quota there is no period
	[ms, seen] := _read(object.get(workload.manifest, "cpuCFSQuotaPeriod", null))
	[severity, why] := _verdict(ms)
}

# The kubelet takes a period other than 100 ms only with the feature gate, which is on from Kubernetes 1.36 and off
# before (pkg/kubelet/apis/config/validation, pkg/features). --feature-gates may set it too, which is not seen here.
_verdict(ms) := ["error", concat(" ", [
	"featureGates.CustomCPUCFSQuotaPeriod is false: the kubelet refuses any period but 100ms and does not start.",
	"Set the gate to true, or take the period away.",
])] if {
	ms != 100
	_gate == false
} else := ["info", concat(" ", [
	"featureGates does not turn CustomCPUCFSQuotaPeriod on: before Kubernetes 1.36, where it is on by default,",
	"the kubelet then refuses any period but 100ms and does not start.",
])] if {
	not advice.cfs_period(ms)
	_gate != true
} else := advice.cfs_period(ms)

default _gate := null

_gate := on if {
	is_object(workload.manifest.featureGates)
	all := object.get(workload.manifest.featureGates, "AllAlpha", null)
	on := object.get(workload.manifest.featureGates, "CustomCPUCFSQuotaPeriod", all)
	is_boolean(on)
}

# [milliseconds, what is seen] of a period.
_read(null) := [100, "cpuCFSQuotaPeriod is not set, which means 100 ms."]

_read(period) := [duration.ms(period), sprintf("cpuCFSQuotaPeriod is %v.", [period])] if period != null
