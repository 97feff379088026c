package headroom.memory

# heap is the maximum heap, which a JVM under load comes to use in full.
heap(jvm) := {
	"name": "heap",
	"mib": mib,
	"least_mib": mib,
	"bound_mib": mib,
	"source": object.get({"": "JVM default"}, jvm.heap.flag, "flag"),
	"flag": jvm.heap.flag,
	"grade": _heap_grade(jvm),
} if {
	mib := mebibytes(jvm.heap.bytes)
}

# The JVM's own share of a limit is its rule; without one the node decides.
_heap_grade(jvm) := "declared" if {
	jvm.heap.flag != ""
} else := "known" if {
	jvm.heap.bytes > 0
} else := "assumed"

# mebibytes rounds bytes up to whole MiB, so that the terms of a sum, as they are shown, add
# up to the total that is judged.
mebibytes(bytes) := bits.rsh(bytes + 1048575, 20)
