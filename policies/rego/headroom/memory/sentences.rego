package headroom.memory

import data.headroom.runtime.jvm

# equation is the budget as a person would write it down:
# heap 2048 (-XX:MaxRAMPercentage=50.0) + … = 2888 MiB.
equation(j, budget) := sprintf("%s = %v MiB", [
	concat(" + ", [part |
		some term in budget.terms
		part := sprintf("%s %v (%s)", [term.name, term.mib, source_text(j, term)])
	]),
	budget.total_mib,
])

# source_text says where a term comes from.
source_text(j, term) := jvm.flag_text(j, term.flag) if {
	term.source == "flag"
} else := sprintf("%v threads of %v KiB, %s", [term.threads, term.stack_kib, term.source]) if {
	term.name == "stacks"
} else := "as much as the heap, JVM default" if {
	term.name == "direct"
} else := sprintf("%v %% of the node's memory, JVM default", [j.heap.percent]) if {
	term.name == "heap"
	term.mib == 0
} else := sprintf("%v %% of the limit, JVM default", [j.heap.percent]) if {
	term.name == "heap"
} else := sprintf("%s, assumed", [j.gc]) if {
	term.name == "native"
	term.source == "assumed"
} else := term.source

# figures are the numbers behind a verdict on a budget.
figures(j, budget) := {
	"terms": [{"name": term.name, "mib": term.mib, "source": source_text(j, term)} | some term in budget.terms],
	"limit_mib": budget.limit_mib,
	"total_mib": budget.total_mib,
	"left_mib": budget.left_mib,
	"headroom_percent": round(budget.headroom * 1000) / 10,
}
