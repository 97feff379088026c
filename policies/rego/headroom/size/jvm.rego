package headroom.size

import data.headroom.config
import data.headroom.explain
import data.headroom.fix
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# jvm_memory is the limit that the budget fits under and the peak leaves room in. What a container was seen to use
# does not tell what its heap needs: a heap that has grown seldom shrinks. So it stays as its flags say, unless the
# JVM itself tells what is live.
jvm_memory(c) := heap_memory(c) if {
	heaps[c.id]
} else := {"bytes": bytes, "why": "its flags are not all visible, so its heap is not known", "flags": []} if {
	j := jvm.by_id[c.id]
	not _heap_visible(j)
	bytes := max([c.memory_limit, _for_peak(c)])
} else := {"bytes": 1048576 * mib, "why": budget_why(j, mib), "flags": []} if {
	j := sized_jvm(c)
	j.flags.MaxHeapSize
	not killed(c)
	mib := memory.sufficient_limit_mib(j)
	mib > 0
} else := {"bytes": bytes, "why": budget_why(j, quantity.mib(bytes)), "flags": _heap_flags(j, plan)} if {
	j := sized_jvm(c)
	plan := explain.memory_plan(j)
	bytes := max([plan.bytes, _killed_at(c)])
	bytes > 0
	_feasible(j, plan)
} else := {"bytes": 0, "why": _needs_flags(explain.memory_plan(sized_jvm(c))), "flags": []}

# A plan with flags is one that can be made: in front of what is there, and nothing of it is to go.
_feasible(j, plan) if {
	plan.flags == ""
	memory.passes_under(j, floor(plan.bytes / 1048576))
}

_feasible(j, plan) if {
	plan.flags != ""
	plan.flags_note == explain.beside
	fix.surely_gets(j)
	jvm.may_inject(j, split(plan.flags, " "))
}

_heap_flags(_, plan) := [] if plan.flags == ""

_heap_flags(j, plan) := [fix.flags(j, split(plan.flags, " "))] if plan.flags != ""

_needs_flags(plan) := sprintf("no limit passes with the flags of this JVM; %v would, with %s %s", [
	quantity.format_memory(plan.bytes),
	plan.flags,
	plan.flags_note,
]) if {
	plan.flags != ""
} else := "no limit passes with the flags of this JVM (HR303)"

budget_why(j, mib) := sprintf("heap %v MiB (%s), all regions %v MiB, and %v %% of the limit free; %s", [
	floor(memory.mebibytes(heap.bytes)),
	_heap_from(heap),
	round(memory.total_mib(j, heap.bytes)),
	round(config.settings.memory.headroom * 100),
	peak_why(j.c),
]) if {
	heap := memory.heap_under(j, mib)
}

_heap_from(heap) := heap.flag if heap.flag != ""

_heap_from(heap) := "the JVM's default" if heap.flag == ""

_heap_visible(j) if {
	not j.secret
	count(j.unknown) == 0
	not jvm.blind(j)
	not jvm.heap_is_scripts(j)
}

_killed_at(c) := _for_peak(c) if {
	killed(c)
} else := 0

# sized_jvm is the JVM with the CPU limit and the flags that it gets.
sized_jvm(c) := jvm.changed(j, object.union(j.c, {"cpu_limit": cpus[c.id].limit}), flags) if {
	j := jvm.by_id[c.id]
	flags := [flag | some change in cpus[c.id].changes; change.change == "jvm-flags"; some flag in change.flags]
}

# flags_why is why flags go in front of JAVA_TOOL_OPTIONS.
flags_why(c) := "a heap of the size that it has, which does not grow with the limit" if {
	some change in memories[c.id].changes
	change.change == "jvm-flags"
} else := "without a CPU limit a JVM counts the node's cores, and starts threads for all of them"
