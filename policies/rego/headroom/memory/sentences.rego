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

# left_text says what a budget leaves of its limit.
left_text(budget) := sprintf("%v MiB more than the limit of %v MiB", [0 - budget.left_mib, budget.limit_mib]) if {
	budget.left_mib < 0
} else := sprintf("it leaves %v of %v MiB, %v %%", [
	budget.left_mib,
	budget.limit_mib,
	round(budget.headroom * 1000) / 10,
])

# least_text says, behind a budget, what its low end is; "" where that is the budget itself.
least_text(budget, _) := "" if least_mib(budget) == budget.total_mib

least_text(budget, container) := sprintf(" %s %v MiB, %v %% of the limit.%s", [
	"With the regions that nobody has bounded at the low end of what is typical it is",
	least,
	round((least * 100) / budget.limit_mib),
	_declare(budget, least, container),
]) if {
	least := least_mib(budget)
	least < budget.total_mib
}

_declare(budget, least, _) := "" if least > allowed(budget.limit_mib)

_declare(budget, least, container) := sprintf(
	" Say what was measured (annotation jvm.headroom.dev/%s: threads=, classes=, native=), or cap the regions.",
	[container],
) if {
	least <= allowed(budget.limit_mib)
}

# heap_path is what sets the maximum heap: a flag, else the limit.
heap_path(j) := j.flags[j.heap.flag].path

heap_path(j) := array.concat(j.c.path, ["resources", "limits", "memory"]) if not j.flags[j.heap.flag]

# figures are the numbers behind a verdict on a budget.
figures(j, budget) := {
	"terms": [{"name": term.name, "mib": term.mib, "source": source_text(j, term)} | some term in budget.terms],
	"limit_mib": budget.limit_mib,
	"total_mib": budget.total_mib,
	"left_mib": budget.left_mib,
	"headroom_percent": round(budget.headroom * 1000) / 10,
}
