package headroom.diagnose

import data.headroom.words

# fits compares what is expected of the manifest's JVM with what it takes. Compiled code cannot be
# declared, so only the sum tells of it.
fits := verdict("memory-budget", "warning", _of_budget, concat(" ", complaints), fix) if {
	outgrown := [_complaint(region) |
		some region in regions
		region.used_mib > region.budget_mib
		region.name != "code cache"
	]
	complaints := array.concat(_sum_complaint, outgrown)
	complaints != []
	fix := "Cap the region by a flag, or tell its size in jvm.headroom.dev (threads, classes, native), and lint again."
} else := verdict("memory-budget", "ok", _of_budget, message, "") if {
	message := concat("", ["The working set is within what is expected", _not_known])
} else := unknown(
	"memory-budget", _why_no_budget,
	"headroom lint shows the budget of a JVM whose memory limit and maximum heap the manifest tells.",
)

_of_budget := sprintf("%v of %v MiB", [round(used / 1048576), budget.total_mib]) if {
	budget.complete == true
	positive(budget.total_mib)
}

_sum_complaint := [sprintf("The working set is %s, and %v MiB are expected.", [mib(used), budget.total_mib])] if {
	is_number(budget.total_mib)
	used > budget.total_mib * 1048576
} else := []

_complaint(region) := sprintf("%s takes %v MiB, and %v are expected (%s).", [
	words.capital(region.name),
	region.used_mib,
	region.budget_mib,
	region.source,
])

_not_known := sprintf("; of these regions nothing is known: %s.", [concat(", ", names)]) if {
	names := [region.name | some region in regions; region.used_mib == -1]
	names != []
} else := ", and so is every region."

_why_no_budget := "the manifest shows no JVM" if {
	budget == null
	is_object(input.pod)
} else := "the manifest's budget was not saved" if {
	budget == null
} else := "the working set is not known" if {
	budget.complete == true
} else := "the manifest tells no memory limit or no maximum heap"
