# METADATA
# title: Direct memory that is near its cap, as measured
# description: |
#   Buffers outside of the heap take more than 90 % of what the JVM allows them: -XX:MaxDirectMemorySize, or as much as
#   the heap where that is not set. The next buffer that does not fit is an OutOfMemoryError, "Cannot reserve … bytes of
#   direct buffer memory", however much room the container has. The JVM tells it as jvm_buffer_memory_used_bytes or
#   jvm_buffer_pool_used_bytes; an annotation says it, too: jvm.headroom.dev/<container>: direct=240Mi.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxDirectMemorySize
# custom:
#   id: HR613
#   severity: warning
#   harm: pauses
#   certain: true
#   size: "% of the cap"
#   facts: [M4]
#   remediation: |
#     Raise -XX:MaxDirectMemorySize to what the finding names, and limits.memory with it. Where direct memory grows
#     all the time it is a leak (HR614): buffers that nothing releases.
package headroom.rules.measured["jvm-direct-near-cap"]

import data.headroom.advice
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	pod := _fullest(j)
	cap := memory.direct_cap(j, pod)
	taken := pod.direct
	taken > cap.bytes * _most
	percent := quantity.percent(taken, cap.bytes)
	finding := {
		"container": j.container,
		"path": array.concat(j.c.path, ["env"]),
		"message": sprintf("Direct memory took %v MiB of the %v that %s, %v %% (%s); 90 %% is the most.", [
			quantity.mib(taken),
			quantity.mib(cap.bytes),
			cap.text,
			percent,
			jvm.fact_text(j, "direct"),
		]),
		"why": "A buffer that does not fit under the cap is an OutOfMemoryError.",
		"expected": sprintf("%s, and limits.memory with it", [
			advice.in_place(j, sprintf("-XX:MaxDirectMemorySize=%vm", [advice.cap_for_taken_mib(taken)])),
		]),
		"figures": {"direct_mib": quantity.mib(taken), "cap_mib": quantity.mib(cap.bytes)},
		"size": percent,
		"severity": "warning",
	}
}

# Where a flag sets the cap, or the heap, the most that was taken counts; else what was in the heap's own Pod.
_fullest(j) := measured.of_pod(j.container, "direct_share") if {
	"direct" in object.get(j, "seen", set())
	j.heap.flag == ""
	object.get(j.numbers, "MaxDirectMemorySize", 0) <= 0
} else := object.union(measured.runtime_of(j.container), {"direct": j.facts.direct})

_most := 0.9
