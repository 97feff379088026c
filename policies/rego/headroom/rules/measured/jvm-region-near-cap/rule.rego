# METADATA
# title: Metaspace, class space or code cache that is near its cap, as measured
# description: |
#   A region outside of the heap took more than 90 % of what its flag allows, or, of compiled code, of what the JVM
#   allows by itself. Metaspace at -XX:MaxMetaspaceSize costs a full collection, and then an OutOfMemoryError,
#   "Metaspace"; the class space at -XX:CompressedClassSpaceSize one that names it. A code cache that is full stops the
#   compilers: what is not compiled yet stays slow. The container may have room for all of them. The JVM tells them as
#   jvm_memory_committed_bytes or jvm_memory_pool_committed_bytes; an annotation says two of them, too:
#   jvm.headroom.dev/<container>: metaspace=240Mi codecache=60Mi.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxMetaspaceSize, -XX:CompressedClassSpaceSize and -XX:ReservedCodeCacheSize
# custom:
#   id: HR615
#   severity: warning
#   harm: pauses
#   certain: true
#   size: "% of the cap"
#   facts: [M4]
#   remediation: |
#     Raise the flag to what the finding names, and limits.memory with it. Where metaspace grows all the time it is a
#     leak of classes (HR614), and a larger cap only puts its end off.
package headroom.rules.measured["jvm-region-near-cap"]

import data.headroom.advice
import data.headroom.measured
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	some fact, region in _regions
	taken := _taken(j, fact)
	cap := _cap(j, fact, taken.bytes)
	taken.bytes > cap.bytes * _most
	percent := quantity.percent(taken.bytes, cap.bytes)
	finding := {
		"container": j.container,
		"path": array.concat(j.c.path, ["env"]),
		"message": sprintf("%s took %v MiB of the %v that %s, %v %% (%s); 90 %% is the most.", [
			region.name,
			quantity.mib(taken.bytes),
			quantity.mib(cap.bytes),
			cap.text,
			percent,
			taken.text,
		]),
		"why": region.why,
		"expected": sprintf("%s, and%s limits.memory with it", [
			advice.in_place(j, sprintf("-XX:%s=%vm", [region.flag, advice.cap_for_taken_mib(taken.bytes)])),
			_parts(j, fact),
		]),
		"figures": {sprintf("%s_mib", [fact]): quantity.mib(taken.bytes), "cap_mib": quantity.mib(cap.bytes)},
		"size": percent,
		"severity": "warning",
	}
}

_regions := {
	"metaspace": {
		"name": "Metaspace",
		"flag": "MaxMetaspaceSize",
		"why": "A class that does not fit under the cap is an OutOfMemoryError.",
	},
	"class_space": {
		"name": "The compressed class space",
		"flag": "CompressedClassSpaceSize",
		"why": "A class that does not fit under the cap is an OutOfMemoryError.",
	},
	"code_cache": {
		"name": "The code cache",
		"flag": "ReservedCodeCacheSize",
		"why": "A code cache that is full stops the compilers: what is not compiled yet stays slow.",
	},
}

_taken(j, fact) := {"bytes": j.facts[fact], "text": jvm.fact_text(j, fact)}

# No annotation says it.
_taken(j, "class_space") := {"bytes": seen.class_space, "text": seen.text} if {
	seen := measured.runtime_of(j.container)
}

_cap(j, fact, _) := {"bytes": bytes, "text": sprintf("-XX:%s allows", [_regions[fact].flag])} if {
	bytes := jvm.size_of(j.flags[_regions[fact].flag].value)
	bytes > 0
}

# More than the JVM allows by itself shows that a flag is out of sight.
_cap(j, "code_cache", taken) := {"bytes": bytes, "text": "the JVM allows without -XX:ReservedCodeCacheSize"} if {
	not j.flags.ReservedCodeCacheSize
	bytes := jvm.code_cache_size(j)
	taken <= bytes
}

_parts(j, "code_cache") := " its segments and" if {
	jvm.code_cache_in_parts(j)
} else := ""

_parts(_, fact) := "" if fact != "code_cache"

_most := 0.9
