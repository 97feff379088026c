package headroom.resize

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm

# of_cpu is what is to be said of CPU limits that change under a JVM. The JVM counts other processors, unless
# their number is fixed, and keeps its collector and its pools (J12).
of_cpu := [{
	"container": c.name,
	"path": cpu.limit_path(c),
	"message": sprintf("limits.cpu goes from %s to %s: the running JVM %s.", [_cores(was), _cores(c), found.words]),
	"why": found.why,
	"expected": found.expected,
	"severity": "warning",
	"harm": _harm(c, found.kept, _counted(c)),
	"figures": {"before_millicores": was.cpu_limit, "limit_millicores": c.cpu_limit},
} |
	some [c, was] in in_place("cpu")
	j := jvm.by_id[c.id]
	j.sure
	found := _kept_processors(j, _counted(was), _counted(c))
]

# More threads than the limit has cores are throttled; cores that no thread uses are paid for.
_harm(_, _, 0) := "style"

_harm(c, kept, now) := jvm.threads_harm(c) if {
	now > 0
	_more(kept, now)
}

_harm(_, kept, now) := "cost" if {
	now > 0
	not _more(kept, now)
}

_more(0, _)

_more(kept, now) if kept > now

# The processors of a limit, rounded up (J4); 0 for all of the node.
_counted(c) := ceil(max([c.cpu_limit, 0]) / 1000)

_kept_processors(j, was, now) := {
	"kept": fixed,
	"words": sprintf("still counts %s", [jvm.plural(fixed, "processor")]),
	"why": sprintf("%s is read at the start.", [jvm.origin(j, "ActiveProcessorCount")]),
	"expected": "a restart with another -XX:ActiveProcessorCount, where it is to use more or fewer",
} if {
	fixed := j.numbers.ActiveProcessorCount
	not now in {0, fixed}
} else := {
	"kept": was,
	"words": sprintf("keeps its threads for %s", [_processors(was)]),
	"why": "It picked its collector and sized its pools as it started.",
	"expected": sprintf("a restart, or -XX:ActiveProcessorCount=%v from the start, whatever the limit becomes", [
		max([min([n | some n in [was, now]; n > 0]), 1]),
	]),
} if {
	not j.flags.ActiveProcessorCount
	not jvm.off(j.flags, "UseContainerSupport")
	was != now
}

_processors(0) := "all cores of the node"

_processors(n) := jvm.plural(n, "processor") if n > 0

_cores(c) := quantity.format_cpu(c.cpu_limit) if c.cpu_limit > 0

_cores(c) := "none" if c.cpu_limit <= 0
