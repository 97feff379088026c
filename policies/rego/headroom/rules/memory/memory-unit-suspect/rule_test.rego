package headroom.rules.memory["memory-unit-suspect_test"]

import data.headroom.rules.memory["memory-unit-suspect"] as rule

report(resources) := found if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "resources": resources}]},
	}
}

limit(text) := report({"limits": {"memory": text}})

request(text) := report({"requests": {"memory": text}})

test_half_a_byte if {
	found := limit("512m")
	count(found) == 1
	some f in found
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	f.message == concat(" ", [
		"limits.memory is 512m: 0.512 bytes, as m is a thousandth.",
		"No process starts with that little.",
	])
	f.expected == "limits.memory: 512Mi, if that was meant"
	f.figures == {"bytes": 1, "least_bytes": 4194304}
	f.harm == "start"
}

test_parts_of_thousandths if {
	some whole in limit("1500000.5m")
	whole.message == concat(" ", [
		"limits.memory is 1500000.5m: 1500.0005 bytes, as m is a thousandth.",
		"No process starts with that little.",
	])
	whole.expected == "limits.memory: a number with the unit Mi or Gi"
	some part in limit(".5m")
	contains(part.message, ": a byte or less, as m is a thousandth.")
	some one in limit("1")
	contains(one.message, "limits.memory is 1: that is 1 byte.")
}

test_numbers_as_yaml_reads_them if {
	some f in limit(4)
	contains(f.message, "limits.memory is 4: that is 4 bytes.")
	f.expected == "limits.memory: 4Gi, if that was meant"
}

test_spellings_that_are_read if {
	every text, wanted in {" 4 ": "4Gi", "+4": "4Gi", "0.5": "0.5Gi"} {
		some f in limit(text)
		f.expected == sprintf("limits.memory: %s, if that was meant", [wanted])
	}
	some f in limit("1e3")
	f.expected == "limits.memory: a number with the unit Mi or Gi"
}

test_k_is_explained if {
	some f in limit("512k")
	contains(f.message, "limits.memory is 512k: Kubernetes reads k as 1000, so that is 512000 bytes.")
}

test_a_request_that_reserves_nothing if {
	found := request("512k")
	count(found) == 1
	some f in found
	f.path == ["spec", "containers", 0, "resources", "requests", "memory"]
	contains(f.message, "That reserves nothing.")
	f.harm == "evicted"
	f.figures.least_bytes == 1048576
}

test_small_but_possible if {
	every text in ["4Mi", "4194304", "4194304000m", "4195k", "1G", "512M"] {
		count(limit(text)) == 0
	}
	every text in ["1Mi", "1048576", "2Mi"] {
		count(request(text)) == 0
	}
}

test_just_below if {
	count(limit("4194303")) == 1
	count(request("1048575")) == 1
}

test_none_and_unreadable_are_other_rules if {
	every value in ["0", "512MB", "-4", "", null, true, {}] {
		count(limit(value)) == 0
	}
	count(report({})) == 0
	count(report(null)) == 0
}

test_request_and_limit_are_two if count(report({"requests": {"memory": "4"}, "limits": {"memory": "4"}})) == 2

test_the_pods_own if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"resources": {"limits": {"memory": "512m"}}, "containers": [{"name": "app"}]},
	}
	count(found) == 1
	some f in found
	f.container == ""
	f.path == ["spec", "resources", "limits", "memory"]
}

test_init_containers_too if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"initContainers": [{"name": "init", "resources": {"limits": {"memory": "512m"}}}]},
	}
	{f.container | some f in found} == {"init"}
}
