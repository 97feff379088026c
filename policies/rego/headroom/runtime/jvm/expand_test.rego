package headroom.runtime.jvm_test

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

unreadable_heaps := [
	[{"name": "HEAP", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
	[{"name": "HEAP", "value": "$(MORE)"}, {"name": "MORE", "value": "1g"}],
]

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
