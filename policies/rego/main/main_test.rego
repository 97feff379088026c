package main_test

import data.main

_finding(more) := object.union(
	{
		"rule": "HR202",
		"severity": "error",
		"resource": {"apiVersion": "v1", "kind": "Pod", "namespace": "", "name": "a"},
		"container": "app",
		"message": "limits.cpu is 2.",
		"expected": "no CPU limit",
	},
	more,
)

_catalogue := {"HR202": {"category": "cpu"}, "HR001": {"category": "manifest"}, "HR102": {"category": "classification"}}

# _told is which of conftest's three sets a finding goes to, and its message.
_told(finding) := {"deny": deny, "warn": warn, "violation": violation} if {
	deny := {entry.msg | some entry in main.deny} with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
	warn := {entry.msg | some entry in main.warn} with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
	violation := {entry.msg | some entry in main.violation} with data.headroom.main.result as {"findings": [finding]}
		with data.headroom.catalogue.rules as _catalogue
}

_text := "HR202 Pod a container app: limits.cpu is 2. Wanted: no CPU limit."

test_an_error_is_denied if {
	_told(_finding({})) == {"deny": {_text}, "warn": set(), "violation": set()}
}

test_what_breaks_the_vocabulary_is_a_violation if {
	every rule in ["HR001", "HR102"] {
		told := _told(_finding({"rule": rule}))
		told.deny == set()
		told.warn == set()
		count(told.violation) == 1
	}
}

test_warnings_and_infos_are_warned if {
	every severity in ["warning", "info"] {
		every rule in ["HR202", "HR102"] {
			told := _told(_finding({"rule": rule, "severity": severity}))
			told.deny == set()
			told.violation == set()
			count(told.warn) == 1
		}
	}
}

test_a_message_names_the_object if {
	told := _told(_finding({"container": "", "resource": {"kind": "Pod", "namespace": "shop", "name": "a"}}))
	told.deny == {"HR202 Pod shop/a: limits.cpu is 2. Wanted: no CPU limit."}
}

test_the_finding_itself_is_the_metadata if {
	some entry in main.deny with data.headroom.main.result as {"findings": [_finding({})]}
		with data.headroom.catalogue.rules as _catalogue
	object.remove(entry, ["msg"]) == _finding({})
}
