package headroom.memory_test

import data.headroom.memory
import data.headroom.workload

test_amounts_with_a_unit if {
	every bytes, text in {
		1000: "1000 bytes",
		1: "1 byte",
		1048575: "1048575 bytes",
		1048576: "1Mi",
		1048577: "about 1Mi",
		2000000: "about 2Mi",
		10737418240: "10Gi",
		741135187968: "about 690Gi",
	} {
		memory.about(bytes) == text
	}
}

killed(times, window) := said if {
	said := memory.kill_words({"name": "app"}) with data.headroom.measured.containers as {
		"app": {"oom_kills": times, "figures": {"window_seconds": window}},
		"beside": {"oom_kills": 7, "figures": {"window_seconds": 3600}},
	}
}

test_what_the_kernel_did if {
	killed(0, 3600) == "At the limit it is OOMKilled."
	startswith(killed(1, 3600), "At the limit it is OOMKilled, as it did once in ")
	startswith(killed(2, 3600), "At the limit it is OOMKilled, as it did twice in ")
	killed(3, 0) == "At the limit it is OOMKilled, as it did 3 times."
	killed(1, 1) != killed(1, 0)
	memory.kill_words({"name": "other"}) == "At the limit it is OOMKilled."
}

peak_said(bytes, text) := said if {
	said := memory.peak_words({"name": "app", "memory_limit": 104857600}) with memory.peak as {
		"app": {"bytes": bytes, "text": text},
		"beside": {"bytes": 1, "text": "other"},
	}
}

test_a_peak_beside_its_limit if {
	startswith(peak_said(10485760, ""), "The measured peak is 10Mi of a limit of 100Mi")
	peak_said(10485761, "7 d") == "The peak is 10Mi of a limit of 100Mi (7 d)"
	peak_said(10485759, "7 d") == "The peak is 10485759 of a limit of 100Mi (7 d)"
}

in_memory(volumes) := room if {
	room := memory.room_mib(100) with workload.pod_spec as {"volumes": volumes}
}

# Only files in memory count, whatever stands beside them.
test_room_beside_files_in_memory if {
	volume := {"emptyDir": {"medium": "Memory", "sizeLimit": "10Mi"}}
	in_memory([volume]) == 90
	in_memory([volume, {"emptyDir": {"medium": "Memory", "sizeLimit": "1"}}]) == 89
	in_memory([volume, {"emptyDir": {"sizeLimit": "10Mi"}}, {"emptyDir": {"medium": "Memory"}}]) == 90
	in_memory([{"emptyDir": {"medium": "Memory", "sizeLimit": size}} | some size in ["-5Mi", "much", 0, null]]) == 100
}

test_the_configured_share if {
	shares := {percent: found |
		some percent in [50, 62.5, 75]
		found := [memory.configured_share.flag, memory.configured_share.percent, memory.configured_heap_mib(1000)]
			with data.headroom.overrides as {"jvm": {"maxRAMPercentage": percent}}
	}
	shares == {
		50: ["-XX:MaxRAMPercentage=50.0", 50, 500],
		62.5: ["-XX:MaxRAMPercentage=62.5", 62.5, 624],
		75: ["-XX:MaxRAMPercentage=75.0", 75, 750],
	}
	memory.configured_heap_mib(1) == 2
}

test_limits_that_are_seen if {
	j := {"c": {"memory_limit": 262144000}, "flags": {}}
	memory.sees_limit(j)
	not memory.sees_limit(object.union(j, {"c": {"memory_limit": 262143999}}))
	not memory.sees_limit(object.union(j, {"flags": {"UseContainerSupport": {"value": "-"}}}))
}
