package headroom.workload_test

import data.headroom.reviews_test as reviews
import data.headroom.workload

_ranges(ranges) := reviews.of_pod({}, {"containers": [{"name": "app"}]}, {"limit_ranges": ranges})

_range(items) := {"spec": {"limits": items}}

_item(fields) := object.union({"type": "Container"}, fields)

_nothing := {"limit": 0, "request": 0}

test_no_limit_range_puts_nothing if {
	workload.limit_range == {"cpu": _nothing, "memory": _nothing} with input as _ranges([])
}

# As SetDefaults_LimitRangeItem completes one item.
test_what_one_item_stands_for if {
	every case in [
		[{"default": {"cpu": "2"}}, {"limit": 2000, "request": 2000}],
		[{"default": {"cpu": "2"}, "defaultRequest": {"cpu": "1"}}, {"limit": 2000, "request": 1000}],
		[{"defaultRequest": {"cpu": "1"}}, {"limit": 0, "request": 1000}],
		[{"max": {"cpu": "4"}}, {"limit": 4000, "request": 4000}],
		[{"max": {"cpu": "4"}, "default": {"cpu": "2"}}, {"limit": 2000, "request": 2000}],
		[{"min": {"cpu": "500m"}}, {"limit": 0, "request": 500}],
		[{"min": {"cpu": "500m"}, "max": {"cpu": "4"}}, {"limit": 4000, "request": 4000}],
		# A default of 0 is a default: the API server does not look at max then.
		[{"default": {"cpu": "0"}, "max": {"cpu": "4"}}, {"limit": 0, "request": 0}],
		# What cannot be read, the API server would not have taken.
		[{"default": {"cpu": "lots"}, "max": {"cpu": null}}, {"limit": 0, "request": 0}],
		[{"default": "a", "max": 5, "min": ["cpu"]}, {"limit": 0, "request": 0}],
		[{"type": "Pod", "max": {"cpu": "4"}}, {"limit": 0, "request": 0}],
	] {
		workload.limit_range.cpu == case[1] with input as _ranges([_range([_item(case[0])])])
	}
}

test_memory_is_read_in_bytes if {
	workload.limit_range.memory == {"limit": 2147483648, "request": 1073741824} with input as _ranges([_range([_item({
		"default": {"memory": "2Gi"},
		"defaultRequest": {"memory": "1Gi"},
	})])])
}

test_the_first_limit_range_decides_and_in_it_the_last_item if {
	two := _item({"default": {"cpu": "2"}})
	one := _item({"default": {"cpu": "1"}})
	workload.limit_range.cpu.limit == 2000 with input as _ranges([_range([two]), _range([one])])
	workload.limit_range.cpu.limit == 1000 with input as _ranges([_range([two, one])])
	workload.limit_range.cpu.limit == 1000 with input as _ranges([_range([]), {"spec": null}, {}, _range([one])])
}
