package headroom.memory

import data.headroom.config

# limit_of_peak_mib is the smallest limit that the measured peak leaves room in (HR305); 0 if the
# peak was not measured.
limit_of_peak_mib(c) := ceil((bytes * 1000) / (permille * 1048576)) if {
	bytes := peak[c.name].bytes
	bytes >= 1
	permille := round(config.settings.memory.peak * 1000)
	permille >= 1
} else := 0

# sufficient_limit_mib is the smallest limit under which the flags as they are pass and the measured peak
# leaves room (HR303 and HR305); 0 for none.
sufficient_limit_mib(j) := mib if {
	mib := smallest_limit_mib(j)
	mib >= limit_of_peak_mib(j.c)
} else := mib if {
	smallest_limit_mib(j) > 0
	mib := ceil(limit_of_peak_mib(j.c) / step_mib) * step_mib
	passes_under(j, mib)
} else := 0
