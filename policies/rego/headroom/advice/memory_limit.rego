package headroom.advice

import data.headroom.quantity

# memory_for_peak is the limit of which a peak is no more than so many thousandths (M2).
memory_for_peak(c, peak, permille) := sprintf("limits.memory: %s or more (peak / %v)%s", [
	quantity.format_memory(_mib * ceil((peak * 1000) / (permille * _mib))),
	permille / 1000,
	{true: ", and requests.memory with it", false: ""}[and_request(c) != ""],
])

# and_request says, behind a limit, that the request follows it: one that stays behind is what HR302 is
# about. A request that nobody wrote follows by itself.
and_request(c) := " (and requests.memory)" if {
	c.raw.resources.requests.memory != null
} else := ""

_mib := 1048576
