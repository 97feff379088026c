package headroom.rules.runtimes["go-memory-limit_test"]

import data.headroom.rules.runtimes["go-memory-limit"] as rule

# The image read:1 is known, and sets nothing.
read := {"references": {"read:1": "sha256:0"}, "images": {"sha256:0": {"entrypoint": [], "environment": {}}}}

report(memory, extra) := found if {
	found := rule.report with data.headroom.image_lock as read with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"runtime.headroom.dev/app": "go"}},
		"spec": {"containers": [object.union(
			{"name": "app", "image": "read:1", "resources": {"limits": {"memory": memory}}},
			extra,
		)]},
	}
}

only(memory, extra) := f if [f] := [f | some f in report(memory, extra)]

env(value) := {"env": [{"name": "GOMEMLIMIT", "value": value}]}

from_limit(divisor) := {"env": [{
	"name": "GOMEMLIMIT",
	"valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": divisor}},
}]}

test_not_set if {
	f := only("512Mi", {})
	f.message == concat(" ", [
		"GOMEMLIMIT is not set under a memory limit of 512Mi:",
		"Go's collector does not know the limit and lets the heap grow past it.",
	])
	f.container == "app"
	f.path == ["spec", "containers", 0, "env"]
	f.expected == "GOMEMLIMIT: 460MiB (90 % of limits.memory)"
	f.severity == "info"
	count(f.fix) > 0
	f.figures == {"gomemlimit_bytes": 0, "limit_bytes": 536870912}
}

test_without_a_limit_there_is_nothing_to_set if {
	count(report("0", {})) == 0
	count(report("1GB", {})) == 0
}

test_set if {
	every value in ["460MiB", "511MiB", "400000000", "off"] {
		count(report("512Mi", env(value))) == 0
	}
	count(report("0", env("460MiB"))) == 0
}

test_a_placeholder_may_be_filled_in if {
	f := only("512Mi", env("${SOFT}"))
	f.message == concat(" ", [
		"GOMEMLIMIT is a placeholder: the process stops at its start",
		"unless something fills it in before the manifest is applied.",
	])
	f.severity == "warning"
	f.fix == []
}

test_a_variable_that_stands_too_late if {
	soft := {"name": "SOFT", "value": "460MiB"}
	f := only("512Mi", {"env": [{"name": "GOMEMLIMIT", "value": "$(SOFT)"}, soft]})
	startswith(f.message, "GOMEMLIMIT is $(SOFT), which env sets behind it")
	f.severity == "error"
	count(report("512Mi", {"env": [soft, {"name": "GOMEMLIMIT", "value": "$(SOFT)"}]})) == 0
}

test_a_collector_that_never_runs if {
	f := only("512Mi", {"env": [{"name": "GOGC", "value": "off"}]})
	f.message == concat(" ", [
		"GOGC turns the collector off, and GOMEMLIMIT is not set: no garbage is ever freed,",
		"and the process is OOMKilled once it has allocated 512Mi.",
	])
	f.severity == "warning"
	f.expected == "GOMEMLIMIT: 460MiB (90 % of limits.memory)"
	count(f.fix) > 0
	off := only("512Mi", {"env": [{"name": "GOGC", "value": "off"}, {"name": "GOMEMLIMIT", "value": "off"}]})
	contains(off.message, "GOMEMLIMIT is off")
	object.get(off, "fix", []) == []
	count(report("512Mi", {"env": [{"name": "GOGC", "value": "off"}, {"name": "GOMEMLIMIT", "value": "460MiB"}]})) == 0
}

test_no_room if {
	every value in ["512MiB", "1GiB", "536870912"] {
		f := only("512Mi", env(value))
		f.severity == "warning"
		contains(f.message, "which is not below the memory limit of 512Mi")
		object.get(f, "fix", []) == []
		f.path == ["spec", "containers", 0, "env", 0, "value"]
	}
}

test_the_whole_limit_by_reference if {
	f := only("512Mi", from_limit("1"))
	startswith(f.message, "GOMEMLIMIT is 512Mi (from limits.memory), which is not below the memory limit of 512Mi")
	f.expected == "GOMEMLIMIT: 460MiB (90 % of limits.memory)"
	f.path == ["spec", "containers", 0, "env", 0]
}

test_a_divisor_leaves_bytes if {
	f := only("512Mi", from_limit("1Mi"))
	f.severity == "warning"
	startswith(f.message, "GOMEMLIMIT is 512 bytes (from limits.memory): no heap is that small")
}

test_a_missing_unit if {
	f := only("512Mi", env("400"))
	f.severity == "warning"
	startswith(f.message, "GOMEMLIMIT is 400 bytes: no heap is that small")
}

test_kubernetes_units_stop_go if {
	f := only("512Mi", env("400Mi"))
	f.severity == "error"
	startswith(f.message, "GOMEMLIMIT is \"400Mi\", which Go cannot read: the process stops with a fatal error")
	f.expected == "GOMEMLIMIT: 400MiB"
	object.get(f, "fix", []) == []
}

test_what_else_stops_go if {
	f := only("512Mi", env("1.5GB"))
	f.severity == "error"
	f.expected == "GOMEMLIMIT: 460MiB (90 % of limits.memory)"
	unlimited := only("0", env("1.5GB"))
	unlimited.severity == "error"
	unlimited.expected == "GOMEMLIMIT: 90 % of limits.memory, with the unit MiB"
}

test_empty_is_not_set if {
	f := only("512Mi", env(""))
	f.severity == "info"
	object.get(f, "fix", []) == []
}

test_a_small_limit if {
	f := only("1Mi", {})
	f.expected == "GOMEMLIMIT: 943718B (90 % of limits.memory)"
}

test_secrets if {
	secret := {"name": "GOMEMLIMIT", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
	count(report("512Mi", {"env": [secret]})) == 0
	f := only("512Mi", {"envFrom": [{"secretRef": {"name": "s"}}]})
	object.get(f, "fix", []) == []
	endswith(f.message, "This does not apply if envFrom sets it: Secret s.")
}

test_other_programs_are_silent if {
	count(rule.report) == 0 with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "app"}]}}
}
