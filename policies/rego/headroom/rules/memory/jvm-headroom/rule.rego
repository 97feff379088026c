# METADATA
# title: JVM without memory headroom
# description: |
#   Heap, metaspace, compiled code, direct memory, thread stacks and the JVM's own books all
#   count against the one limit of the container, and the kernel kills the process that reaches
#   it. The budget adds up what each may grow to (M1); a fifth of the limit must stay free, for
#   the page cache, libraries and what no flag bounds. What is not set counts as what the JVM
#   would allow: direct memory as much as the heap, 240 MiB of compiled code. Killed at 512 MiB
#   with 75 % heap, alive with 50 % (measured). A warning, not an error, where the budget would
#   hold if the regions that nobody has bounded stayed at the low end of what is typical (M1).
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: The flags of the java command
# custom:
#   id: HR303
#   severity: error
#   facts: [M1, M3, M4, M6]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Bound the regions (-XX:MaxDirectMemorySize, -XX:MaxMetaspaceSize,
#     -XX:ReservedCodeCacheSize, -Xss), lower the heap, or raise the limit; the finding says how
#     far. Facts that no manifest shows go into the annotation jvm.headroom.dev/<container>:
#     threads=120 native=80Mi classes=15000.
package headroom.rules.memory["jvm-headroom"]

import data.headroom.advice
import data.headroom.config
import data.headroom.memory
import data.headroom.runtime.jvm

# There is no fix: a share that headroom injects (HR406) is chosen so that it fits, and one that
# somebody else has set is theirs.
report contains finding if {
	some id, budget in memory.budgets
	budget.complete
	budget.total_mib > memory.allowed(budget.limit_mib)
	j := jvm.jvms[id]
	j.c.role != "init"

	# HR304 has the shorter story.
	j.heap.bytes < j.c.memory_limit
	not jvm.blind(j)
	not jvm.heap_is_scripts(j)
	least := memory.least_mib(budget)
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": sprintf("%s: %s. %v %% must stay free.%s", [
			memory.equation(j, budget),
			memory.left_text(budget),
			config.settings.memory.headroom * 100,
			memory.least_text(budget, j.container),
		]),
		"expected": advice.wanted_memory(j, budget.limit_mib),
		"figures": object.union_n([memory.figures(j, budget), advice.passing(j, budget.limit_mib), {"least_mib": least}]),
		"severity": _severity[least > memory.allowed(budget.limit_mib)],
	}
}

# A budget that only its assumptions break is no error.
_severity := {true: "error", false: "warning"}
