package headroom.explain

import data.headroom.cpu
import data.headroom.quantity

# block is a ready `resources:` of what is no JVM: {block (YAML, ""), block_note, tool_options,
# tool_options_note}.
block(c) := object.union(_block(c, _memory_of_any(c), [], set()), {"tool_options": "", "tool_options_note": ""})

_block(c, memory, notes, passed) := {"block": "", "block_note": sprintf("no block: %s", [concat("; ", missing)])} if {
	missing := array.concat(_no_cpu(c), _no_memory(memory))
	count(missing) > 0
} else := {"block": _yaml(values), "block_note": concat("; ", said)} if {
	values := _values(c, memory)
	said := array.concat(array.concat(notes, _fight(c)), remaining(c, values, passed))
}

_no_cpu(c) := ["no class asks anything of an init container"] if {
	c.role == "init"
	block_request(c) == 0
} else := ["nobody has measured its CPU use, and it has no request"] if {
	block_request(c) == 0
} else := []

_no_memory(bytes) := ["what memory it needs is not known"] if {
	bytes == 0
} else := []

_values(c, memory) := {
	"requests": object.union(_others(c, "requests"), {
		"cpu": quantity.format_cpu(block_request(c)),
		"memory": quantity.format_memory(memory),
	}),
	"limits": object.union(
		object.union(_others(c, "limits"), {"memory": quantity.format_memory(memory)}),
		{"cpu": quantity.format_cpu(milli) | milli := block_limit(c); milli > 0},
	),
}

# block_request and block_limit are what the class asks for, in millicores; where that is not
# known, or nothing asks, what is there. 0 is none.
block_request(c) := max([c.cpu_request, 0]) if {
	cpu.pinned(c)
} else := cpu_passing(c).cpu_request if {
	cpu_passing(c).cpu_request > 0
} else := max([c.cpu_request, 0])

block_limit(c) := c.cpu_limit if {
	cpu.pinned(c)
} else := 0 if {
	_asked_limit(c) <= 0
} else := max([_asked_limit(c), block_request(c)])

_asked_limit(c) := cpu_passing(c).cpu_limit if {
	cpu_passing(c).cpu_limit >= 0
} else := c.cpu_limit
