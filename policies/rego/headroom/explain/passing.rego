package headroom.explain

import data.headroom.advice
import data.headroom.detail
import data.headroom.evidence
import data.headroom.memory
import data.headroom.runtime.jvm

# What would pass, each as {value, why}: a value of 0 means that none passes, and why says the reason.

_none(why) := {"value": 0, "why": why}

# _found is a value, or why no value passes.
_found(value, _) := {"value": value, "why": ""} if value > 0

_found(value, why) := _none(why) if value <= 0

passing_of_any(c) := object.union(cpu_passing(c), object.union(block(c), {
	"smallest_limit_mib": _found(
		memory.limit_of_peak_mib(c),
		"its peak was not measured, and a manifest does not tell it",
	),
	"largest_heap_mib": _none("no JVM"),
	"largest_percentage": _none("no JVM"),
	"largest_threads": _none("no JVM"),
}))

passing_of_jvm(j) := object.union(cpu_passing(j.c), object.union(block_of_jvm(j), {
	"smallest_limit_mib": smallest_limit(j),
	"largest_heap_mib": largest_heap(j),
	"largest_percentage": largest_percentage(j),
	"largest_threads": largest_threads(j),
}))

smallest_limit(j) := _none(sprintf("the JVM does not size its heap by the limit: %s", [_blind_to_limit(j)])) if {
	_blind_to_limit(j) != ""
} else := _none(sprintf("%s; %s", [_guess, concat(", ", advice.what_is_assumed(j))])) if {
	guessed(j)
} else := _none(sprintf("only %v MiB for these flags, as the heap grows with it; with %s", [
	mib,
	advice.same_heap_way(j),
])) if {
	mib := memory.smallest_limit_mib(j)
	_grows_out_of_proportion(j, mib)
} else := _found(memory.smallest_limit_mib(j), concat(" ", [
	_heap_words(j, memory.heap_under(j, memory.most_mib)),
	"passes under no limit: what grows with it leaves less than the budget has to leave free",
]))

# guessed says that lint advises no number either (HR303): too much of the budget is assumed.
guessed(j) if not evidence.numbered(memory.figure(memory.budget(j)))

# Where a script goes by the node's memory, the heap that is there tells nothing of another (HR406).
_guessed_beside(j) if {
	not jvm.heap_of_the_node(j)
	guessed(j)
}

_guessed_beside(j) if {
	jvm.heap_of_the_node(j)
	not evidence.numbered(memory.with_heap(j, advice.largest_heap(j, _limit_mib(j))))
}

_guess := "not known: too much of the budget is assumed"

_guess_beyond(amount, unit) := sprintf("not known beyond the %v %s of HR406: too much of the budget is assumed", [
	amount,
	unit,
])

# _share_that_lint_wants is the share of the limit that HR406 wants where more of it is a guess.
_share_that_lint_wants(j) := advice.share_with_room(j, _limit_mib(j)) if {
	guessed(j)
	not j.heap.set
	not j.flags.MaxRAM
	not jvm.heap_is_scripts(j)
	memory.unbounded(j) == ""
}

# What lint does not advise (limit_way) is not told either.
_grows_out_of_proportion(j, mib) if {
	_has_limit(j)
	mib * 2 > 3 * _limit_mib(j)
	not j.flags.MaxHeapSize
	j.heap.percent > 0
}

_grows_out_of_proportion(j, mib) if {
	_has_limit(j)
	mib * 2 > 3 * _limit_mib(j)
	jvm.share_of_limit(j)
}

largest_heap(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _none(_guess_beyond(floor((_limit_mib(j) * share.percent) / 100), "MiB")) if {
	share := _share_that_lint_wants(j)
} else := _none(_guess) if {
	_guessed_beside(j)
} else := _found(advice.largest_heap(j, _limit_mib(j)), _without_heap(j))

largest_percentage(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _none(_percentage_is_idle(j)) if {
	_percentage_is_idle(j) != ""
} else := _none(_guess_beyond(share.percent, "%")) if {
	share := _share_that_lint_wants(j)
} else := _none(_guess) if {
	guessed(j)
} else := _found(advice.largest_share(j, _limit_mib(j)), _without_heap(j))

largest_threads(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _none("the heap is not known") if {
	j.heap.bytes == 0
} else := _none(_guess) if {
	guessed(j)
} else := _found(memory.largest_threads(j, _limit_mib(j)), _without_threads(j))

_no_limit_why := "there is no memory limit"

_has_limit(j) if _limit_mib(j) > 0

_limit_mib(j) := detail.result[j.c.id].budget.limit_mib

# Why something does not pass, in words.

# _blind_to_limit says why no limit changes the heap that the JVM takes.
_blind_to_limit(j) := jvm.without_support(j.flags) if {
	jvm.off(j.flags, "UseContainerSupport")
	memory.heap_under(j, memory.most_mib).bytes == 0
} else := sprintf("%s cannot be read", [jvm.origin(j, "MaxHeapSize")]) if {
	j.flags.MaxHeapSize
	j.heap.bytes == 0
} else := ""

# _heap_words name what of the budget grows with the limit.
_heap_words(j, heap) := jvm.origin(j, heap.flag) if heap.flag != ""

_heap_words(_, heap) := sprintf("a heap of %v %% of it, the JVM's default,", [heap.percent]) if heap.flag == ""

# What stands against any heap, and against any thread.
_without_heap(j) := sprintf("at most %v MiB of heap pass, and with these flags no share of the limit is that little", [
	mib,
]) if {
	mib := advice.largest_heap(j, _limit_mib(j))
	mib != 0
} else := sprintf("at most %v MiB of heap pass, and no JVM should run with less than %v", [
	mib,
	memory.least_heap_mib(j, _limit_mib(j)),
]) if {
	mib := memory.largest_heap_mib(j, _limit_mib(j))
	mib != 0
} else := sprintf("without any heap the other regions take %v MiB of the %v MiB, and %v may be taken", [
	memory.total_mib(j, 0),
	_limit_mib(j),
	floor(memory.allowed(_limit_mib(j))),
])

_without_threads(j) := sprintf("heap and the rest take %v MiB of the %v MiB%s", [
	others,
	_limit_mib(j),
	_leave(_limit_mib(j), others),
]) if {
	others := memory.total_mib(j, j.heap.bytes) - memory.stacks(j).mib
}

_leave(limit, others) := sprintf(", and leave %v %%", [round(((limit - others) * 1000) / limit) / 10]) if {
	others <= limit
}

_leave(limit, others) := sprintf(": %v MiB over without any thread", [others - limit]) if others > limit

# _percentage_is_idle says why MaxRAMPercentage would have no effect under this limit; "" where it
# has one.
_percentage_is_idle(j) := sprintf("%s: the JVM takes its share of the node's memory", [
	jvm.without_support(j.flags),
]) if {
	jvm.off(j.flags, "UseContainerSupport")
	not j.flags.MaxRAM
} else := sprintf("MaxRAMPercentage has no effect on %v MiB: on so little memory MinRAMPercentage decides", [
	_limit_mib(j),
]) if {
	not memory.heap_at_percentage(j, _limit_mib(j), 100).flag in {"MaxRAMPercentage", "InitialHeapSize"}
} else := ""
