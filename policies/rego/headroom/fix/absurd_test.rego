package headroom.fix_test

# 9E is 9.2e15 cores, and the JVM's int holds no such count.
test_nothing_is_worked_out_of_absurd_amounts if {
	container := {"image": "eclipse-temurin:17", "command": ["java"], "resources": {"limits": {"memory": "1Gi"}}}
	declared := {"headroom.dev/cpu-average": "4096"}
	changes(one(declared, container), {}, "HR402") == [added(["-XX:ActiveProcessorCount=8192"])]
	every amount in ["4097", "9E"] {
		changes(one({"headroom.dev/cpu-average": amount}, container), {}, "HR402") == []
	}
}

batch_of(average, container) := one(
	{
		"headroom.dev/workload-class": "batch",
		"cpu-average.headroom.dev/app": average,
		"cpu-peak.headroom.dev/app": average,
	},
	container,
)

test_no_absurd_limit_is_set if {
	changes(batch_of("4096", {}), {}, "HR204") == [{"change": "set", "path": at("limits", "cpu"), "value": "8192"}]
	changes(batch_of("4097", {}), {}, "HR204") == []
	changes(batch_of("1", {"resources": {"requests": {"cpu": "9E"}}}), {}, "HR204") == []
	ten := {"matrix": {"batch": {"request": "average", "limit": {"timesAverage": 10}}}}
	count(changes(batch_of("819", {}), {}, "HR204")) == 1 with data.headroom.overrides as ten
	changes(batch_of("820", {}), {}, "HR204") == [] with data.headroom.overrides as ten
}

test_no_absurd_request_is_set if {
	count(changes(one({}, {"resources": resources("1", "1", "3Pi", "4Pi")}), {}, "HR302")) == 1
	changes(one({}, {"resources": resources("1", "1", "3Pi", "5Pi")}), {}, "HR302") == []
}
