package headroom.detail

import data.headroom.memory

# _budget is the memory budget of what runs in a container (M1); null where that has none. What is
# expected is the total, between the low end and the bound.
_budget(c) := {
	"limit_mib": budget.limit_mib,
	"least_mib": budget.least_mib,
	"total_mib": budget.total_mib,
	"bound_mib": budget.bound_mib,
	"left_mib": budget.left_mib,
	"headroom": budget.headroom,
	"complete": budget.complete,
	"grade": budget.grade,
	"terms": [term |
		some t in budget.terms
		term := object.union(
			object.filter(t, {"name", "mib", "least_mib", "bound_mib", "grade"}),
			{"source": t.text, "assumed": t.grade == "assumed"},
		)
	],
} if {
	budget := memory.told[c.id]
} else := null

# _left is the share of the memory limit that the measured peak leaves, or without a
# measurement the budget; 1 if neither is known.
_left(c) := 1 - (peak / c.memory_limit) if {
	c.memory_limit >= 1
	peak := _memory_peak(c)
	peak > 0
} else := budget.headroom if {
	budget := _budget(c)
	budget.complete
} else := 1
