package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# source_text says where the expected figure of a term comes from, and what bounds the region.
source_text(j, term) := jvm.flag_text(j, term.flag) if {
	term.source == "flag"
} else := sprintf("%v threads of %v KiB, %s", [term.threads, term.stack_kib, term.source]) if {
	term.name == "stacks"
} else := sprintf("%v %% of the node's memory, JVM default", [j.heap.percent]) if {
	term.name == "heap"
	term.mib == 0
} else := "as much as compressed pointers reach, JVM default" if {
	term.name == "heap"
	j.heap.compressed
} else := sprintf("%v %% of the limit, JVM default", [j.heap.percent]) if {
	term.name == "heap"
} else := sprintf("%s, assumed", [j.gc]) if {
	term.name == "native"
	term.source == "assumed"
} else := sprintf("%s, at most %v: %s", [term.source, term.bound_mib, jvm.flag_text(j, term.flag)]) if {
	term.flag != ""
} else := sprintf("%s, at most %v", [term.source, term.bound_mib]) if {
	term.name in {"code cache", "direct"}
	term.bound_mib > term.mib
} else := term.source

# left_text says what a budget leaves of its limit.
left_text(budget) := sprintf("%v MiB too much", [0 - budget.left_mib]) if {
	budget.left_mib < 0
} else := sprintf("%v MiB are left, %v %%", [budget.left_mib, round(budget.headroom * 1000) / 10])

# judged_text says it beside what has to stay free: a share of the limit, or of a large one an amount.
judged_text(budget) := concat("", [
	sprintf("%s, and %s must stay free: ", [left_text(budget), margin_text(budget.limit_mib)]),
	sprintf("enough, unless it takes all of the %v MiB that are allowed", [budget.bound_mib]),
]) if {
	budget.total_mib <= allowed(budget.limit_mib)
} else := sprintf("%s, nearly the %s that must stay free", [left_text(budget), margin_text(budget.limit_mib)]) if {
	near(budget)
} else := sprintf("%s, and %s must stay free", [left_text(budget), margin_text(budget.limit_mib)])

# margin_text is what has to stay free of a limit.
margin_text(limit_mib) := sprintf("%v MiB", [most_headroom_mib]) if {
	limit_mib * config.settings.memory.headroom > most_headroom_mib
} else := sprintf("%v %%", [round(config.settings.memory.headroom * 1000) / 10])

# least_text says, behind what is expected, what the low end is; "" where that is the same, or nearly enough is
# left. It names no container, so that what is the same of several is said once.
least_text(budget) := "" if {
	budget.least_mib == budget.total_mib
} else := "" if {
	severity(budget) == "info"
} else := sprintf(" Even the low end, %v MiB, is over the limit: it is OOMKilled once the heap fills.", [
	budget.least_mib,
]) if {
	budget.least_mib > budget.limit_mib
} else := sprintf(" Even the low end, %v MiB, leaves too little.", [budget.least_mib]) if {
	budget.least_mib > allowed(budget.limit_mib)
} else := sprintf(" It may use as little as %v MiB.", [budget.least_mib])

# heap_path is what sets the maximum heap: a flag, else the limit.
heap_path(j) := j.flags[j.heap.flag].path

heap_path(j) := array.concat(j.c.path, ["resources", "limits", "memory"]) if not j.flags[j.heap.flag]

# figures are the numbers behind a verdict on a budget.
figures(j, budget) := {
	"terms": [{
		"name": term.name,
		"mib": term.mib,
		"least": term.least_mib,
		"most": term.bound_mib,
		"grade": term.grade,
		"source": source_text(j, term),
	} |
		some term in budget.terms
	],
	"grade": budget.grade,
	"least_mib": budget.least_mib,
	"bound_mib": budget.bound_mib,
	"limit_mib": budget.limit_mib,
	"total_mib": budget.total_mib,
	"left_mib": budget.left_mib,
	"headroom_percent": round(budget.headroom * 1000) / 10,
}
