package headroom.fix_test

import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm

# heap_flags are what is injected for the heaps of a Pod's JVMs.
heap_flags(spec) := heap_flags_of({}, spec)

heap_flags_of(annotations, spec) := flags if {
	flags := [shares |
		some id, j in jvm.jvms
		shares := [change.flags | some change in fix.heap_share(j, memory.budgets[id].limit_mib)]
	] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "articles", "annotations": annotations},
		"spec": spec,
	}
}

capped_java(limits) := {
	"name": "app",
	"image": "eclipse-temurin:17",
	"command": ["java", "-jar", "app.jar"],
	"env": [{"name": "JAVA_TOOL_OPTIONS", "value": concat(" ", [
		"-XX:MaxMetaspaceSize=256m -XX:ReservedCodeCacheSize=128m",
		"-XX:MaxDirectMemorySize=256m -Xss512k",
	])}],
	"resources": {"requests": {"cpu": "1"}, "limits": limits},
}

half := [["-XX:MaxRAMPercentage=50.0"]]

# Half of the limit for each of two would be all of it.
test_no_share_of_memory_that_others_use_too if {
	app := object.union(capped_java({}), {"resources": {"requests": {"cpu": "1"}}})
	whole := {"resources": {"limits": {"memory": "4Gi"}}}
	heap_flags(object.union(whole, {"containers": [app]})) == [half]
	other := object.union(app, {"name": "other"})
	heap_flags(object.union(whole, {"containers": [app, other]})) == [[], []]
}

test_no_share_for_a_script_that_starts_two if {
	app := capped_java({"memory": "4Gi"})
	every script, flags in {
		"java -jar a.jar & exec java -jar b.jar": [],
		"java -jar a.jar && exec java -jar b.jar": half,
		"cd /opt/java/bin && exec /usr/bin/java -jar b.jar": half,
	} {
		heap_flags({"containers": [object.union(app, {"command": ["sh", "-c", script]})]}) == [flags]
	}
}

test_what_a_volume_may_take_is_not_there_for_the_heap if {
	app := capped_java({"memory": "4Gi"})
	every size, flags in {"16Mi": half, "1Gi": [["-XX:MaxRAMPercentage=45.0"]], "2200Mi": []} {
		volumes := [{"name": "a", "emptyDir": {"medium": "Memory", "sizeLimit": size}}, {"name": "b", "emptyDir": {}}]
		heap_flags({"containers": [app], "volumes": volumes}) == [flags]
	}
}

# The most of what is assumed may be beside the heap: there has to be room for it.
test_a_share_at_the_high_end if {
	bare := object.union(object.remove(capped_java({"memory": "1Gi"}), {"env"}), {"env": []})
	every memory_limit, flags in {
		"1Gi": [],
		"2Gi": [["-XX:MaxRAMPercentage=28.0", "-XX:MaxDirectMemorySize=512m"]],
		"4Gi": [["-XX:MaxRAMPercentage=50.0", "-XX:MaxDirectMemorySize=1024m"]],
	} {
		heap_flags({"containers": [of_memory(bare, memory_limit)]}) == [flags]
	}

	# What was measured leaves more.
	caps := "-XX:ReservedCodeCacheSize=48m -XX:MaxDirectMemorySize=64m"
	measured := object.union(bare, {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": caps}]})
	annotated := {"jvm.headroom.dev/app": "threads=40 native=80Mi classes=9000"}
	heap_flags_of(annotated, {"containers": [measured]}) == [half]
}

of_memory(c, memory_limit) := object.union(c, {"resources": {"limits": {"memory": memory_limit}}})

test_who_shares_a_limit if {
	alone := {"beside": false, "others": []}
	beside := {"beside": true, "others": []}
	one := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "a"}]}}
	every command in [object.union(alone, {"others": [beside]}), object.union(beside, {"others": [alone]})] {
		fix._shared({"command": command}) with input as one
	}
	every command in [alone, beside, object.union(alone, {"others": [alone]})] {
		not fix._shared({"command": command}) with input as one
	}
}
