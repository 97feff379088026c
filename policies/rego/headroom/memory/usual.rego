package headroom.memory

# What real servers took beside their heap, in MiB (M7, M8). usual is what is expected of each region where
# no flag and no annotation says it, least the low end.
usual := {"metaspace": 96, "code cache": 64, "direct": 64, "native": 100}

least := {"metaspace": 25, "code cache": 16, "direct": 8, "stacks": 12, "native": 75}

# stack_kib is what a thread uses of its stack at the most: 0.11 MiB were measured, of 1 MiB (M7).
stack_kib := 128
