package headroom.memory

import data.headroom.config
import data.headroom.evidence

# severity is how gravely a budget breaks what has to stay free of its limit: "" where it does not. A budget that leaves
# nearly enough is an info, whatever is known of it. So is one that leaves the amount that has to stay free of a large
# limit, but not the share, and may come to take more.
severity(budget) := "" if {
	budget.total_mib <= budget.limit_mib * (1 - config.settings.memory.headroom)
} else := "info" if {
	near(budget)
} else := evidence.severity(figure(budget), allowed(budget.limit_mib))

# near says that nine tenths of what has to stay free are left, and not all of it.
near(budget) if {
	budget.total_mib > allowed(budget.limit_mib)
	(budget.limit_mib - budget.total_mib) * 10 >= (budget.limit_mib - floor(allowed(budget.limit_mib))) * 9
}
