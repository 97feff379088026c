package headroom.memory

import data.headroom.evidence

# severity is how gravely a budget breaks what has to stay free of its limit: "" where it does not. A budget that leaves
# nearly enough is an info, whatever is known of it.
severity(budget) := "" if {
	budget.total_mib <= allowed(budget.limit_mib)
} else := "info" if {
	near(budget)
} else := evidence.severity(figure(budget), allowed(budget.limit_mib))

# near says that nine tenths of what has to stay free are left.
near(budget) if (budget.limit_mib - budget.total_mib) * 10 >= (budget.limit_mib - floor(allowed(budget.limit_mib))) * 9
