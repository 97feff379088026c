package headroom.fix

import data.headroom.cpu
import data.headroom.workload

# What makes a container's CPU as its class wants it; [] where that is not known.

cpu_request(_, 0) := []

# Where the class wants its peak in both, neither is set alone.
cpu_request(c, milli) := with_limit(c, milli, milli) if {
	cpu.row[c.id] == {"request": "peak", "limit": "peak"}
	milli > 0
} else := [set_cpu_request(c, milli)] if {
	milli > 0
}

# at_peak sets the fields, request and limit, to the peak of a cron run.
at_peak(c, fields) := _at_peak(c, fields, cpu.peak[c.id])

_at_peak(_, _, 0) := []

_at_peak(c, ["request"], peak) := [set_cpu_request(c, peak)] if peak > 0

_at_peak(c, ["limit"], peak) := with_limit(c, peak, 0) if peak > 0

_at_peak(c, ["request", "limit"], peak) := with_limit(c, peak, peak) if peak > 0

# as_measured gives a sidecar its average as the request and its peak as the limit, as far as it
# lacks them.
as_measured(c) := [] if {
	c.cpu_request == 0
	cpu.average[c.id].milli == 0
} else := [] if {
	cpu.under_peak(c)
	cpu.peak[c.id] == 0
} else := [set_cpu_request(c, cpu.average[c.id].milli)] if {
	not cpu.under_peak(c)
	c.cpu_request == 0
} else := [] if {
	# A limit that is only too high is no harm worth a change: what was measured may not be all.
	not cpu.under_peak(c)
} else := with_limit(c, cpu.peak[c.id], cpu.average[c.id].milli) if {
	c.cpu_request == 0
} else := with_limit(c, cpu.peak[c.id], 0)

# times_average sets a limit that is a multiple of a known average.
times_average(c, wanted) := [] if {
	cpu.average[c.id].milli == 0
} else := [] if {
	may_throttle(c, wanted)
} else := [] if {
	_would_throttle(c, wanted)
} else := with_limit(c, wanted, 0)

# may_throttle says that it is not known whether a new limit, or a lower one, cuts off the peak.
may_throttle(c, wanted) if {
	cpu.peak[c.id] == 0
	not _lower(c, wanted)
}

# A measured peak above the new limit shows what it would cut off, unless the old one cuts
# off more.
_would_throttle(c, wanted) if {
	wanted < cpu.peak[c.id]
	not _lower(c, wanted)
}

_lower(c, wanted) if {
	c.cpu_limit > 0
	c.cpu_limit < wanted
}

# no_limit takes a container's own limit away. The Pod's own is other containers' too.
no_limit(_, "pod") := []

no_limit(c, "container") := with_limit(c, 0, 0)

# allocated gives a tenant's container what is left of the allocation.
allocated(c, wanted) := with_limit(c, wanted, 0) if {
	wanted > 0
	not _would_throttle(c, wanted)
} else := []

# all_allocated gives a tenant's only container the whole allocation. How several share it is the
# tenant's to say.
all_allocated(c) := with_limit(c, cpu.allocation.milli, 0) if {
	count(workload.containers) == 1
	c.cpu_limit_source != "pod"
	not _would_throttle(c, cpu.allocation.milli)
} else := []
