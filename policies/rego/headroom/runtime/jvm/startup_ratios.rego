package headroom.runtime.jvm

# -Xminf0.4 and -Xmaxf0.7 are MinHeapFreeRatio=40 and MaxHeapFreeRatio=70, and bound each other as those do.
_free_ratios(jvm) := [r |
	least := _said_ratio(jvm, "-Xminf")
	most := _said_ratio(jvm, "-Xmaxf")
	count(least) + count(most) > 0
	pairs := {v: [a, b] |
		some v in every_release
		gc := _collector_on(jvm, v)
		a := _ratio_on(jvm, least, "MinHeapFreeRatio", v, gc)
		b := _ratio_on(jvm, most, "MaxHeapFreeRatio", v, gc)
		a > b
	}
	some pair in {pair | some pair in pairs}
	given := array.concat(least, most)[0]
	r := refusal(
		given.source, given.option, "",
		sprintf("MinHeapFreeRatio would be %v and MaxHeapFreeRatio %v; the first may not be more", pair),
		{v | some v, other in pairs; other == pair},
	)
]

# The last that is said of a source, the stronger source first.
_said_ratio(jvm, start) := [{"source": s, "option": option, "percent": percent} |
	some i in numbers.range(count(jvm.sources) - 1, 0)
	s := jvm.sources[i]
	options := [word | some word in words_of(s); startswith(word, start)]
	option := options[count(options) - 1]
	percent := round(100 * number_of(substring(option, count(start), -1)))
]

_ratio_on(_, said, _, _, _) := said[0].percent if count(said) > 0

_ratio_on(jvm, [], name, v, gc) := _number_on(jvm, name, v, gc)
