package headroom.detail

import data.headroom.memory
import data.headroom.runtime.jvm

# _budget is the memory budget of a JVM (M1), null for what is none.
_budget(c) := [{
	"limit_mib": budget.limit_mib,
	"total_mib": budget.total_mib,
	"left_mib": budget.left_mib,
	"headroom": budget.headroom,
	"complete": budget.complete,
	"terms": [term |
		some t in budget.terms
		term := {"name": t.name, "mib": t.mib, "source": memory.source_text(j, t), "assumed": t.assumed}
	],
} |
	some i, j in jvm.jvms
	j.c.id == c.id
	budget := memory.budgets[i]
][0] if {
	jvm.jvms[_].c.id == c.id
} else := null

# _left is the share of the memory limit that the measured peak leaves, or, where nobody
# measured it, the budget; 1 where neither is known.
_left(c) := 1 - (peak / c.memory_limit) if {
	c.memory_limit > 0
	peak := _memory_peak(c)
	peak > 0
} else := budget.headroom if {
	budget := _budget(c)
	budget.complete
} else := 1
