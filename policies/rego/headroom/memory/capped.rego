package headroom.memory

# capped is a JVM with a cap on the direct memory that nobody has bounded: {jvm, flag}.
# Without one it counts as much as the heap once more, and what would pass is out of all
# proportion.
capped(j) := {
	"jvm": object.union(j, {"numbers": {"MaxDirectMemorySize": _usual_direct_bytes}}),
	"flag": " with -XX:MaxDirectMemorySize=256m",
} if {
	not j.numbers.MaxDirectMemorySize
	j.heap.bytes > _usual_direct_bytes
} else := {"jvm": j, "flag": ""}

# 256 MiB, as in the flag set of J3.
_usual_direct_bytes := 268435456
