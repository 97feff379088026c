package headroom.runtime.openj9_test

import data.headroom.runtime.openj9

pod(container, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)]},
}

shown(container, annotations) := found if found := openj9.found with input as pod(container, annotations)

heaps(container) := [ceiling.terms[0].text | some ceiling in ceilings(container, {})]

ceilings(container, annotations) := found if {
	found := openj9.ceilings with input as pod(container, annotations)
}

semeru := {"image": "ibm-semeru-runtimes:open-21-jre-jammy"}

test_where_it_is_found if {
	every container in [
		semeru,
		{"image": "icr.io/appcafe/open-liberty:24.0.0.4-full-java17-openj9-ubi"},
		{"image": "example.com/app:1", "command": ["java", "-Xgcpolicy:gencon", "-jar", "/app.jar"]},
		{"image": "example.com/app:1", "command": ["/opt/java/openj9/bin/java", "-jar", "/app.jar"]},
		{"image": "example.com/app:1", "env": [{"name": "JAVA_HOME", "value": "/opt/ibm/java"}]},
	] {
		count(shown(container, {})) == 1
	}
	count(shown({"image": "example.com/app:1"}, {"runtime.headroom.dev/app": "openj9"})) == 1
	shown(semeru, {"runtime.headroom.dev/app": "jvm"}) == {}
	shown({"image": "eclipse-temurin:21"}, {}) == {}
	shown(object.union(semeru, {"command": ["sleep", "infinity"]}), {}) == {}
}

test_a_heap_as_large_as_the_limit if {
	java := object.union(semeru, {"command": ["java", "-Xmx1g", "-jar", "/app.jar"]})
	[ceiling] := ceilings(java, {})
	ceiling.terms[0].text == "OpenJ9's heap may take 1024 MiB (-Xmx1g)"
	ceiling.path == ["spec", "containers", 0, "command", 1]
	ceiling.expected == "-Xmx512m, which OpenJ9 takes of this limit by itself, or limits.memory of 1408Mi"
	heaps(object.union(semeru, {"command": ["sh", "-c", "exec java -Xmx1g -Xmx2g -jar app.jar"]})) == [
		"OpenJ9's heap may take 2048 MiB (-Xmx2g)",
	]
	liberty := {"image": "open-liberty:full-java17-openj9", "env": [{"name": "JVM_ARGS", "value": "-Xmx768m"}]}
	heaps(liberty) == ["OpenJ9's heap may take 768 MiB (-Xmx768m)"]
}

# Where no image is known, a script may set another heap behind the variable: then it is a warning.
test_how_sure_a_heap_is if {
	tool := {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g -Xgcpolicy:gencon"}]}
	every image, sure in {"ibm-semeru-runtimes:open-21-jre-jammy": true, "example.com/app:1": false} {
		[ceiling.sure | some ceiling in ceilings(object.union({"image": image}, tool), {})] == [sure]
	}
	line := {"image": "example.com/app:1", "command": ["java", "-Xgcpolicy:gencon", "-Xmx1g", "-jar", "/app.jar"]}
	[ceiling.sure | some ceiling in ceilings(line, {})] == [true]
}

# The command line wins; what variables contradict is not told.
test_several_heaps if {
	tool := {"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}
	other := {"name": "OPENJ9_JAVA_OPTIONS", "value": "-Xmx2g"}
	heaps(object.union(semeru, {"env": [tool, other]})) == []
	heaps(object.union(semeru, {"env": [tool, other], "command": ["java", "-Xmx512m", "Main"]})) == [
		"OpenJ9's heap may take 512 MiB (-Xmx512m)",
	]
	heaps(object.union(semeru, {"env": [tool]})) == ["OpenJ9's heap may take 1024 MiB (-Xmx1g)"]
	heaps(object.union(semeru, {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmxlarge"}]})) == []
	heaps(semeru) == []
}

test_what_it_takes_by_itself if {
	every limit, heap in {"512": 256, "1024": 512, "2048": 1536, "4096": 3072, "65536": 25600} {
		openj9.own_heap(to_number(limit) * 1048576) == heap * 1048576
	}
}
