package headroom.size

import data.headroom.advice
import data.headroom.config
import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.runtimes

# memories are what each container gets, by the id: {request, limit (bytes), changes, unsized, why}.
memories[c.id] := _memory(c) if some c in cpu.running

_memory(c) := _memory_stays(c, why) if {
	why := memory_unknown(c)
	why != ""
} else := {
	"request": wanted.bytes,
	"limit": wanted.bytes,
	"changes": array.concat(wanted.flags, _memory_changes(c, wanted.bytes)),
	"unsized": "",
	"why": wanted.why,
} if {
	wanted := _settled(c, memory_wanted(c))
	wanted.bytes > 0
} else := _memory_stays(c, sprintf("memory: %s", [memory_wanted(c).why]))

_memory_stays(c, why) := {
	"request": max([0, c.memory_request]),
	"limit": max([0, c.memory_limit]),
	"changes": [],
	"unsized": why,
	"why": "not sized",
}

# What is there stays where it passes, is no more than the tolerance above what is wanted, or where too little is
# known to lower it.
_settled(c, wanted) := object.union(wanted, {
	"bytes": c.memory_limit,
	"why": concat("", [wanted.why, _kept(c, wanted)]),
}) if {
	c.memory_limit > wanted.bytes
	wanted.bytes > 0
	not _lowered(c, wanted)
	wanted.flags == []
} else := wanted

_lowered(c, wanted) if {
	may_lower(c)
	c.memory_limit * 1000 > wanted.bytes * (1000 + cpu.tolerance_permille)
}

_kept(c, wanted) := sprintf("; %s is within %v %% of %s and stays", [
	quantity.format_memory(c.memory_limit),
	cpu.tolerance_permille / 10,
	quantity.format_memory(wanted.bytes),
]) if {
	may_lower(c)
} else := sprintf("; that would be %s, but less than a day may have been measured: it is not lowered", [
	quantity.format_memory(wanted.bytes),
])

_memory_changes(c, bytes) := [fix.set(path, quantity.format_memory(bytes)) |
	some list, now in {
		"limits": [c.memory_limit, c.memory_limit_source],
		"requests": [c.memory_request, c.memory_request_source],
	}
	now != [bytes, "container"]
	path := array.concat(c.path, ["resources", list, "memory"])
]

# memory_wanted is {bytes, why, flags}, 0 bytes with a why where there is no value.
memory_wanted(c) := jvm_memory(c) if {
	jvm.by_id[c.id]
} else := {
	"bytes": c.memory_limit,
	"why": "a runtime takes its size from limits.memory, and the peak follows it",
	"flags": [],
} if {
	advice.memory_enough(c, _peak(c)) == 0
	c.memory_limit > 0
	c.memory_limit >= _for_peak(c)
} else := {"bytes": bytes, "why": why, "flags": []} if {
	[bytes, why] := max(array.concat([[_for_peak(c), peak_why(c)], _ceiling(c)], _bounds(c)))
}

# A killed container had reached its limit, whatever was seen last (HR603).
_peak(c) := max([memory.peak[c.name].bytes, c.memory_limit]) if {
	killed(c)
} else := memory.peak[c.name].bytes

killed(c) if {
	m := measured.containers[c.name]
	m.oom_kills > 0
	m.memory_peak > c.memory_limit * config.settings.memory.peak
}

_for_peak(c) := advice.limit_for_peak(_peak(c), _permille)

_permille := max([1, round(config.settings.memory.peak * 1000)])

# memory_enough counts the peak, too.
_bounds(c) := [[bytes, "what its runtime is told it may take, and a tenth"] |
	bytes := advice.memory_enough(c, _peak(c))
	bytes > _for_peak(c)
]

# What a runtime may grow to, where the limit leaves room for it: less would make it reach the limit (HR504).
_ceiling(c) := max(array.concat([[0, ""]], [[bytes, sprintf("%s, and a fifth", [text])] |
	some found in runtimes.ceilings
	found.c.id == c.id
	text := concat(" + ", [t.text | some t in found.terms])
	bytes := min([c.memory_limit, _with_room(sum([t.bytes | some t in found.terms]))])
]))

# In whole MiB, with the room that a budget leaves (M1).
_with_room(bytes) := 1048576 * ceil(bytes / (1048576 * max([0.01, 1 - config.settings.memory.headroom])))

peak_why(c) := sprintf("its peak of %vMi / %v%s", [quantity.mib(_peak(c)), _permille / 1000, _because(c)])

_because(c) := ": OOMKilled at that limit, so it is a lower bound" if {
	killed(c)
} else := ""

memory_values(c) := [
	{
		"name": "requests.memory",
		"now": _bytes(c.memory_request),
		"wanted": _bytes(memories[c.id].request),
		"why": "the limit (HR302)",
	},
	{
		"name": "limits.memory",
		"now": _bytes(c.memory_limit),
		"wanted": _bytes(memories[c.id].limit),
		"why": memories[c.id].why,
	},
]

_bytes(n) := quantity.format_memory(n) if n > 0

_bytes(n) := "" if n <= 0

# go_memory is GOMEMLIMIT, where nothing says it yet.
go_memory(c) := [fix.env(c, "GOMEMLIMIT", go.memory_wanted(limit)) |
	some g in go.gos
	g.c.id == c.id
	g.gomemlimit.state == "absent"
	count(g.hidden) == 0
	memories[c.id].unsized == ""
	limit := memories[c.id].limit
	limit > 0
]
