package headroom.runtime.jvm_test

# The state of JAVA_TOOL_OPTIONS in a container, and what is unknown of it.
state(container, maps) := found if {
	[j] := review(container, maps)
	found := j.variables.JAVA_TOOL_OPTIONS
}

tool(entry) := {"env": [object.union({"name": "JAVA_TOOL_OPTIONS"}, entry)]}

at(where) := array.concat(["spec", "containers", 0], where)

test_literal if {
	state(tool({"value": "-Xmx1g"}), []) == {"state": "literal", "value": "-Xmx1g", "path": at(["env", 0, "value"])}
}

# An entry without a value sets the empty text; the API server takes nothing else but text.
test_no_text if {
	every entry in [{}, {"value": null}, {"value": 5}, {"value": ["-Xmx1g"]}, {"valueFrom": null}, {"valueFrom": "x"}] {
		state(tool(entry), []) == {"state": "literal", "value": "", "path": at(["env", 0])}
	}
}

test_the_last_of_several_entries_wins if {
	[j] := review(
		{"env": [
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"},
			{"name": "OTHER", "value": "x"},
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx2g"},
			"no entry",
			{"value": "no name"},
		]},
		[],
	)
	j.flags.MaxHeapSize == {"value": "2g", "source": "JAVA_TOOL_OPTIONS", "path": at(["env", 2, "value"])}
	count(j.sources) == 1
}

unknown_states := {
	"a Secret holds it": {"secretKeyRef": {"name": "s", "key": "k"}},
	"valueFrom fills it in when the Pod starts": {"fieldRef": {"fieldPath": "metadata.name"}},
	"ConfigMap absent: it is not in the input": {"configMapKeyRef": {"name": "absent", "key": "flags"}},
	"ConfigMap twice: the input has several that differ": {"configMapKeyRef": {"name": "twice", "key": "flags"}},
	"ConfigMap map has no such key": {"configMapKeyRef": {"name": "map", "key": "others"}},
	"ConfigMap binary has no such key": {"configMapKeyRef": {"name": "binary", "key": "flags"}},
	"ConfigMap map has no such key ": {"configMapKeyRef": {"name": "map", "key": "others", "optional": true}},
	"ConfigMap ? has no such key": {"configMapKeyRef": {}},
}

maps := [
	config_map("map", {"flags": "-Xmx1g"}),
	config_map("map", {"flags": "-Xmx1g"}),
	config_map("twice", {"flags": "-Xmx1g"}),
	config_map("twice", {"flags": "-Xmx2g"}),
	{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "binary"}, "binaryData": {"flags": "eA=="}},
]

test_value_from if {
	every why, source in unknown_states {
		[j] := review(tool({"valueFrom": source}), maps)
		j.variables.JAVA_TOOL_OPTIONS == {"state": "unknown", "why": trim(why, " "), "path": at(["env", 0])}
		j.secret
		j.sources == []
		{"what": "JAVA_TOOL_OPTIONS", "why": trim(why, " "), "path": at(["env", 0]), "unreadable": true} in j.unknown
	}
}

test_key_of_a_config_map if {
	state(tool({"valueFrom": {"configMapKeyRef": {"name": "map", "key": "flags"}}}), maps) == {
		"state": "literal",
		"value": "-Xmx1g",
		"path": at(["env", 0]),
	}
}

# Everything of a ConfigMap comes with envFrom.
bulk(sources) := found if {
	[found] := review({"command": ["java"], "envFrom": sources}, array.concat(maps, [
		config_map("tool", {"JAVA_TOOL_OPTIONS": "-Xmx1g", "_TOOL_OPTIONS": "-Xmx3g"}),
		config_map("later", {"JAVA_TOOL_OPTIONS": "-Xmx2g"}),
		config_map("numbers", {"JAVA_TOOL_OPTIONS": 5}),
		config_map("null", null),
		config_map("list", ["JAVA_TOOL_OPTIONS"]),
	]))
}

ref(name) := {"configMapRef": {"name": name}}

test_env_from if {
	j := bulk([ref("tool")])
	j.variables.JAVA_TOOL_OPTIONS == {"state": "literal", "value": "-Xmx1g", "path": at(["envFrom", 0])}
	j.unknown == []
	bulk([ref("tool"), ref("later")]).flags.MaxHeapSize == {
		"value": "2g",
		"source": "JAVA_TOOL_OPTIONS",
		"path": at(["envFrom", 1]),
	}
	bulk([ref("later"), ref("tool")]).flags.MaxHeapSize.value == "1g"
	bulk([{"configMapRef": {"name": "tool"}, "prefix": "JAVA"}]).flags.MaxHeapSize.value == "3g"
	bulk([{"configMapRef": {"name": "tool"}, "prefix": "X"}]).flags == {}
	bulk([ref("numbers")]).flags == {}
	bulk([ref("null")]).unknown == []
	bulk([ref("binary")]).unknown == []
	bulk(["tool", {"configMapRef": {"name": "tool"}, "prefix": 5}, null]).flags == {}
}

test_env_overrides_env_from if {
	[j] := review(
		{"envFrom": [ref("tool")], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xss1m"}]},
		[config_map("tool", {"JAVA_TOOL_OPTIONS": "-Xmx1g"})],
	)
	object.keys(j.flags) == {"ThreadStackSize"}
}

test_env_from_that_is_not_known if {
	whys := {
		"Secret flags": {"secretRef": {"name": "flags"}},
		"Secret ?": {},
		"ConfigMap absent: it is not in the input": ref("absent"),
		"ConfigMap twice: the input has several that differ": ref("twice"),
	}
	every why, source in whys {
		j := bulk([source])
		j.unknown == [{"what": "envFrom", "why": why, "path": at(["envFrom", 0]), "unreadable": true}]
		j.secret
	}
}

# A prefix can rule out every variable that a JVM reads.
test_env_from_with_a_prefix if {
	every prefix in ["DB_", "java_", "JAVA_TOOL_OPTIONS_"] {
		j := bulk([{"secretRef": {"name": "flags"}, "prefix": prefix}])
		j.unknown == []
		not j.secret
	}
	every prefix in ["", "J", "JAVA_TOOL_", "_JAVA_OPTIONS"] {
		bulk([{"secretRef": {"name": "flags"}, "prefix": prefix}]).secret
	}
}

# The maximum heap that JAVA_TOOL_OPTIONS gives beside the variable HEAP.
heap_of(text, heap) := found if {
	[found] := review({"env": array.concat(heap, [{"name": "JAVA_TOOL_OPTIONS", "value": text}])}, [])
}

one_gib := [{"name": "HEAP", "value": "1g"}]

test_references_in_a_variable if {
	heap_of("-Xmx$(HEAP)", one_gib).flags.MaxHeapSize.value == "1g"
	heap_of("-Xms$(HEAP) -Xmx$(HEAP)", one_gib).flags.InitialHeapSize.value == "1g"
	heap_of("-Da=$(HEAP)$$ -Xmx2g", one_gib).sources[0].text == "-Da=1g$ -Xmx2g"
}

# $$(HEAP) is no reference; nor is what names no variable. Neither starts a JVM (measured).
test_no_references if {
	every text in ["-Xmx$$(HEAP)", "-Xmx$(NONE)", "-Xmx$HEAP", "-Xmx${HEAP}", "-Xmx$(HEAP"] {
		j := heap_of(text, one_gib)
		j.flags.MaxHeapSize.value == replace(substring(text, 4, -1), "$$", "$")
		count(j.startup) == 1
		j.startup[0].all
	}
}

# As the kubelet does: env in its order, each value from those before it.
test_references_in_order if {
	more := {"name": "MORE", "value": "1g"}
	heap_of("-Xmx$(HEAP)", [more, {"name": "HEAP", "value": "$(MORE)"}]).flags.MaxHeapSize.value == "1g"
	heap_of("-Xmx$(HEAP)", [{"name": "HEAP", "value": "$(MORE)"}, more]).flags.MaxHeapSize.value == "$(MORE)"
	heap_of("-Xmx$(HEAP)", [more, {"name": "HEAP", "value": "$$(MORE)"}]).flags.MaxHeapSize.value == "$(MORE)"
	heap_of("-Xmx$(HEAP)", [
		more, {"name": "HEAP", "value": "$(MORE)"}, {"name": "MORE", "value": "2g"},
	]).flags.MaxHeapSize.value == "1g"
	twice := [{"name": "HEAP", "value": "2g"}, {"name": "HEAP", "value": "1g"}]
	heap_of("-Xmx$(HEAP)", twice).flags.MaxHeapSize.value == "1g"
	[last] := review({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(HEAP)"}, one_gib[0]]}, [])
	last.flags.MaxHeapSize.value == "$(HEAP)"
	[own] := review({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(JAVA_TOOL_OPTIONS)"}]}, [])
	own.flags.MaxHeapSize.value == "$(JAVA_TOOL_OPTIONS)"
}

# A Service's address is known when the Pod starts; what another source holds never becomes a reference.
test_references_to_other_sources if {
	heap_of("-Da=$(DB_SERVICE_HOST) -Xmx1g", []).sources[0].text == "-Da=\u0002 -Xmx1g"
	heap_of("-Da=$(DB_PORT_5432_TCP_ADDR)", []).sources[0].text == "-Da=\u0002"
	[of_map] := review(
		{"envFrom": [ref("heap")], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(HEAP) -Da=$(OTHER)"}]},
		[config_map("heap", {"HEAP": "1g", "OTHER": "$(HEAP)"})],
	)
	of_map.sources[0].text == "-Xmx1g -Da=$(HEAP)"
}

by_resource(resource, divisor) := found.sources[0].text if {
	[found] := review(
		{
			"resources": {"limits": {"memory": "512Mi", "cpu": "1500m"}},
			"env": [
				{"name": "AMOUNT", "valueFrom": {"resourceFieldRef": {"resource": resource, "divisor": divisor}}},
				{"name": "JAVA_TOOL_OPTIONS", "value": "-Da=$(AMOUNT)"},
			],
		},
		[],
	)
}

# The kubelet divides and rounds up; without a limit the node's amount counts.
test_references_to_resources if {
	by_resource("limits.memory", "1Mi") == "-Da=512"
	by_resource("limits.memory", "0") == "-Da=536870912"
	by_resource("limits.cpu", "1") == "-Da=2"
	by_resource("limits.ephemeral-storage", "1") == "-Da=\u0002"
	[node] := review(
		{"env": [
			{"name": "AMOUNT", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}},
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Da=$(AMOUNT)"},
		]},
		[],
	)
	node.sources[0].text == "-Da=\u0002"
}

test_deep_and_long_references if {
	deep := [{"name": sprintf("V%d", [i]), "value": sprintf("$(V%d)", [i - 1])} | some i in numbers.range(1, 9)]
	heap_of("-Da=$(V9)", array.concat([{"name": "V0", "value": "x"}], deep)).sources[0].text == "-Da=\u0002"
	heap_of("-Da=$(V4)", array.concat([{"name": "V0", "value": "x"}], deep)).sources[0].text == "-Da=x"
	wide := [{"name": sprintf("V%d", [i]), "value": concat("", [part |
		some _ in numbers.range(1, 200)
		part := sprintf("$(V%d)", [i - 1])
	])} |
		some i in numbers.range(1, 4)
	]
	contains(heap_of("-Da=$(V4)", array.concat([{"name": "V0", "value": "x"}], wide)).sources[0].text, "\u0002")
}

unreadable_heaps := [[{"name": "HEAP", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]]

test_references_to_what_is_not_known if {
	every heap in unreadable_heaps {
		j := heap_of("-Xmx$(HEAP)", heap)
		j.startup == []
		hidden := [u | some u in j.unknown; u.what == "JAVA_TOOL_OPTIONS"]
		hidden == [{
			"what": "JAVA_TOOL_OPTIONS",
			"why": "a value in it is filled in when the container starts",
			"path": at(["env", count(heap), "value"]),
			"unreadable": false,
		}]
		not j.secret
	}
}

test_a_secret_could_bring_the_variable if {
	[j] := review(
		{
			"envFrom": [{"secretRef": {"name": "s"}, "prefix": "A_"}],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "$(FLAGS) -Xmx1g"}],
		},
		[],
	)
	some u in j.unknown
	u.why == "part of it is filled in when the container starts"
	u.unreadable
	j.secret
	j.flags.MaxHeapSize.value == "1g"
}

test_a_map_that_holds_no_text if {
	from_number := {"valueFrom": {"configMapKeyRef": {"name": "numbers", "key": "flags"}}}
	[j] := review(tool(from_number), [config_map("numbers", {"flags": 5})])
	j.variables.JAVA_TOOL_OPTIONS.why == "ConfigMap numbers has no such key"
	bulk([ref("numbers")]).variables.JAVA_TOOL_OPTIONS.state == "absent"
	bulk([ref("list")]).secret
}

# What envFrom brings is known by its prefix.
heap_beside(sources) := found if {
	[j] := review(
		{"envFrom": sources, "env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(HEAP)"}]},
		[config_map("heap", {"HEAP": "1g", "SECOND": 5}), config_map("twice", {"A": "b"}), config_map("twice", {"A": "c"})],
	)
	found := j.flags.MaxHeapSize.value
}

test_references_beside_env_from if {
	heap_beside([ref("heap")]) == "1g"
	heap_beside([object.union(ref("heap"), {"prefix": "X"})]) == "$(HEAP)"
	heap_beside([object.union(ref("heap"), {"prefix": "H"})]) == "$(HEAP)"
	every source in [{"secretRef": {"name": "s"}}, ref("twice"), ref("absent")] {
		heap_beside([source]) == "\u0002"
		heap_beside([object.union(source, {"prefix": 5})]) == "$(HEAP)"
	}
	heap_beside(["heap", null]) == "$(HEAP)"
}
