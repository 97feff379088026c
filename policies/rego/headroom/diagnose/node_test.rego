package headroom.diagnose_node_test

import data.headroom.diagnose

_checks(name, read) := [c | some c in checks; c.check == name] if {
	checks := diagnose.checks with input as {"read": read}
}

_cpu(cut) := {"cpu": {"periods": 1000, "throttled": cut, "throttled_ns": 5000000}}

_limited := {"quota_us": 200000, "period_us": 100000}

test_the_quota_and_its_period if {
	[c] := _checks("cpu-quota", _limited)
	[c.status, c.value] == ["ok", "200 ms each 100 ms"]
	c.message == "Each period of 100 ms grants 200 ms of CPU time: a limit of 2."
	[half] := _checks("cpu-quota", {"quota_us": 12500, "period_us": 50000})
	half.message == "Each period of 50 ms grants 12.5 ms of CPU time: a limit of 250m."
}

test_no_quota if {
	every read in [{"quota_us": -1, "period_us": 100000}, {"quota_us": 100000}, {"period_us": 100000}, {}] {
		_checks("cpu-quota", read) == []
	}
}

test_the_length_of_the_period_matters_where_it_is_throttled if {
	[c] := _checks("cpu-quota", object.union(_limited, _cpu(20)))
	endswith(c.message, "work that is busy all the time is throttled more often by it (T10).")
	[quiet] := _checks("cpu-quota", object.union(_limited, _cpu(9)))
	endswith(quiet.message, ": a limit of 2.")
	[shorter] := _checks("cpu-quota", object.union({"quota_us": 199998, "period_us": 99999}, _cpu(20)))
	endswith(shorter.message, ": a limit of 2.")
	[short] := _checks("cpu-quota", {"quota_us": 10000, "period_us": 9999})
	endswith(short.message, "of a core for each container (T9).")
	[long] := _checks("cpu-quota", {"quota_us": 10000, "period_us": 10000})
	endswith(long.message, ": a limit of 1.")
}

test_a_burst_is_added if {
	[c] := _checks("cpu-quota", object.union(_limited, {"burst_us": 50000}))
	endswith(c.message, "Up to 50 ms that it left unused may be added, so that 250 ms is the most in a period.")
	[none] := _checks("cpu-quota", object.union(_limited, {"burst_us": 0}))
	endswith(none.message, ": a limit of 2.")
}

_kernel(major, minor) := {"kernel": {
	"release": sprintf("%v.%v.0-amd64", [major, minor]),
	"major": major,
	"minor": minor,
}}

test_a_kernel_before_5_4 if {
	read := object.union(_limited, _cpu(20))
	every version in [[5, 3], [4, 19], [3, 10]] {
		[c] := _checks("kernel", object.union(read, _kernel(version[0], version[1])))
		c.status == "warning"
		contains(c.message, "before 5.4 the kernel throttles containers that have not used their quota up")
		c.fix != ""
	}
	every version in [[5, 4], [5, 15], [6, 1]] {
		[c] := _checks("kernel", object.union(read, _kernel(version[0], version[1])))
		[c.status, c.fix] == ["ok", ""]
		endswith(c.message, ": quota that a CPU has not used does not expire (5.4 and later).")
	}
}

test_an_old_kernel_that_throttles_nothing if {
	[c] := _checks("kernel", object.union(object.union(_limited, _cpu(0)), _kernel(4, 19)))
	c.status == "ok"
	c.message == "Linux 4.19.0-amd64 is before 5.4, but it throttles next to nothing here."
}

test_a_kernel_that_does_not_matter if {
	_checks("kernel", object.union(_kernel(4, 19), {"quota_us": -1})) == []
	_checks("kernel", _limited) == []
	every wrong in [null, "4.19", {"release": 4, "major": 4, "minor": 19}, {"release": "4", "major": "4", "minor": 1}] {
		_checks("kernel", object.union(_limited, {"kernel": wrong})) == []
	}
}

test_cpus_of_its_own if {
	[c] := _checks("cpus", object.union(_limited, {"cpus": 2, "cpus_node": 32}))
	c.value == "2 of 32"
	contains(c.message, "as many as its limit: a static CPU manager gives it whole cores")
	every shared in [_limited, {"quota_us": -1, "period_us": 100000}, {}] {
		[other] := _checks("cpus", object.union(shared, {"cpus": 30, "cpus_node": 32}))
		endswith(other.message, "are other containers' own under a static CPU manager, or reserved.")
	}
}

test_all_cpus_are_nothing_to_tell if {
	every read in [{"cpus": 32, "cpus_node": 32}, {"cpus": 2}, {"cpus_node": 32}, {"cpus": "2", "cpus_node": 32}, {}] {
		_checks("cpus", read) == []
	}
}
