package headroom.runtime.jvm

# _generation_refusals speaks of what the heap has no room for: generations, thread buffers, kept numbers (measured).
_generation_refusals(jvm) := array.concat(
	array.concat(_small_young(jvm), _survivors(jvm)),
	array.concat(array.concat(_kept_numbers(jvm), _kept_texts(jvm)), _region_buffers(jvm)),
)

# Serial runs out of a young generation of this size while the JVM starts.
_small_young(jvm) := [_young_refusal(jvm, refusing) |
	bytes := _told_young(jvm)
	some row in [{"most": 196608, "refusing": {8, 11, 17, 21, 25}}, {"most": 262144, "refusing": {8, 11, 17}}]
	bytes <= row.most
	refusing := {v | some v in row.refusing; _collector_on(jvm, v) == "Serial"}
]

_told_young(jvm) := number_of(jvm.flags.NewSize.value) if {
	jvm.flags.NewSize
} else := sizes[count(sizes) - 1] if {
	sizes := _xmn(jvm.sources)
	count(sizes) > 0
	sizes[count(sizes) - 1] > 0
}

_young_refusal(jvm, refusing) := _together(jvm, ["NewSize"], _young_text, refusing) if {
	jvm.flags.NewSize
} else := refusal(s, option, "", _young_text, refusing) if {
	sources := [s | some s in jvm.sources; some option, _ in s.options; startswith(option, "-Xmn")]
	s := sources[count(sources) - 1]
	option := max({option | some option, _ in s.options; startswith(option, "-Xmn")})
}

_young_text := "the young generation is full before the JVM has started; it needs at least 320k"

# From 11 on, what java's command line says is held against the heap.
_survivors(jvm) := [_together(jvm, ["SurvivorRatio"], reason, refusing) |
	_told_java(jvm, "SurvivorRatio")
	jvm.heap.bytes > 0
	ratio := number_of(jvm.flags.SurvivorRatio.value)
	refusing := {v |
		some v in since_11
		ratio > jvm.heap.bytes / _unit_of_heap(jvm, _collector_on(jvm, v), v)
	}
	reason := "the heap is not that many units of its collector"
]

_unit_of_heap(_, "Serial", _) := 65536

# What 11 takes for a region where nothing sets it depends on more than the heap: it is not known here.
_unit_of_heap(jvm, "G1", v) := region if {
	region := _g1_region(jvm.flags, jvm.heap.bytes, v)
	region > 0
}

# G1's promotion buffers take half a region at most; they count words of 8 bytes.
_region_buffers(jvm) := [_together(jvm, [name], "it is more than half a region of G1, in words of 8 bytes", refusing) |
	some name in ["YoungPLABSize", "OldPLABSize"]
	size := number_of(jvm.flags[name].value)
	jvm.heap.bytes > 0
	refusing := {v | some v in since_11; _collector_on(jvm, v) == "G1"; size > _largest_region_of(jvm, v) / 16}
]

# 11 goes by the heap's first size as well: this is no less than what it chooses.
_largest_region_of(jvm, v) := max([
	1048576,
	_power_below(jvm.heap.bytes / 2048),
	_g1_region(jvm.flags, jvm.heap.bytes, v),
])

# Up to 25 a JVM makes these while it cannot yet collect: 16 bytes each, in the heap that it begins with. Of a larger
# number Java 8 takes the lower 32 bits.
_kept_numbers(jvm) := [_together(jvm, ["AutoBoxCacheMax"], reason, refusing) |
	highest := number_of(jvm.flags.AutoBoxCacheMax.value)
	highest <= 2147483647
	highest * 16 > _first_heap(jvm)
	refusing := {v | some v in {8, 11, 17, 21, 25}; _collector_on(jvm, v) in {"Serial", "Parallel", "G1", "CMS"}}
	reason := "the heap that the JVM begins with has no room for so many numbers"
]

_first_heap(jvm) := max([jvm.numbers.InitialHeapSize, 8388608]) if {
	jvm.numbers.InitialHeapSize > 0
	_generations_chosen(jvm)
} else := max([min([jvm.heap.bytes, jvm.memory / 64]), 8388608]) if {
	not jvm.flags.InitialHeapSize
	jvm.heap.bytes > 0
	jvm.memory > 0
	_generations_chosen(jvm)
}

_generations_chosen(jvm) if {
	every name in ["InitialRAMPercentage", "InitialRAMFraction", "MinHeapSize", "NewSize", "OldSize", "AggressiveHeap"] {
		not jvm.flags[name]
	}
	count(_xmn(jvm.sources)) == 0
}

# Java 8 writes into every bucket of the table while it starts.
_kept_texts(jvm) := [_together(jvm, ["StringTableSize"], reason, {8}) |
	buckets := number_of(jvm.flags.StringTableSize.value)
	jvm.c.memory_limit > 0
	buckets * 8 >= jvm.c.memory_limit
	every row in ranges_of("StringTableSize") {
		_takes_on_8(row, buckets)
	}
	reason := "a table of 8 bytes for each takes more than the container's memory"
]

_takes_on_8(row, _) if not row.releases[8]

_takes_on_8(row, number) if number <= row.most
