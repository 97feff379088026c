package headroom.runtime.jvm_test

# Measured on JDK 8 to 28, but for recordings on 11.
texts_taken_apart := [
	{"args": ["-XX:CompileCommand=foo,a.B::c"], "refusing": {25, 26, 28}},
	{"args": ["-XX:CompileCommand=a.B::c"], "refusing": {25, 26, 28}},
	{"args": ["-XX:CompileCommand=inline"], "refusing": {25, 26, 28}},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:CompileCommand=foo"], "refusing": {25, 26, 28}},
	{"args": ["-XX:CompileCommand=quiet", "-XX:CompileCommand=Exclude,a.B::c", "-XX:CompileCommand="], "refusing": none},
	{"args": ["-XX:StartFlightRecording=maxage=5h,dumponexit=maybe"], "refusing": all},
	{"args": ["-XX:StartFlightRecording=disk=TRUE"], "refusing": since_11 - {11}},
	{"args": ["-XX:StartFlightRecording:maxage=5"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:StartFlightRecording=delay=5x"], "refusing": all},
	{"args": ["-XX:StartFlightRecording=maxsize=10x"], "refusing": since_11 - {11}},
	{"args": ["-XX:StartFlightRecording=maxage=5h,maxsize=10,delay=30s,dumponexit=true,settings=x"], "refusing": none},
	{"args": ["-XX:FlightRecorderOptions=stackdepth=many"], "refusing": all},
	{"args": ["-XX:FlightRecorderOptions=memorysize=1k"], "refusing": all},
	{"args": ["-XX:FlightRecorderOptions=maxchunksize=1k"], "refusing": all - {11}},
	{"args": ["-XX:FlightRecorderOptions=memorysize=10m,stackdepth=64"], "refusing": none},
	{"args": ["-XX:Flags="], "refusing": since_11},
]

test_texts_taken_apart_1 if differences(part(texts_taken_apart, 0)) == []

test_texts_taken_apart_2 if differences(part(texts_taken_apart, 1)) == []

test_texts_taken_apart_3 if differences(part(texts_taken_apart, 2)) == []

test_texts_taken_apart_4 if {
	last_part(texts_taken_apart, 3)
	differences(part(texts_taken_apart, 3)) == []
}

# Words without what they must name.
unfinished := [
	{"args": ["--add-reads=java.base"], "refusing": all},
	{"args": ["--add-reads=java.base=ALL-UNNAMED"], "refusing": {8}},
	{"args": ["--add-modules="], "refusing": all},
	{"env": {"JDK_JAVA_OPTIONS": "--limit-modules="}, "refusing": since_11},
	{"env": {"JAVA_TOOL_OPTIONS": "--add-modules="}, "refusing": {8}},
	{"args": ["-javaagent:"], "refusing": all},
	{"args": ["-agentlib:"], "refusing": all},
	{"args": ["-agentpath:"], "refusing": all},
	{"args": ["-XX:+UnlockDiagnosticVMOptions", "-XX:"], "refusing": all},
	{"args": ["-XX:+UseG1GC", "-XX:G1HeapRegionSize=512k"], "refusing": {28}},
	{"args": ["-XX:+UseG1GC", "-XX:G1HeapRegionSize=0"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:MarkStackSize=0"], "refusing": all},
]

test_unfinished_words_1 if differences(part(unfinished, 0)) == []

test_unfinished_words_2 if differences(part(unfinished, 1)) == []

test_unfinished_words_3 if {
	last_part(unfinished, 2)
	differences(part(unfinished, 2)) == []
}

test_no_class_begins_with_a_backslash if {
	[j] := models({"command": ["java", "\\-Xmx512m", "-jar", "/app.jar"]}, {})
	[entry] := j.startup
	startswith(entry.reason, "it begins with a backslash")
}

# An image of OpenJDK holds no GraalVM, whose flags OpenJDK refuses or wants unlocked.
test_flags_of_graal_on_openjdk if {
	command := ["java", "-XX:+UseJVMCI", "-XX:JVMCIThreads=1", "Main"]
	[j] := models({"image": "eclipse-temurin:21-jre", "command": command}, {})
	{entry.flags[0] | some entry in j.startup} == {"-XX:+UseJVMCI", "-XX:JVMCIThreads=1"}
}
