package headroom.runtime.jvm

# compressed bounds a heap that the JVM works out by what compressed pointers reach (J6). These are 4 GiB for each
# byte of alignment, less what lies below the heap and a page in front of it. From 13 on a share that is set counts
# for more.
compressed(heap, flags, numbers, gc, feature) := object.union(heap, {"bytes": most, "compressed": true}) if {
	not heap.flag in {"MaxHeapSize", "AggressiveHeap", "InitialHeapSize"}
	gc != "ZGC" # has no compressed pointers
	alignment := _number_or(flags, "ObjectAlignmentInBytes", "8")
	most := (4294967296 * alignment) - (_number_or(flags, "HeapBaseMinAddress", "2g") + _page_in_front(gc, feature))
	heap.bytes > most
	object.get(numbers, "InitialHeapSize", 0) <= most
	_compresses(flags, feature)
} else := heap

_number_or(flags, name, default_text) := number_of(object.get(flags, [name, "value"], default_text))

# A page is as large as the largest region that the collector may have.
_page_in_front("G1", feature) := 536870912 if {
	feature >= 18
	feature < 25
} else := 33554432

_page_in_front("Shenandoah", _) := 33554432

_page_in_front(gc, _) := 2097152 if not gc in {"G1", "Shenandoah"}

_compresses(flags, _) if on(flags, "UseCompressedOops")

_compresses(flags, feature) if {
	not flags.UseCompressedOops
	feature in {8, 9, 10, 11, 12}
}

_compresses(flags, _) if {
	not flags.UseCompressedOops
	count(object.keys(flags) & _shares) == 0
}

_shares := {
	"InitialRAMFraction", "InitialRAMPercentage", "MaxRAM", "MaxRAMFraction", "MaxRAMPercentage", "MinRAMFraction",
	"MinRAMPercentage",
}
