package headroom.runtime.jvm_hidden_test

import data.headroom.runtime.jvm

# of is the JVM of a container.
of(container) := j if {
	j := jvm.jvms[0] with input as pod(container) with data.headroom.image_lock as read
}

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{
		"name": "app",
		"image": "example.com/app:1",
		"resources": {"limits": {"memory": "1Gi"}},
	},
	container,
)]}}

java(words) := {"command": array.concat(["java"], words)}

# The image read:1 is known, and sets nothing.
read := {"references": {"read:1": "sha256:0"}, "images": {"sha256:0": {"entrypoint": [], "environment": {}}}}

secret := {"envFrom": [{"secretRef": {"name": "s"}}]}

# An error holds whatever a Secret, or an image that was not read, may set.
test_an_error_holds_for_what_is_out_of_sight if {
	plain := of(java(["-jar", "a.jar"]))
	hidden := of(object.union(java(["-jar", "a.jar"]), secret))
	known := of(object.union(java(["-jar", "a.jar"]), {"image": "read:1"}))
	[jvm.absence(j, "error") | some j in [plain, hidden, known]] == ["warning", "warning", "error"]
	[jvm.absence(j, "info") | some j in [plain, hidden, known]] == ["info", "info", "info"]
	[jvm.as_set(j, "error") | some j in [plain, hidden, known]] == ["error", "warning", "error"]
}

# A count right behind java is not overridden by what comes in front of it.
test_a_count_for_sure if {
	jvm.counts_for_sure(of(java(["-XX:ActiveProcessorCount=2", "-jar", "a.jar"])))
	emptied := ["env", "-u", "JAVA_TOOL_OPTIONS", "java", "-XX:ActiveProcessorCount=2", "-jar", "a.jar"]
	jvm.counts_for_sure(of({"command": emptied}))
	not jvm.counts_for_sure(of(java(["-jar", "a.jar"])))
	not jvm.counts_for_sure(of({"command": ["sh", "-c", "./start.sh"], "env": [{
		"name": "JAVA_TOOL_OPTIONS",
		"value": "-XX:ActiveProcessorCount=2",
	}]}))
}

# Paketo's launcher works the heap out, in whichever image its settings stand.
test_a_launcher_sizes_the_heap if {
	launched := {"image": "eclipse-temurin:21", "env": [
		{"name": "BPL_JVM_THREAD_COUNT", "value": "50"},
		{"name": "JAVA_TOOL_OPTIONS", "value": "-Dx=1"},
	]}
	jvm.heap_is_scripts(of(launched))
	not jvm.heap_is_scripts(of(java(["-jar", "a.jar"])))
}

# The image java ended before the flags of containers came.
test_the_image_java if {
	not jvm.takes_flags(of({"image": "java:8u102-jre", "command": ["java", "-jar", "a.jar"]}))
	later := [{"name": "JAVA_VERSION", "value": "17.0.1"}]
	not jvm.takes_flags(of({"image": "java:latest", "command": ["java", "-jar", "a.jar"], "env": later}))
	jvm.takes_flags(of({"image": "eclipse-temurin:21", "command": ["java", "-jar", "a.jar"]}))
}

# OpenJ9 is another JVM than the one of this model.
test_images_of_openj9 if {
	every image in ["open-liberty:full-java17-openj9", "ibm-semeru-runtimes:open-17-jre", "example.com/app:1-openj9"] {
		found := jvm.jvms with input as pod({"image": image, "command": ["java", "-jar", "a.jar"]})
		count(found) == 0
	}
}

may(words, release, added) := found if {
	versioned := object.union(
		pod(java(words)),
		{"metadata": {"annotations": {"jvm.headroom.dev/app": concat("=", ["version", release])}}},
	)
	[found] := [jvm.may_inject(j, added) | some j in jvm.jvms] with input as versioned
}

# Behind java in a command, only what starts beside all that the image may set. Its _JAVA_OPTIONS win over the command
# line: with few processors they may ask for more concurrent threads than parallel ones, and such a JVM does not start.
test_beside_what_an_image_may_set if {
	count_of_two := ["-XX:ActiveProcessorCount=2"]
	every release, expected in {"8u312": false, "11": false, "17": false, "21": true, "25": true, "28": false} {
		may([], release, count_of_two) == expected
	}
	every flag in ["-XX:ParallelGCThreads=2", "-XX:+UseSerialGC", "-XX:+UseParallelGC"] {
		may([flag], "17", count_of_two)
	}
	not may(["-XX:+UseG1GC"], "17", count_of_two)
	not may(["-XX:ConcGCThreads=1"], "17", count_of_two)
	not may(["-XX:CICompilerCount=2"], "28", count_of_two)
	every added in [["-XX:MaxRAMPercentage=50.0"], ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=1"]] {
		not may([], "21", added)
	}
	jvm.fits_hidden(of(object.union(java(["-XX:ConcGCThreads=1", "-jar", "a.jar"]), {"image": "read:1"})), count_of_two)
}

# Serial, the choice on one processor, passes over counts of GC threads that G1 on two refuses.
test_a_count_of_threads_where_the_collector_stays if {
	every limit, expected in {"1": false, "500m": false, "1500m": true, "2": true} {
		counted := object.union(java(["-XX:ParallelGCThreads=2", "-jar", "a.jar"]), {
			"image": "eclipse-temurin-of-ours:17",
			"resources": {"limits": {"memory": "2Gi", "cpu": limit}},
		})
		count([true | jvm.fits_hidden(of(counted), ["-XX:ActiveProcessorCount=2"])]) == {true: 1, false: 0}[expected]
		chosen := object.union(counted, {"command": ["java", "-XX:+UseG1GC", "-XX:ParallelGCThreads=2", "-jar", "a.jar"]})
		jvm.fits_hidden(of(chosen), ["-XX:ActiveProcessorCount=2"])
	}
}

test_names_of_variables_that_are_no_text if {
	not jvm.heap_is_scripts(of({
		"image": "eclipse-temurin:21",
		"command": {},
		"env": [{"name": {"name": "JAVA_TOOL_OPTIONS"}}],
	}))
}

# java tells of its variables where errors go; a file may be read again.
test_errors_into_a_file if {
	every script in [
		"java -version 2>told; read x <told; exec java Main",
		"java -version 2>> /tmp/told; exec java Main",
		"java -version 2>\"$log\"; exec java Main",
		"java -version 2>/dev/shm/told; read x </dev/shm/told; exec java Main",
		"java -version 2>/dev/nulls; read x </dev/nulls; exec java Main",
		"java -version 2>/dev/null 2>/tmp/told; exec java Main",
		"java -version 2<>/tmp/told; exec java Main",
		"java -version >/tmp/told 2>/dev/stdout; exec java Main",
		"java -version >& /tmp/told; exec java Main",
		"java -version >&\"$log\"; exec java Main",
		"java -version &>/tmp/told; exec java Main",
	] {
		jvm.reads_output(_shell(script))
	}
	every script in [
		"java -version 2>/dev/null; exec java Main",
		"exec java Main 2> /dev/stderr",
		"exec java Main 2>>/dev/tty",
		"exec java Main 2>/dev/pts/0",
		"(exec java Main 2>/dev/null)",
		"java -version 2>/dev/null||exit 1; exec java Main",
		"echo started >&2; exec java Main >&-",
		"exec java Main > /tmp/log",
	] {
		not jvm.reads_output(_shell(script))
	}
}

_shell(script) := of({"command": ["sh", "-c", script], "image": "eclipse-temurin:21"}).c
