package headroom.memory

# least_mib is what a JVM takes when each region that is not bounded, declared or measured
# stays at the low end of what is typical (M1).
least_mib(budget) := sum([_least(term) | some term in budget.terms])

_least(term) := term.mib if not _open(term)

_least(term) := min([term.mib, _typical[term.name]]) if _open(term)

_open(term) if {
	_typical[term.name]
	term.assumed
	term.source != "annotation"
}

# MiB, the low ends of M1's ranges. Native memory has none here: its estimate is measured.
_typical := {"metaspace": 50, "code cache": 48, "direct": 50, "stacks": 100}
