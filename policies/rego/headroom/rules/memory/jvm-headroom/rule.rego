# METADATA
# title: JVM without memory headroom
# description: |
#   Heap, metaspace, compiled code, direct memory, thread stacks and the JVM's own data all count
#   against the one limit of the container, and the kernel kills the process that reaches it. So does
#   what a program keeps outside the heap by a setting of its own, as a page cache. The budget adds up
#   what each is expected to take (M1, M7, M10). A fifth of the limit, and at most 1 GiB, must stay free
#   for libraries and what no flag bounds. Measured at 512 MiB: OOMKilled with 75 % heap, alive with 50
#   %. It is an error where even the low end of the budget leaves less than that free, a warning where
#   only the expected sum does, an info where nearly as much is left. HR307 covers regions without a
#   cap. Where a source that was not read may set flags, such as a Secret or a file of options, the
#   error is a warning that names it.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: The flags of the java command
# custom:
#   id: HR303
#   severity: error
#   harm: OOMKilled
#   size: "% of the limit"
#   facts: [J17, M1, M3, M4, M6, M7, M10]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Lower the heap or raise the limit, and the request with it; the finding says how far, where that is
#     known. What no manifest shows is measured and goes into the annotation
#     jvm.headroom.dev/<container>: threads=120 native=80Mi classes=15000. It counts in place of what is
#     expected.
package headroom.rules.memory["jvm-headroom"]

import data.headroom.advice
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# There is no fix: a share that headroom injects (HR406) is chosen so that it fits, and one that
# somebody else has set is theirs.
report contains finding if {
	some id, budget in memory.budgets
	budget.complete
	severity := memory.severity(budget)
	severity != ""
	j := jvm.jvms[id]
	j.c.role != "init"

	# HR304 has the shorter story.
	j.heap.bytes < j.c.memory_limit
	not jvm.blind(j)
	not jvm.heap_is_scripts(j)
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": concat(" ", array.concat(
			[sprintf("The JVM is expected to use %v MiB (heap %v), and the limit is %v MiB: %s.%s", [
				budget.total_mib,
				budget.terms[0].mib,
				budget.limit_mib,
				memory.judged_text(budget),
				memory.least_text(budget),
			])],
			[text | severity == "error"; some text in jvm.unless_stronger(j, "")],
		)),
		"expected": advice.wanted_memory(j, budget.limit_mib),
		"figures": object.union(memory.figures(j, budget), advice.passing(j, budget.limit_mib)),
		"size": quantity.percent(budget.total_mib, budget.limit_mib),
		"severity": jvm.firm(j, "", severity),
	}
}
