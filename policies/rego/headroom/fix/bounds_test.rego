package headroom.fix_test

import data.headroom.fix
import data.headroom.workload

# The bounds of what a LimitRange lets pass: an item, a request and a limit in base units.
test_what_is_outside_of_a_limit_range if {
	every entry in [
		["cpu", {"max": {"cpu": "2"}}, 2000, 2000, []],
		["cpu", {"max": {"cpu": "2"}}, 1, 2001, [true]],
		["cpu", {"max": {"cpu": "2"}}, 2001, 0, [true]],
		["cpu", {"max": {"cpu": "1m"}}, 1, 1, []],
		["cpu", {"max": {"cpu": "1m"}}, 0, 2, [true]],
		["cpu", {"max": {"cpu": "0"}}, 1, 1, []],
		["cpu", {"max": {"memory": "1"}}, 2, 2, []],
		["memory", {"max": {"memory": "1"}}, 2, 2, [true]],
		["cpu", {"min": {"cpu": "2m"}}, 2, 0, []],
		["cpu", {"min": {"cpu": "2m"}}, 1, 0, [true]],
		["cpu", {"min": {"cpu": "2m"}}, 2, 1, [true]],
		["cpu", {"min": {"cpu": "2m"}}, 2, 2, []],
		["cpu", {"maxLimitRequestRatio": {"cpu": "2"}}, 1000, 2000, []],
		["cpu", {"maxLimitRequestRatio": {"cpu": "2"}}, 1000, 2001, [true]],
		["cpu", {"maxLimitRequestRatio": {"cpu": "1m"}}, 1, 1, [true]],
		["cpu", {"maxLimitRequestRatio": {"cpu": "0"}}, 1, 1, []],
		["cpu", {"maxLimitRequestRatio": {"cpu": "lots"}}, 1, 1, []],
	] {
		[true | fix._outside(entry[0], entry[1], entry[2], entry[3])] == entry[4]
	}
}

test_what_is_above_the_limit_of_the_pod if {
	every entry in [
		["1m", 1, 1, []],
		["1m", 2, 0, [true]],
		["1m", 0, 2, [true]],
		["0", 1, 1, []],
		["lots", 1, 1, []],
	] {
		whole := pod({}, {"containers": [{}], "resources": {"limits": {"cpu": entry[0]}}})
		[true | fix._breaks("cpu", entry[1], entry[2])] == entry[3] with input as whole
	}
}

set_to(list, resource, value) := {"change": "set", "path": at(list, resource), "value": value}

unasked := {"requests": {"cpu": "0"}}

# Its own limit is the least there is, and still bounds its request.
test_a_request_above_the_smallest_limit if {
	average := {"headroom.dev/cpu-average": "1"}
	tight := {"resources": {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}}}
	changes(one(average, tight), {}, "HR201") == []
	even := {"resources": {"requests": {"cpu": "0"}, "limits": {"cpu": "1"}}}
	changes(one(average, even), {}, "HR201") == [set_to("requests", "cpu", "1")]

	# The limit goes, and does not bound it any more.
	changes(one(object.union(ruby, average), even), {}, "HR202") == [removed]
	changes(one(object.union(ruby, average), even), {}, "HR201") == [set_to("requests", "cpu", "1")]
	changes(one(object.union(ruby, average), tight), {}, "HR201") == [set_to("requests", "cpu", "1")]
}

test_a_request_within_that_of_the_pod if {
	every asked, expected in {"1m": [set_to("requests", "cpu", "1m")], "2m": []} {
		annotations := {"cpu-average.headroom.dev/app": asked}
		spec := {"containers": [{"name": "app", "resources": unasked}], "resources": {"requests": {"cpu": "1m"}}}
		changes(pod(annotations, spec), {}, "HR201") == expected
	}
	container := {"name": "app", "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "2Gi"}}}
	every asked, expected in {"2Gi": 1, "2047Mi": 0} {
		spec := {"containers": [container], "resources": {"requests": {"memory": asked}}}
		count(changes(pod({}, spec), {}, "HR302")) == expected
	}

	# It counts where the Pod has a limit, too.
	both := {"requests": {"cpu": "1m"}, "limits": {"cpu": "4"}}
	spec := {"containers": [{"name": "app", "resources": unasked}], "resources": both}
	changes(pod({"headroom.dev/cpu-average": "1"}, spec), {}, "HR201") == []

	# Without a request of the Pod its limit is the bound.
	bounded := {"containers": [{"name": "app", "resources": unasked}], "resources": {"limits": {"cpu": "1"}}}
	changes(pod({"headroom.dev/cpu-average": "1"}, bounded), {}, "HR201") == [set_to("requests", "cpu", "1")]
}

test_other_quotas_let_a_pods_own_request_pass if {
	whole := {"containers": [{"name": "app"}], "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "4Gi"}}}
	every hard in [{"limits.memory": "2Gi"}, {"requests.cpu": "1"}, {"pods": "1"}, {"memory": "4Gi"}] {
		count(changes(pod({}, whole), quota(hard, {}), "HR302")) == 1
	}
}

# Amounts of memory are not held against a quota of CPU.
test_a_quota_of_something_else if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "1Gi"}}}
	every hard in [{"requests.cpu": "1"}, {"cpu": "1"}, {"requests.memory": "1Gi"}, {"limits.memory": "1Gi"}] {
		[count(changes(one(batch, container), quota(hard, {}), rule)) | some rule in ["HR204", "HR302"]] == [1, 1]
	}
}

test_a_quota_counts_no_app_beside_an_init_container if {
	large := {"requests": {"memory": "1536Mi"}, "limits": {"memory": "1536Mi"}}
	app := {"name": "app", "resources": {"requests": {"memory": "512Mi"}, "limits": {"memory": "1Gi"}}}
	spec := {
		"containers": [app],
		"initContainers": [{"name": "before", "resources": app.resources}, {"name": "init", "resources": large}],
	}
	changes(pod({}, spec), quota({"requests.memory": "1535Mi"}, {}), "HR302") == [{
		"change": "set",
		"path": ["spec", "containers", 0, "resources", "requests", "memory"],
		"value": "1Gi",
	}]
}

# Two ask for a thousandth each, and one of them is limited to as much.
test_the_least_of_a_pod_is_that_of_its_limits_too if {
	thousandth := object.union(cron, {"headroom.dev/cpu-average": "1m"})
	other := {"resources": {"requests": {"cpu": "1m"}}}
	annotations := object.union(thousandth, {"class.headroom.dev/other": "latency-sensitive"})
	every least, expected in {"1m": 1, "2m": 0} {
		bounded := range("Pod", {"min": {"cpu": least}})
		count(changes(beside(annotations, other, other), bounded, "HR206")) == expected
	}
}

cron := {"headroom.dev/workload-class": "cron", "cpu-peak.headroom.dev/app": "1m"}

# A quota of other scopes is of no concern to a Pod without resources.
test_a_pod_without_resources_and_other_quotas if {
	every scopes in [{}, {"scopes": ["NotTerminating"]}, {"scopes": ["BestEffort"]}] {
		context := {"resource_quotas": [{"spec": object.union({"hard": {"limits.memory": "20Gi"}}, scopes)}]}
		count(changes(one({"headroom.dev/cpu-average": "1"}, {}), context, "HR201")) == 1
	}
}

# first_of is the first container of an object.
first_of(object) := found[0] if {
	found := workload.containers with input as object
}

# What is known to be none is no value, and a thousandth is one.
test_values_that_are_not_known_are_not_set if {
	every class in ["cron", "batch", "sidecar", "latency-sensitive"] {
		given := one(object.union(ruby, {"headroom.dev/workload-class": class}), {})
		c := first_of(given)
		fix.cpu_request(c, 0) == [] with input as given
		fix.allocated(c, 0) == [] with input as given
		fix.as_measured(c) == [] with input as given
		every fields in [["request"], ["limit"], ["request", "limit"]] {
			fix.at_peak(c, fields) == [] with input as given
		}
	}
}

test_the_smallest_values_are_set if {
	request := set_to("requests", "cpu", "1m")
	latency := one({}, {})
	fix.cpu_request(first_of(latency), 1) == [request] with input as latency
	short := one(cron, {})
	c := first_of(short)
	fix.cpu_request(c, 1) == [limit("1m"), request] with input as short
	fix.allocated(c, 1) == [limit("1m")] with input as short
	every fields, expected in {
		["request"]: [request],
		["limit"]: [limit("1m")],
		["request", "limit"]: [limit("1m"), request],
	} {
		fix.at_peak(c, fields) == expected with input as short
	}
}

# What is there already is not set again.
test_a_peak_that_is_requested_already if {
	asked := {"resources": {"requests": {"cpu": "1m"}}}
	changes(one(cron, asked), {}, "HR206") == [limit("1m")]
}

side_of(average, peak, resources) := one(
	{
		"headroom.dev/workload-class": "sidecar",
		"cpu-average.headroom.dev/app": average,
		"cpu-peak.headroom.dev/app": peak,
	},
	{"resources": resources},
)

test_a_sidecar_as_measured if {
	request := set_to("requests", "cpu", "1m")
	every entry in [
		["1m", "2m", {}, [limit("2m"), request]],
		["1m", "lots", {}, []],
		["lots", "2m", {}, []],
		["lots", "2m", {"requests": {"cpu": "1m"}}, [limit("2m")]],
		["1m", "2m", {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}}, [limit("2m"), request]],
		["1m", "1m", {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}}, [request]],
		["1m", "lots", {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}}, [request]],
		["1m", "2m", {"requests": {"cpu": "1m"}, "limits": {"cpu": "1m"}}, [limit("2m")]],
	] {
		changes(side_of(entry[0], entry[1], entry[2]), {}, "HR205") == entry[3]
	}
}

# The new limit is 2m.
test_a_limit_and_a_measured_peak if {
	thousandth := {"headroom.dev/workload-class": "batch", "cpu-average.headroom.dev/app": "1m"}
	every entry in [
		["2m", {"limits": {"cpu": "4m"}}, [limit("2m")]],
		["3m", {"limits": {"cpu": "4m"}}, []],
		["3m", {"limits": {"cpu": "1m"}}, [limit("2m")]],
		["3m", {}, []],
	] {
		annotations := object.union(thousandth, {"cpu-peak.headroom.dev/app": entry[0]})
		resources := object.union({"requests": {"cpu": "1m"}}, entry[1])
		changes(one(annotations, {"resources": resources}), {}, "HR204") == entry[2]
	}

	# An assumed average cannot be relied on.
	assumed := one({"headroom.dev/workload-class": "batch"}, {"resources": {"requests": {"cpu": "1"}}})
	changes(assumed, {}, "HR204") == []
}

tenant := {"headroom.dev/workload-class": "multi-tenant", "headroom.dev/cpu-allocation": "2"}

# What a tenant pays for throttles what was measured: which of the two is wrong is the tenant's to say.
test_no_allocation_below_a_measured_peak if {
	every peak, expected in {"2": [limit("2")], "2001m": []} {
		annotations := object.union(tenant, {"cpu-peak.headroom.dev/app": peak})
		changes(one(annotations, {"resources": {"requests": {"cpu": "1"}}}), {}, "HR207") == expected
		changes(one(annotations, {"resources": resources("1", "4", "1Gi", "1Gi")}), {}, "HR207") == expected
		changes(one(annotations, {"resources": resources("1", "1", "1Gi", "1Gi")}), {}, "HR207") == [limit("2")]
	}
}

test_a_whole_allocation_goes_to_one_container if {
	limited := {"resources": resources("1", "1", "1Gi", "1Gi")}
	changes(one(tenant, limited), {}, "HR207") == [limit("2")]
	changes(beside(tenant, limited, {"resources": resources("1", "2", "1Gi", "1Gi")}), {}, "HR207") == []
	app := {"name": "app", "resources": {"requests": {"cpu": "1"}}}
	of_the_pod := {"containers": [app], "resources": {"limits": {"cpu": "3"}}}
	changes(pod(tenant, of_the_pod), {}, "HR207") == []
}
