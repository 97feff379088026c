package headroom.runtime.jvm_test

# +IgnoreUnrecognizedVMOptions beside what is wrong otherwise, as measured on JDK 8 to 28. Java 8 passes over values
# that it cannot read, but for those of options that it reads apart. Later releases pass over unknown names only.
ignoring_what_is_unknown := [
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ParallelGCThreads=abc"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=75"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=abc"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAMPercentage=150.0"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxHeapSize=1Gi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xmx1Gi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ReservedCodeCacheSize=64Mi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxMetaspaceSize=256Mi"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ThreadStackSize=1.5m"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+MaxHeapSize"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+HeapDumpPath"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:HeapDumpPath"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxTenuringThreshold=16"], "refusing": {8}},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxTenuringThreshold="], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:CICompilerCount=0"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+NoSuchFlag"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xnonsense"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "--add-modules=java.xml.bind"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:G1NewSizePercent=20"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+PrintGCDetails"], "refusing": none},
	{"args": ["-XX:+PrintNoSuch", "-XX:+IgnoreUnrecognizedVMOptions"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=abc", "-XX:+IgnoreUnrecognizedVMOptions"], "refusing": since_11},
	{
		"args": ["-XX:ParallelGCThreads=abc"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:+IgnoreUnrecognizedVMOptions"},
		"refusing": all,
	},
	{"env": {"JAVA_TOOL_OPTIONS": "-XX:+IgnoreUnrecognizedVMOptions -XX:ParallelGCThreads=abc"}, "refusing": all},
	{
		"args": ["-XX:+IgnoreUnrecognizedVMOptions"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ParallelGCThreads=abc"},
		"refusing": since_11,
	},
	{
		"args": ["-XX:+IgnoreUnrecognizedVMOptions"],
		"env": {"_JAVA_OPTIONS": "-XX:ParallelGCThreads=abc"},
		"refusing": since_11,
	},
	{
		"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:ParallelGCThreads=abc", "-XX:-IgnoreUnrecognizedVMOptions"],
		"refusing": all,
	},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:OnOutOfMemoryError"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:InitialHeapSize=1Gi"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xms1Gi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xss1.5m"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xmn1Gi"], "refusing": all},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:NativeMemoryTracking=x"], "refusing": all},
]

test_ignoring_1 if differences(part(ignoring_what_is_unknown, 0)) == []

test_ignoring_2 if differences(part(ignoring_what_is_unknown, 1)) == []

test_ignoring_3 if differences(part(ignoring_what_is_unknown, 2)) == []

test_ignoring_4 if differences(part(ignoring_what_is_unknown, 3)) == []

test_ignoring_5 if differences(part(ignoring_what_is_unknown, 4)) == []

test_ignoring_6 if differences(part(ignoring_what_is_unknown, 5)) == []

test_ignoring_7 if differences(part(ignoring_what_is_unknown, 6)) == []

test_ignoring_8 if differences(part(ignoring_what_is_unknown, 7)) == []

test_ignoring_9 if {
	last_part(ignoring_what_is_unknown, 8)
	differences(part(ignoring_what_is_unknown, 8)) == []
}
