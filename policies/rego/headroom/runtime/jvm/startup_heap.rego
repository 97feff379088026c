package headroom.runtime.jvm

# _heap_refusals compares the sizes of the heap that win.
_heap_refusals(jvm) := [r |
	most := jvm.numbers.MaxHeapSize
	most >= 0
	some r in array.concat(
		[_together(jvm, ["MaxHeapSize"], reason, refusing) |
			most < 3145728
			some [least, reason, refusing] in _least_heaps
			most < least
		],
		[_together(jvm, [name, "MaxHeapSize"], "it is more than the maximum heap", every_release) |
			some name in ["InitialHeapSize", "MinHeapSize"]
			jvm.numbers[name] > most
		],
	)
]

# Without a unit, -Xmx counts bytes.
_least_heaps := [
	[1, "the maximum heap must not be 0", {8}],
	[2097152, "the maximum heap must be at least 2 MiB; without k, m or g it counts bytes", since_11],
]

# _together is about flags that may be fine alone; it stands where the first was set.
_together(jvm, names, reason, refusing) := {
	"flags": [flag_text(jvm, name) | some name in names],
	"reason": reason,
	"path": jvm.flags[names[0]].path,
	"refusing": refusing,
}
