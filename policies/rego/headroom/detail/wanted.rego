package headroom.detail

import data.headroom.cpu

# What the row of its class asks for, in millicores; -1 if it asks for nothing, or for a value that
# was not measured. A limit of 0 means no limit.
_wanted_request(c) := wanted if {
	wanted := _amount(c, cpu.row[c.id].request)
	wanted > 0
} else := -1

_wanted_limit(c) := 0 if {
	cpu.row[c.id].limit == "none"
} else := cpu.allocation.milli if {
	cpu.row[c.id].limit == "allocation"
	cpu.allocation.milli > 0
	count(cpu.running) == 1
} else := c.cpu_limit if {
	cpu.row[c.id].limit == "allocation"
	cpu.pod_limit.milli == cpu.allocation.milli
	c.cpu_limit > 0
} else := wanted if {
	cpu.row[c.id].limit == "allocation"
	wanted := cpu.left_of_allocation(c)
	wanted > 0
} else := wanted if {
	wanted := _amount(c, _limit_word(cpu.row[c.id].limit))
	wanted > 0
} else := -1

# As a limit, what is measured of a sidecar is its peak.
_limit_word("measured") := "peak"

_limit_word(word) := word if word != "measured"

# _amount is what a word of the matrix comes to.
_amount(c, "peak") := cpu.peak[c.id]

_amount(c, "measured") := cpu.average[c.id].milli

_amount(c, word) := cpu.times_average(cpu.times(word), cpu.average[c.id].milli) if not word in {"measured", "peak"}
