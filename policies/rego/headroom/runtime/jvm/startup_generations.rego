package headroom.runtime.jvm

# _generation_refusals speaks of generations and thread buffers that the heap has no room for (measured).
_generation_refusals(jvm) := array.concat(_small_young(jvm), array.concat(_survivors(jvm), _buffers(jvm)))

# Serial runs out of a young generation of this size while the JVM starts.
_small_young(jvm) := [_young_refusal(jvm, refusing) |
	bytes := _told_young(jvm)
	some row in [{"most": 196608, "refusing": {8, 11, 17, 21, 25}}, {"most": 262144, "refusing": {8, 11, 17}}]
	bytes <= row.most
	refusing := {v | some v in row.refusing; _collector_on(jvm, v) == "Serial"}
	count(refusing) > 0
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
	count(refusing) > 0
	reason := "the heap is not that many units of its collector"
]

_unit_of_heap(_, "Serial", _) := 65536

_unit_of_heap(jvm, "G1", v) := _g1_region(jvm.flags, jvm.heap.bytes, v)

_buffers(jvm) := [_together(jvm, [row.flag], "a thread's buffer is never so large", refusing) |
	some row in [
		{"flag": "TLABSize", "most": 8589934576, "beside": {"Serial", "Parallel", "G1"}, "told": true},
		{"flag": "MinTLABSize", "most": 16777216, "beside": {"G1"}},
		{"flag": "MinTLABSize", "most": 8589934576, "beside": {"Serial", "Parallel"}},
	]
	number_of(jvm.flags[row.flag].value) > row.most
	_is_told(jvm, row, [row.flag])
	refusing := {v | some v in since_11; _collector_on(jvm, v) in row.beside}
	count(refusing) > 0
]
