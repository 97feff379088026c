package headroom.fix_test

lacking := {"requests": {"memory": "4Gi"}, "limits": {"memory": "4Gi"}}

limit_of(index) := {"change": "set", "path": ["spec", "containers", index, "resources", "limits", "cpu"], "value": "2"}

# What goes by a limit comes with its own container's limit, and with what is made of it.
test_what_comes_with_a_limit if {
	jvm := {"image": "eclipse-temurin:17", "command": ["java", "-jar", "a.jar"], "resources": lacking}
	averages := {
		"cpu-average.headroom.dev/app": "1", "cpu-average.headroom.dev/other": "1",
		"cpu-peak.headroom.dev/other": "2",
	}
	changes(beside(object.union(batch, averages), jvm, jvm), {}, "HR402") == [
		limit_of(0), {"change": "set", "path": at("requests", "cpu"), "value": "1"},
		limit_of(1), {"change": "set", "path": ["spec", "containers", 1, "resources", "requests", "cpu"], "value": "1"},
	]
	exempted := object.union(batch, {"ignore.headroom.dev/HR201": "known"})
	changes(one(exempted, jvm), {}, "HR402") == [limit_of(0)]
}

# Exempted in the config, the other one's memory stays as it is.
test_a_request_that_is_not_made_takes_nothing_of_a_quota if {
	container := {"resources": half_asked}
	ignored := {"ignore": [{"rules": ["HR302"], "container": "other", "reason": "known"}]}
	context := quota({"requests.memory": "3Gi"}, {})
	changes(beside({}, container, container), context, "HR302") == []
	memory_of(0) in changes(beside({}, container, container), context, "HR302") with data.headroom.overrides as ignored
}

regions_asked(names, flags) := changes(one({"inject.headroom.dev/app": names}, java(flags, "4Gi", "0")), {}, "HR307")

# All of what is unbounded is capped, or nothing.
both_caps := [added(["-XX:MaxMetaspaceSize=256m", "-XX:MaxDirectMemorySize=256m"])]

test_caps_are_asked_for if {
	every names in ["metaspace,direct", " direct , metaspace,"] {
		regions_asked(names, "-Xss512k") == both_caps
	}
}

test_caps_are_asked_for_together if {
	every names in ["metaspace", "direct", "code-cache", ""] {
		regions_asked(names, "-Xss512k") == []
	}
}

test_caps_that_are_there if {
	regions_asked("direct", "-XX:MaxMetaspaceSize=256m") == [added(["-XX:MaxDirectMemorySize=256m"])]
	regions_asked("metaspace,direct", "-XX:-UseContainerSupport $(A)") == both_caps
	line := ["sh", "-c", "java $JAVA_TOOL_OPTIONS -jar a.jar"]
	passed_on := object.union(java("-Xss512k", "4Gi", "0"), {"command": line})
	changes(one({"inject.headroom.dev/app": "metaspace,direct"}, passed_on), {}, "HR307") == []
}

test_words_that_are_no_command_start_nothing if {
	app := object.union(capped_java({"memory": "4Gi"}), {"notes": ["java -jar a.jar", "java -jar b.jar"]})
	heap_flags({"containers": [app]}) == [half]
}

test_no_share_where_flags_may_not_be_set if {
	app := capped_java({"memory": "4Gi"})
	heap_flags({"containers": [app]}) == [half]
	line := ["sh", "-c", "java $JAVA_TOOL_OPTIONS -jar a.jar"]
	heap_flags({"containers": [object.union(app, {"command": line})]}) == [[]]
	heap_flags({"containers": [object.union(app, {"image": "unread:17"})]}) == [[]]
}

test_no_share_under_the_smallest_limit_of_a_pod if {
	app := capped_java({"memory": "4Gi"})
	whole := {"resources": {"limits": {"memory": "1"}}}
	heap_flags(object.union(whole, {"containers": [app, object.union(app, {"name": "other"})]})) == [[], []]
}

# Each JVM's own flags have room, and those of both would not.
test_room_for_the_flags_of_one if {
	long := object.union(java(concat("", ["-XX:+UseG1GC -Dx=", sprintf("%0*d", [870, 0])]), "4Gi", "0"), in_a_shell)
	averages := {"cpu-average.headroom.dev/app": "2", "cpu-average.headroom.dev/other": "4"}
	found := changes(beside(averages, long, long), {}, "HR403")
	[change.flags | some change in found] == [
		["-XX:ParallelGCThreads=8", "-XX:ConcGCThreads=4"],
		["-XX:ParallelGCThreads=16", "-XX:ConcGCThreads=8"],
	]
}

# The LimitRange gives the limit, and a null is no text of it.
test_a_limit_of_null_is_not_written_down if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": null}}}
	changes(one({}, container), range("Container", {"default": {"memory": "1Gi"}}), "HR302") == [{
		"change": "set",
		"path": at("requests", "memory"), "value": "1Gi",
	}]
}

# What is written is kept where bytes would be more than it.
test_a_request_as_its_limit_is_written if {
	asked := {"1024Mi": "512Mi", "1073741824": "512Mi", "0.1Gi": "60Mi", "1073741823.5": "512Mi"}
	every written, expected in {"1024Mi": "1Gi", "1073741824": "1Gi", "0.1Gi": "0.1Gi", "1073741823.5": "1073741823.5"} {
		container := {"resources": {"requests": {"cpu": "1", "memory": asked[written]}, "limits": {"memory": written}}}
		[change.value | some change in changes(one({}, container), {}, "HR302")] == [expected]
	}
}

# Three concurrent threads do not start beside two parallel ones.
test_no_processors_that_a_jvm_does_not_start_with if {
	measured := {"cpu-average.headroom.dev/app": "700m"}
	changes(one(measured, java("-Xmx1g -XX:+UseG1GC -XX:ConcGCThreads=3", "4Gi", "0")), {}, "HR402") == []
	changes(one(measured, java("-Xmx1g -XX:+UseG1GC -XX:ConcGCThreads=1", "4Gi", "0")), {}, "HR402") != []
}
