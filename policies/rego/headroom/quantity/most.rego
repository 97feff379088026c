package headroom.quantity

# CONFIG_NR_CPUS of Linux on x86 is at most 8192.
most_millicores := 8192000

# 2^52: what 52 bits of physical address reach, on x86 and on ARM.
most_bytes := 4503599627370496

# most is the largest amount that any node has, in base units.
most := {"cpu": most_millicores, "memory": most_bytes}
