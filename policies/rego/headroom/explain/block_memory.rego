package headroom.explain

import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm

_in_bytes(mib) := mib * 1048576

# Less than this is a slip of the unit (HR306).
_least_memory := 4194304

# A request above the limit is a mistake whose cure is the larger of the two.
_memory_of_any(c) := max(array.concat([_in_bytes(memory.limit_of_peak_mib(c))], [bytes |
	some bytes in [c.memory_limit, c.memory_request]
	bytes >= _least_memory
]))

# block_of_jvm has the memory under which the flags as they are pass, the present limit if it will
# do; where none will, flags for the limit that there is.
block_of_jvm(j) := {
	"block": "",
	"block_note": sprintf("no resources to copy: it needs %s on java's command line, as %s is read elsewhere too", [
		options,
		"JAVA_TOOL_OPTIONS",
	]),
	"tool_options": "",
	"tool_options_note": "",
} if {
	options := _block_options(j)
	options != ""
	jvm.passed_on(j)
} else := object.union(_block(j.c, plan.bytes, plan.notes, _passed(j, plan.flags)), {
	"tool_options": _block_options(j),
	"tool_options_note": _note_of(plan, _block_count(j)),
}) if {
	plan := _block_plan(j)
}

_block_options(j) := concat(" ", [text | some text in [concat(" ", _block_count(j)), _block_plan(j).flags]; text != ""])

# No limit of a block rests on guesses, but the one that is there.
_block_plan(j) := plan if {
	on_block := _on_block_cpu(j)
	counted := jvm.changed(on_block, on_block.c, _block_count(j))
	plan := _sure_plan(counted)
}

_sure_plan(j) := _plan_of(0, [], [], "") if {
	guessed(j)
	not _passes_now(j)
} else := memory_plan(j)

_block_count(j) := _processor_count(_on_block_cpu(j))

_note_of(plan, counted) := plan.flags_note if {
	plan.flags != ""
} else := beside if {
	count(counted) > 0
} else := ""

# A JVM without a CPU limit counts the node's cores (HR402): no block may take the limit away and
# leave it so.
_processor_count(j) := [flag |
	j.c.cpu_limit == 0
	not j.flags.ActiveProcessorCount
	not jvm.release_lacks(j)
	block_request(j.c) > 0
	jvm.cores(j) > 0 # else its use is not known, and lint asks for it first
	some judged in jvm.judged
	judged.c.id == j.c.id
	not judged.secret
	flag := sprintf("-XX:ActiveProcessorCount=%v", [jvm.wanted_processors(j)])
	not fix.worsens(j, [flag])
]

# A CPU limit is processors to the JVM, and may be another collector: the plan is for those of the
# block.
_on_block_cpu(j) := jvm.changed(
	j, object.union(j.c, {
		"cpu_limit": block_limit(j.c),
		"lost_limit": max([0, j.c.cpu_limit]),
		"cpu_request": block_request(j.c),
		"cpu_request_source": "container",
	}),
	[],
)

# What the flags beside it satisfy, which the manifest does not show yet.
_passed(j, flags) := {rule | flags != ""; some rule in ["HR303", "HR304"]} | {"HR402" | count(_block_count(j)) > 0}
