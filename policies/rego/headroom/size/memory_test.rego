package headroom.size_test

memory_of(container, changes) := wanted(of("latency-sensitive", container, changes))["limits.memory"]

test_memory_for_the_peak if {
	memory_of(memory("200m", "400Mi"), {}) == "500Mi"
	memory_of(memory("200m", "500Mi"), {}) == "500Mi"
	memory_of(memory("200m", "625Mi"), {}) == "625Mi"
	memory_of(memory("200m", "626Mi"), {}) == "500Mi"
	memory_of({}, {}) == "500Mi"
	sized := of("latency-sensitive", memory("200m", "600Mi"), {})
	says([v.why | some v in sized.values], "its peak of 400Mi / 0.8; 600Mi is within 25 % of 500Mi and stays")
}

test_a_request_follows_its_limit if {
	apart := {"resources": {"requests": {"cpu": "200m", "memory": "100Mi"}, "limits": {"memory": "500Mi"}}}
	sized := of("latency-sensitive", apart, {})
	wanted(sized)["requests.memory"] == "500Mi"
	count(sized.changes) == 1
}

test_little_was_seen if {
	sized := of("latency-sensitive", memory("200m", "2Gi"), {"seen_seconds": 30000})
	wanted(sized)["limits.memory"] == "2Gi"
	says([v.why | some v in sized.values], "less than a day may have been measured: it is not lowered")
	says(sized.notes, "Only 0.3 days were seen")
	memory_of(memory("200m", "100Mi"), {"seen_seconds": 30000}) == "500Mi"
	memory_of(memory("200m", "2Gi"), {"seen_seconds": 0}) == "2Gi"
	plain := review("latency-sensitive", [object.union({"name": "app"}, memory("200m", "2Gi"))], {})
	noted := json.patch(plain, [{
		"op": "add",
		"path": "/object/spec/template/metadata/annotations/memory-peak.headroom.dev~1app",
		"value": "400Mi",
	}])
	found := result(noted).containers[0]
	wanted(found)["limits.memory"] == "500Mi"
	found.confidence.text == "annotations of the manifest, whose age is not known"
}

test_a_kill_is_a_lower_bound if {
	sized := of("latency-sensitive", memory("200m", "440Mi"), {"oom_kills": 3})
	wanted(sized)["limits.memory"] == "550Mi"
	says(sized.notes, "the memory is a lower bound")
	says([v.why | some v in sized.values], "OOMKilled at that limit")
	raised := of("latency-sensitive", memory("200m", "550Mi"), {"oom_kills": 3})
	raised.changes == []
	says(raised.notes, "the peak comes between two samples")
}

test_a_leak_is_not_sized if {
	sized := of("latency-sensitive", memory("200m", "1Gi"), {"memory_growth_bytes": 314572800})
	wanted(sized)["limits.memory"] == "1Gi"
	startswith(sized.unsized[0], "memory: it has grown all the time, by 300Mi in 7d: a leak, or a cache that nothing")
	endswith(sized.unsized[0], " bounds. It reaches 1Gi in some 14.6d")

	# The peak of the Pod that grows counts, not the highest.
	other := {"memory_growth_bytes": 314572800, "memory_grown_bytes": 104857600}
	grown := of("latency-sensitive", memory("200m", "1Gi"), other)
	endswith(grown.unsized[0], " bounds. It reaches 1Gi in some 21.6d")
	near := of("latency-sensitive", memory("200m", "400Mi"), {"memory_growth_bytes": 314572800})
	endswith(near.unsized[0], "nothing bounds")
}

test_a_heap_stays_as_its_flags_say if {
	sized := of("latency-sensitive", java(["-Xmx1g", "-XX:ActiveProcessorCount=2"], memory("200m", "4Gi")), {})
	found := wanted(sized)
	not "JAVA_TOOL_OPTIONS" in object.keys(found)
	found["limits.memory"] == "1728Mi"
	says(sized.notes, "Its heap stays as its flags say")
	heap := java(["-Xmx1g", "-XX:ActiveProcessorCount=2"], memory("200m", "4Gi"))
	growing := of("latency-sensitive", heap, {"memory_growth_bytes": 1048576})
	growing.unsized == []
	says(growing.notes, "the heap's maximum bounds it")
}

test_a_heap_that_is_a_share if {
	counted := "-XX:ActiveProcessorCount=2"
	fits := of("latency-sensitive", java(["-XX:MaxRAMPercentage=50.0", counted], memory("200m", "2Gi")), {})
	fits.changes == []
	full := of("latency-sensitive", java(["-XX:MaxRAMPercentage=90.0", counted], memory("200m", "2Gi")), {})
	says([v.wanted | some v in full.values], "-Xmx")
	default_heap := of("latency-sensitive", java(["-XX:ActiveProcessorCount=2"], memory("200m", "2Gi")), {})
	default_heap.changes == []
	says([v.why | some v in default_heap.values], "the JVM's default")
}

test_a_killed_jvm if {
	killed := java(["-Xmx256m", "-XX:ActiveProcessorCount=2"], memory("200m", "1Gi"))
	memory_of(killed, {"oom_kills": 1, "memory_peak": "1000Mi"}) == "1280Mi"
}

test_flags_that_are_not_seen if {
	hidden := object.union(java([], memory("200m", "1Gi")), {"envFrom": [{"secretRef": {"name": "flags"}}]})
	sized := of("latency-sensitive", hidden, {})
	wanted(sized)["limits.memory"] == "1Gi"
	says([v.why | some v in sized.values], "its flags are not all visible")
	memory_of(hidden, {"memory_peak": "1000Mi"}) == "1250Mi"
}

test_no_limit_passes if {
	blind := of("latency-sensitive", java(["-XX:-UseContainerSupport"], memory("200m", "1Gi")), {})
	says(blind.unsized, "memory: no limit passes with the flags of this JVM")
	says(blind.unsized, "would, with -XX:MaxRAMPercentage=50.0 in place of")
	much := {"jvm.headroom.dev/app": "native=2Ti"}
	none := declared(much, "latency-sensitive", java(["-XX:MaxRAMPercentage=50.0"], memory("200m", "1Gi")), {})
	says(none.unsized, "memory: no limit passes with the flags of this JVM (HR303)")
}

test_what_a_runtime_is_told if {
	go := {"runtime.headroom.dev/app": "go version=1.26"}
	told := object.union(memory("200m", "2Gi"), {"env": [
		{"name": "GOMEMLIMIT", "value": "900MiB"},
		{"name": "GOMAXPROCS", "value": "2"},
	]})
	wanted(declared(go, "latency-sensitive", told, {}))["limits.memory"] == "1000Mi"
	follows := object.union(memory("200m", "2Gi"), {"env": [
		{"name": "GOMAXPROCS", "value": "2"},
		{"name": "GOMEMLIMIT", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}},
	]})
	sized := declared(go, "latency-sensitive", follows, {})
	wanted(sized)["limits.memory"] == "2Gi"
	says([v.why | some v in sized.values], "a runtime takes its size from limits.memory")
	node := object.union(memory("200m", "4Gi"), {"command": ["node", "--max-old-space-size=1600", "server.js"]})
	memory_of(node, {}) == "2000Mi"
}

test_memory_that_is_not_known if {
	unseen := of("batch", limits("1", "500Mi"), {"memory_peak": ""})
	says(unseen.unsized, "memory: its peak is not known: it was not measured")
	says(of("batch", limits("1", "much"), {}).unsized, "memory: a quantity cannot be read (HR001)")
}

test_confidence if {
	sized := of("batch", limits("1", "500Mi"), {})
	sized.confidence == {
		"known": true,
		"days": 7,
		"samples": 2016,
		"left_out": "none",
		"text": "measured by Prometheus: 2 016 samples over 7d, newest 40s old",
	}
	vpa := of("batch", limits("1", "500Mi"), {"source": "VerticalPodAutoscaler", "samples": -1})
	startswith(vpa.confidence.left_out, "one in ten")
	nothing := result(review("batch", [{"name": "app"}], {})).containers[0]
	nothing.confidence.known == false
	every key, value in {"cpu-average": "1", "cpu-peak": "1", "memory-peak": "1Gi"} {
		noted := json.patch(review("batch", [{"name": "app"}], {}), [{
			"op": "add",
			"path": sprintf("/object/spec/template/metadata/annotations/%s.headroom.dev~1app", [key]),
			"value": value,
		}])
		result(noted).containers[0].confidence.left_out == "not known"
	}
}

test_notes_on_a_limit if {
	throttled := declared(native, "batch", limits("1", "500Mi"), {"throttled": 200})
	says(throttled.notes, "under limits.cpu 1, throttled in 20 % of the periods")
	reached := declared(native, "batch", limits("600m", "500Mi"), {})
	says(reached.notes, "which its peak reaches")
	free := declared(native, "batch", limits("1", "500Mi"), {})
	free.notes == []
	crowd := object.union(limits("2", "500Mi"), {"command": ["gunicorn", "--workers=8", "app:app"]})
	crowded := declared({"cores-per-worker.headroom.dev/app": "1"}, "batch", crowd, {"cpu_average": "1"})
	says(crowded.notes, "Its 8 workers want 8 of CPU when all are busy: ")
}

# annotated is a container with the memory peak of an annotation, and what is said of when it was measured.
annotated(dated) := result(json.patch(
	review("latency-sensitive", [object.union({"name": "app"}, memory("200m", "2Gi"))], {}),
	[{"op": "add", "path": path, "value": value} |
		some key, value in {"memory-peak": "400Mi", "cpu-average": "200m", "measured": dated}
		path := sprintf("/object/spec/template/metadata/annotations/%s.headroom.dev~1app", [key])
	],
)).containers[0]

test_annotations_that_say_when if {
	week := annotated("date=2026-11-21 over=7d of=memory-peak")
	wanted(week)["limits.memory"] == "500Mi"
	week.confidence.text == "annotations of the manifest, measured 2026-11-21 over 7d"
	week.confidence.days == 7
	week.notes == []

	# As where Prometheus saw less than a day.
	hours := annotated("date=2026-11-21 over=5h of=memory-peak")
	wanted(hours)["limits.memory"] == "2Gi"
	says(hours.notes, "Only 0.2 days were seen")
	unknown := annotated("date=2026-11-21 of=memory-peak")
	wanted(unknown)["limits.memory"] == "2Gi"
	unknown.confidence.days == -1

	# The peak is of a person's hand.
	other := annotated("date=2026-11-21 over=5h of=cpu-average")
	wanted(other)["limits.memory"] == "500Mi"
}
