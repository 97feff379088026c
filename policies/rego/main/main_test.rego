package main_test

import data.infos
import data.main

_finding(more) := object.union(
	{
		"rule": "HR202",
		"severity": "error",
		"harm": "throttled",
		"group": "HR202",
		"resource": {"apiVersion": "v1", "kind": "Pod", "namespace": "", "name": "a"},
		"container": "app",
		"message": "limits.cpu is 2.",
		"expected": "no CPU limit",
	},
	more,
)

_catalogue := {"HR202": {"category": "cpu"}, "HR001": {"category": "manifest"}, "HR102": {"category": "classification"}}

# _told is which of conftest's three lists a finding goes to, and its message.
_told(finding) := {"deny": deny, "warn": warn, "violation": violation} if {
	deny := [entry.msg | some entry in main.deny] with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
	warn := [entry.msg | some entry in main.warn] with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
	violation := [entry.msg | some entry in main.violation] with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
}

_text := "HR202 Pod a container app: limits.cpu is 2. Wanted: no CPU limit."

test_an_error_is_denied if {
	_told(_finding({})) == {"deny": [_text], "warn": [], "violation": []}
}

test_what_breaks_the_vocabulary_is_a_violation if {
	every rule in ["HR001", "HR102"] {
		told := _told(_finding({"rule": rule, "group": rule}))
		told.deny == []
		told.warn == []
		count(told.violation) == 1
	}
}

test_warnings_are_warned if {
	every rule in ["HR202", "HR102"] {
		told := _told(_finding({"rule": rule, "group": rule, "severity": "warning"}))
		told.deny == []
		told.violation == []
		count(told.warn) == 1
	}
}

test_infos_are_warned_in_a_package_of_their_own if {
	info := _finding({"severity": "info"})
	_told(info) == {"deny": [], "warn": [], "violation": []}
	[told] := infos.warn with data.headroom.main.result as {"findings": [info]}
		with data.headroom.catalogue.rules as _catalogue
	told.rule == "HR202"
}

test_the_worst_first if {
	ruled := [
		["HR406", "style"],
		["HR402", "throttled"],
		["HR303", "OOMKilled"],
		["HR210", "throttled"],
		["HR302", "evicted"],
	]
	findings := [f |
		some [rule, harm] in ruled
		f := _finding({"rule": rule, "group": rule, "harm": harm, "severity": "warning"})
	]
	told := [entry.rule | some entry in main.warn] with data.headroom.main.result as {"findings": findings}
	told == ["HR303", "HR302", "HR210", "HR402", "HR406"]
}

test_what_follows_is_named if {
	lead := _finding({"rule": "HR402", "group": "HR402", "severity": "warning"})
	findings := [
		object.union(lead, {"rule": "HR404"}),
		object.union(lead, {"rule": "HR403"}),
		lead,
		object.union(lead, {"rule": "HR403", "container": "other"}),
	]
	[told] := main.warn with data.headroom.main.result as {"findings": findings}
	endswith(told.msg, " Wanted: no CPU limit. With HR403, HR404.")
	[f.rule | some f in told["with"]] == ["HR403", "HR404"]
}

test_a_message_names_the_object if {
	told := _told(_finding({"container": "", "resource": {"kind": "Pod", "namespace": "shop", "name": "a"}}))
	told.deny == ["HR202 Pod shop/a: limits.cpu is 2. Wanted: no CPU limit."]
}

test_the_finding_itself_is_the_metadata if {
	some entry in main.deny with data.headroom.main.result as {"findings": [_finding({})]}
		with data.headroom.catalogue.rules as _catalogue
	object.remove(entry, ["msg", "with"]) == _finding({})
}

test_a_pattern_that_covers_nothing_is_warned_of if {
	warned := main.warn with data.headroom.main.result as {"findings": []}
		with data.headroom.config.unmatched as {"a*b*c*d*e"}
	warned == [{"msg": "headroom.yaml: a*b*c*d*e covers nothing: a pattern has at most three *"}]
}
