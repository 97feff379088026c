package headroom.diagnose_total_test

import data.headroom.diagnose

# Whatever stands anywhere in the input, each check has an answer, and none of them passes
# because of it.
_wrong := [null, true, -1.5, "", "a", [], [null], {}, {"a": null}]

_statuses := {"ok", "warning", "error", "unknown"}

_answers(given) if {
	result := diagnose.result with input as given
	object.keys(result) == {"checks", "regions", "budget"}
	every check in result.checks {
		check.status in _statuses
		every key in ["check", "value", "healthy", "message", "fix", "fact"] {
			is_string(check[key])
		}
		not contains(check.message, "%!")
	}
	every name in ["cpu-throttled", "cpu-mean-throttle", "memory", "oom-kills", "restarts"] {
		name in {c.check | some c in result.checks}
	}
}

test_total_on_any_value if {
	every wrong in _wrong {
		_answers(wrong)
	}
}

test_nothing_read_is_unknown_and_no_pass if {
	checks := diagnose.checks with input as {}
	every check in checks {
		check.status == "unknown"
		check.fix != ""
	}
}

test_a_pod_that_is_none if {
	every wrong in _wrong {
		_answers({"pod": wrong, "container": wrong})
		_answers({"pod": {"kind": "Pod", "spec": wrong}, "container": "app"})
	}
}
