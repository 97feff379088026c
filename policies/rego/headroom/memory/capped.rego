package headroom.memory

# capped is the JVM with a cap on direct memory where none is set: {jvm, flag}.
# Without a cap, direct memory counts as much as the heap (M4), and the limit that would pass
# is too large to be useful.
capped(j) := {
	"jvm": object.union(j, {"numbers": {"MaxDirectMemorySize": _usual_direct_bytes}}),
	"flag": " with -XX:MaxDirectMemorySize=256m",
} if {
	not j.numbers.MaxDirectMemorySize
	j.heap.bytes > _usual_direct_bytes
} else := {"jvm": j, "flag": ""}

# 256 MiB, as in the flag set of J3.
_usual_direct_bytes := 268435456
