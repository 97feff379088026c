package headroom.runtime.jvm_test

# Flags that came and went, as measured on JDK 8 to 28 (tests/integration/jvm/testdata).
flags_that_come_and_go := [
	{"args": ["-Xlog:gc*"], "refusing": {8}},
	{"args": ["-Xlog:gc*:stdout:time,uptime,level,tags"], "refusing": {8}},
	{"args": ["-Xlog:nonsense"], "refusing": all},
	{"args": ["-Xloggc:gc.log"], "refusing": none},
	{"args": ["-verbose:gc"], "refusing": none},
	{"args": ["-XX:+PrintGCDetails"], "refusing": none},
	{"args": ["-XX:+PrintGCDateStamps"], "refusing": since_11},
	{"args": ["-XX:+PrintGCTimeStamps"], "refusing": since_11},
	{"args": ["-XX:+PrintGCCause"], "refusing": since_11},
	{"args": ["-XX:+PrintHeapAtGC"], "refusing": since_11},
	{"args": ["-XX:+PrintTenuringDistribution"], "refusing": since_11},
	{"args": ["-XX:+PrintGCApplicationStoppedTime"], "refusing": since_11},
	{"args": ["-XX:+PrintAdaptiveSizePolicy"], "refusing": since_11},
	{"args": ["-Xloggc:gc.log", "-XX:+UseGCLogFileRotation"], "refusing": since_11},
	{
		"args": ["-Xloggc:gc.log", "-XX:+UseGCLogFileRotation", "-XX:NumberOfGCLogFiles=5", "-XX:GCLogFileSize=10M"],
		"refusing": since_11,
	},
	{"args": ["-XX:-UseBiasedLocking"], "refusing": {21, 25, 26, 28}},
	{"args": ["-XX:+AggressiveOpts"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:CMSInitiatingOccupancyFraction=70"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+UseCMSInitiatingOccupancyOnly"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+CMSClassUnloadingEnabled"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+UseStringDeduplication"], "refusing": none},
	{"args": ["-XX:+ExitOnOutOfMemoryError"], "refusing": none},
	{"args": ["-XX:+CrashOnOutOfMemoryError"], "refusing": none},
	{"args": ["-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=/dumps"], "refusing": none},
	{"args": ["-XX:NativeMemoryTracking=summary"], "refusing": none},
	{"args": ["-XX:MaxGCPauseMillis=200"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:G1HeapRegionSize=16m"], "refusing": none},
	{"args": ["-XX:InitiatingHeapOccupancyPercent=35"], "refusing": none},
	{"args": ["-XX:InitiatingHeapOccupancyPercent=135"], "refusing": since_11},
	{"args": ["-XX:G1NewSizePercent=20"], "refusing": all},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:G1NewSizePercent=20"], "refusing": none},
	{"args": ["-XX:+PrintAssembly"], "refusing": all},
	{"args": ["-XX:+UseCompactObjectHeaders"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:-UseCompressedOops"], "refusing": none},
	{"args": ["-XX:-UseCompressedClassPointers"], "refusing": none},
	{"args": ["-XX:+UnlockCommercialFeatures"], "refusing": since_11},
	{"args": ["-XX:+FlightRecorder"], "refusing": none},
	{"args": ["-XX:MaxTenuringThreshold=16"], "refusing": {8}},
	{"args": ["-XX:+UseNUMA"], "refusing": none},
	{"args": ["-server"], "refusing": none},
	{"args": ["-client"], "refusing": none},
	{"args": ["-d64"], "refusing": since_11},
	{"args": ["-Xincgc"], "refusing": since_11},
	{"args": ["-Xverify:none"], "refusing": {28}},
	{"args": ["-Xnoclassgc"], "refusing": none},
	{"args": ["-Xrs"], "refusing": none},
	{"args": ["-Xbatch"], "refusing": none},
	{"args": ["-Xshare:off"], "refusing": none},
	{"args": ["--add-opens", "java.base/java.lang=ALL-UNNAMED"], "refusing": {8}},
	{"args": ["--add-opens=java.base/java.lang=ALL-UNNAMED"], "refusing": {8}},
	{"args": ["--illegal-access=permit"], "refusing": {8}},
	{"args": ["--enable-preview"], "refusing": {8}},
	{"args": ["-Djava.security.manager"], "refusing": {25, 26, 28}},
	{"args": ["-Djava.endorsed.dirs=/lib"], "refusing": since_11},
	{"args": ["-Djava.security.egd=file:/dev/./urandom"], "refusing": none},
]

test_flags_that_come_and_go_1 if differences(part(flags_that_come_and_go, 0)) == []

test_flags_that_come_and_go_2 if differences(part(flags_that_come_and_go, 1)) == []

test_flags_that_come_and_go_3 if differences(part(flags_that_come_and_go, 2)) == []

test_flags_that_come_and_go_4 if differences(part(flags_that_come_and_go, 3)) == []

test_flags_that_come_and_go_5 if differences(part(flags_that_come_and_go, 4)) == []

test_flags_that_come_and_go_6 if differences(part(flags_that_come_and_go, 5)) == []

test_flags_that_come_and_go_7 if differences(part(flags_that_come_and_go, 6)) == []

test_flags_that_come_and_go_8 if differences(part(flags_that_come_and_go, 7)) == []

test_flags_that_come_and_go_9 if differences(part(flags_that_come_and_go, 8)) == []

test_flags_that_come_and_go_10 if differences(part(flags_that_come_and_go, 9)) == []

test_flags_that_come_and_go_11 if differences(part(flags_that_come_and_go, 10)) == []

test_flags_that_come_and_go_12 if differences(part(flags_that_come_and_go, 11)) == []

test_flags_that_come_and_go_13 if differences(part(flags_that_come_and_go, 12)) == []

test_flags_that_come_and_go_14 if {
	last_part(flags_that_come_and_go, 13)
	differences(part(flags_that_come_and_go, 13)) == []
}

# Flags that no JVM knows, and what IgnoreUnrecognizedVMOptions hides.
flags_that_nobody_knows := [
	{"args": ["-XX:+UseTheForce"], "refusing": all},
	{"args": ["-XX:-UseTheForce"], "refusing": all},
	{"args": ["-XX:HeapPlease=1g"], "refusing": all},
	{"args": ["-XX:MaxRamPercentage=75.0"], "refusing": all},
	{"args": ["-Xfoo"], "refusing": all},
	{"args": ["-foo"], "refusing": all},
	{"args": ["--foo"], "refusing": all},
	{"args": ["-XX:UseG1GC"], "refusing": all},
	{"args": ["-XX:+MaxRAMPercentage=75.0"], "refusing": all},
	{"args": ["-XX:UseG1GC=true"], "refusing": all},
	{"args": ["-XX:+UseG1GC=true"], "refusing": all},
	{"args": ["-XX+UseG1GC"], "refusing": all},
	{"args": ["-Xmx512m -Xms256m"], "refusing": all},
	{"args": [" -Xmx512m"], "refusing": all},
	{"args": ["-XX:+UseG1GC -Xmx512m"], "refusing": all},
	{"args": ["\"-Xmx512m\""], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseTheForce"], "refusing": none},
	{"args": ["-XX:+UseTheForce", "-XX:+IgnoreUnrecognizedVMOptions"], "refusing": none},
	{
		"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:-IgnoreUnrecognizedVMOptions", "-XX:+UseTheForce"],
		"refusing": all,
	},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xfoo"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=75"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=half"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=101.0"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:CICompilerCount=1"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseG1GC", "-XX:+UseSerialGC"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xlog:gc*"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseConcMarkSweepGC"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseZGC"], "refusing": {11}},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xmx1Gi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ParallelGCThreads=two"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ReservedCodeCacheSize=1m"], "refusing": all},
	{"args": ["-XX:+UseTheForce"], "env": {"JAVA_TOOL_OPTIONS": "-XX:+IgnoreUnrecognizedVMOptions"}, "refusing": {8}},
]

test_flags_that_nobody_knows_1 if differences(part(flags_that_nobody_knows, 0)) == []

test_flags_that_nobody_knows_2 if differences(part(flags_that_nobody_knows, 1)) == []

test_flags_that_nobody_knows_3 if differences(part(flags_that_nobody_knows, 2)) == []

test_flags_that_nobody_knows_4 if differences(part(flags_that_nobody_knows, 3)) == []

test_flags_that_nobody_knows_5 if differences(part(flags_that_nobody_knows, 4)) == []

test_flags_that_nobody_knows_6 if differences(part(flags_that_nobody_knows, 5)) == []

test_flags_that_nobody_knows_7 if differences(part(flags_that_nobody_knows, 6)) == []

test_flags_that_nobody_knows_8 if {
	last_part(flags_that_nobody_knows, 7)
	differences(part(flags_that_nobody_knows, 7)) == []
}

# A lock has to be open where the flag stands.
test_locks_that_close_again if {
	unlock := "-XX:+UnlockExperimentalVMOptions"
	lock := "-XX:-UnlockExperimentalVMOptions"
	percent := "-XX:G1NewSizePercent=20"
	every row in [
		[[unlock, percent], set()],
		[[unlock, lock, percent], {8, 11, 17, 21, 25}],
		[[unlock, percent, lock], set()],
		[[percent, unlock, percent], {8, 11, 17, 21, 25}],
		[["-Da=G1NewSizePercent", unlock, percent], set()],
		[[unlock, percent, lock, percent], {8, 11, 17, 21, 25}],
	] {
		{release | some entry in under_java(row[0]).startup; some release in entry.versions} == row[1]
	}
	tool := "JAVA_TOOL_OPTIONS"
	startup_beside([percent], tool, unlock) == []
	startup_beside([lock, percent], tool, unlock) != []
	startup_beside([unlock], tool, percent) != []
	startup_beside([percent], "_JAVA_OPTIONS", unlock) != []
}

startup_beside(args, name, value) := found.startup if {
	command := array.concat(array.concat(["java"], args), ["Main"])
	[found] := models({"command": command, "env": [{"name": name, "value": value}]}, {})
}

# Where +IgnoreUnrecognizedVMOptions counts, as measured on 8, 11 and 21.
test_sources_that_ignore_what_is_not_known if {
	ignore := "-XX:+IgnoreUnrecognizedVMOptions"
	heed := "-XX:-IgnoreUnrecognizedVMOptions"
	unknown := "-XX:+UseTheForce"
	every row in [
		[[unknown], {"JAVA_TOOL_OPTIONS": ignore}, {8}],
		[[unknown], {"_JAVA_OPTIONS": ignore}, {8}],
		[[ignore], {"JAVA_TOOL_OPTIONS": unknown}, set()],
		[[ignore], {"_JAVA_OPTIONS": unknown}, set()],
		[[], {"JAVA_TOOL_OPTIONS": ignore, "_JAVA_OPTIONS": unknown}, set()],
		[[], {"JAVA_TOOL_OPTIONS": unknown, "_JAVA_OPTIONS": ignore}, {8}],
		[[], {"JAVA_TOOL_OPTIONS": concat(" ", [ignore, unknown])}, {8}],
		[[], {"_JAVA_OPTIONS": concat(" ", [unknown, ignore])}, {8}],
		[[heed], {"JAVA_TOOL_OPTIONS": ignore, "_JAVA_OPTIONS": unknown}, {8, 11, 17, 21, 25}],
		[[], {"JAVA_TOOL_OPTIONS": ignore, "_JAVA_OPTIONS": concat(" ", [unknown, heed])}, {11, 17, 21, 25}],
		[[ignore, unknown], {}, set()],
		[[unknown], {}, {8, 11, 17, 21, 25}],
	] {
		[args, values, refusing] := row
		env := [{"name": name, "value": value} | some name, value in values]
		[j] := models({"command": array.concat(array.concat(["java"], args), ["Main"]), "env": env}, {})
		{release | some entry in j.startup; some release in entry.versions} == refusing
	}
}
