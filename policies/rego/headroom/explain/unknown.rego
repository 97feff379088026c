package headroom.explain

import data.headroom.cpu
import data.headroom.measured

# What is not known, and what would make it known, in whole sentences.

unknown_of_any(c) := array.concat(_no_limit(c), array.concat(_no_average(c), array.concat(_no_peak(c), _no_runtime(c))))

_no_limit(c) := ["There is no memory limit, so that nothing bounds what it takes: limits.memory does."] if {
	c.memory_limit == 0
	c.role != "init"
} else := []

_no_average(c) := [sprintf("Its average CPU use is %s: annotation %s/%s says it, or headroom audit measures it.", [
	_assumed_average(c),
	"cpu-average.headroom.dev",
	c.name,
])] if {
	c.role != "init"
	cpu.average[c.id].assumed
} else := []

_assumed_average(c) := "not known" if {
	cpu.average[c.id].milli == 0
} else := sprintf("taken from its request (%s)", [measured.missing(c, "no annotation gives one")])

_no_peak(c) := [sprintf("Its peak CPU use is not known%s: annotation cpu-peak.headroom.dev/%s says it.", [
	measured.doubt(c, " (%s)"),
	c.name,
])] if {
	cpu.peak[c.id] == 0
	"peak" in {word | some word in cpu.row[c.id]}
} else := [sprintf("Its peak CPU use is not known%s: annotation cpu-peak.headroom.dev/%s says it.", [
	measured.doubt(c, " (%s)"),
	c.name,
])] if {
	cpu.peak[c.id] == 0
	cpu.row[c.id].limit == "measured"
} else := []

_no_runtime(c) := [sprintf("Nothing shows what runs here: annotation runtime.headroom.dev/%s says it.", [c.name])] if {
	runtime(c) == ""
} else := []
