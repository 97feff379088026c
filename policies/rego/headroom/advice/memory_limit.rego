package headroom.advice

import data.headroom.quantity

# memory_for_peak is the limit of which a peak is no more than so many thousandths (M2).
memory_for_peak(peak, permille) := sprintf("limits.memory: %s or more (peak / %v)", [
	quantity.format_memory(_mib * ceil((peak * 1000) / (permille * _mib))),
	permille / 1000,
])

_mib := 1048576
