# METADATA
# title: JVM under a startup boost
# description: |
#   A startup boost gives a container more CPU until it is ready and then takes it back, under the running process:
#   startupBoost of a VerticalPodAutoscaler, or Kube Startup CPU Boost, which takes the CPU limit away meanwhile
#   unless the Pod is Guaranteed. A JVM sizes its collector, its compilers and the common pool once, by the processors
#   that it counts as it starts (J12): under a boost by the boosted ones, or by all cores of the node. It keeps those
#   threads under the steady limit, and uses it up at once. A request that is boosted without the limit changes
#   nothing for it. A fixed count costs some of the boost: fewer threads compile while it lasts.
# related_resources:
# - ref: https://github.com/kubernetes/autoscaler/blob/master/vertical-pod-autoscaler/docs/features.md
#   description: CPU Startup Boost of VerticalPodAutoscaler
# - ref: https://github.com/google/kube-startup-cpu-boost#runtime-ergonomics
#   description: Kube Startup CPU Boost, runtime ergonomics
# custom:
#   id: HR607
#   severity: warning
#   harm: throttled
#   facts: [T1, J4, J12]
#   fixable: true
#   remediation: |
#     Set -XX:ActiveProcessorCount in JAVA_TOOL_OPTIONS to the steady CPU limit in whole cores.
package headroom.rules.running["jvm-startup-boost"]

import data.headroom.advice
import data.headroom.autoscalers
import data.headroom.cpu
import data.headroom.fix
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some boost in autoscalers.boosts
	j := jvm.by_id[boost.c.id]
	_counts(j)
	boosted := ceil(boost.milli / 1000)
	_more(boosted, j.processors)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": sprintf("%s %s as the container starts.", [boost.by, _change(boost)]),
		"why": sprintf("The JVM sizes its collector and pools by %s, once, and keeps these threads when the boost ends: %s", [
			_counted(boosted),
			cpu.spent({"c": boost.c, "count": boosted}),
		]),
		"expected": sprintf("%s, the steady count", [advice.steady_processors(j)]),
		"figures": {"limit_millicores": boost.c.cpu_limit, "boosted_millicores": boost.milli},
		"fix": fix.steady_processors(j, advice.processors(j), boost),
		"follows": ["latency-cpu-limit"],
	}
}

_more(0, _)

_more(boosted, steady) if boosted > steady

_counts(j) if {
	j.c.role != "init"
	not j.secret
	not j.flags.ActiveProcessorCount
	not jvm.off(j.flags, "UseContainerSupport")
}

_change(boost) := sprintf("takes limits.cpu of %s away", [quantity.format_cpu(boost.c.cpu_limit)]) if boost.milli == 0

_change(boost) := sprintf("raises limits.cpu from %s to %s", [
	quantity.format_cpu(boost.c.cpu_limit),
	quantity.format_cpu(boost.milli),
]) if {
	boost.milli > 0
}

_counted(0) := "all cores of the node"

_counted(n) := jvm.plural(n, "processor") if n > 0
