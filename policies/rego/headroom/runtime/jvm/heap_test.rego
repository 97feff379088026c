package headroom.runtime.jvm_test

# The maximum heap in bytes, as measured on JDK 8 to 28 (tests/integration/jvm/testdata), by release.
heaps := [
	{"args": ["-Xmx512m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx512M"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx524288k"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx536870912"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx1g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xmx2G"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 2147483648]]},
	{"args": ["-Xmx513m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 538968064]]},
	{"args": ["-Xmx100000001"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 100663296]]},
	{"args": ["-Xmx0x20000000"], "want": [[{11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx1m"], "want": [[{8}, 2097152]]},
	{"args": ["-Xmx4g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 4294967296]]},
	{"args": ["-Xmx8g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 8589934592]]},
	{"args": ["-XX:MaxHeapSize=512m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx1g", "-XX:MaxHeapSize=512m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-XX:MaxHeapSize=512m", "-Xmx1g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xmx512m", "-Xmx1g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xms1g", "-Xmx1g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xms256m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xms2g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 2147483648]]},
	{"args": ["-Xms2g", "-XX:MaxRAMPercentage=5.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 2147483648]]},
	{"args": ["-Xms256m"], "memory": "512Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 268435456]]},
	{"args": ["-Xms0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"args": ["-Xmx512m", "-Xmn1g"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx512m", "-Xmn128m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 3221225472]]},
	{"args": ["-XX:MaxRAMPercentage=75"], "want": [[{11, 17, 21, 25, 26, 28}, 3221225472]]},
	{"args": ["-XX:MaxRAMPercentage=50.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 2147483648]]},
	{"args": ["-XX:MaxRAMPercentage=.5"], "want": [[{21, 25, 26, 28}, 132120576]]},
	{"args": ["-XX:MaxRAMPercentage=75."], "want": [[{21, 25, 26, 28}, 3221225472]]},
	{"args": ["-XX:MaxRAMPercentage=5e1"], "want": [[{21, 25, 26, 28}, 2147483648]]},
	{"args": ["-XX:MaxRAMPercentage=5.0e1"], "want": [[{11, 17, 21, 25, 26, 28}, 2147483648]]},
	{"args": ["-XX:MaxRAMPercentage=0.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 132120576]]},
	{"args": ["-XX:MaxRAMPercentage=100.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 4294967296]]},
	{"args": ["-XX:MaxRAMPercentage=101.0"], "want": [[{8}, 4339007488]]},
	{"args": ["-XX:MaxRAMPercentage=-1.0", "-Xmx512m"], "want": [[{8}, 536870912]]},
	{"args": ["-XX:MaxRAMPercentage=0.75"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 132120576]]},
	{"args": ["-XX:MaxRAMPercentage=33.333333"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1432354816]]},
	{"args": ["-XX:MaxRAMPercentage=75.0", "-Xmx512m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-Xmx512m", "-XX:MaxRAMPercentage=75.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{
		"args": ["-XX:MaxRAMPercentage=25.0", "-XX:MaxRAMPercentage=60.0"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 2577399808]],
	},
]

heaps_of_memory := [
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "249Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 132120576]]},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "250Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 197132288]]},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "512Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 402653184]]},
	{"memory": "200Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 104857600]]},
	{"memory": "400Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 132120576]]},
	{"memory": "512Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 134217728]]},
	{"args": ["-XX:MinRAMPercentage=60.0"], "memory": "200Mi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 125829120]]},
	{"args": ["-XX:MinRAMPercentage=80.0"], "memory": "1Gi", "want": [[{8, 11, 17, 21, 25, 26, 28}, 268435456]]},
	{
		"args": ["-XX:MinRAMPercentage=80.0", "-XX:MaxRAMPercentage=10.0"],
		"memory": "200Mi",
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 132120576]],
	},
	{"args": ["-XX:InitialRAMPercentage=50.0"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{
		"args": ["-XX:InitialRAMPercentage=60.0", "-XX:MaxRAMPercentage=40.0"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 1719664640]],
	},
	{"args": ["-XX:InitialRAMPercentage=50.0", "-Xmx512m"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 536870912]]},
	{"args": ["-XX:MaxRAMFraction=2"], "want": [[{8, 11, 17, 21}, 2147483648]]},
	{"args": ["-XX:MaxRAMFraction=1"], "want": [[{8, 11, 17, 21}, 4294967296]]},
	{"args": ["-XX:MaxRAMFraction=2", "-XX:MaxRAMPercentage=75.0"], "want": [[{8, 11, 17, 21}, 3221225472]]},
	{"args": ["-XX:MaxRAM=1g"], "want": [[{8, 11, 17, 21, 25, 26}, 268435456]]},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCGroupMemoryLimitForHeap"], "want": [[{8}, 1073741824]]},
	{"args": ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"], "want": [[{8, 11, 17, 21, 25, 26, 28}, 67108864]]},
]

heaps_of_variables := [
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 104857600]]},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx200m"}, "want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 209715200]]},
	{"env": {"_JAVA_OPTIONS": "-Xmx400m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 419430400]]},
	{"args": ["-Xmx300m"], "env": {"JAVA_TOOL_OPTIONS": "-Xmx100m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{
		"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m"},
		"want": [[{8}, 104857600], [{11, 17, 21, 25, 26, 28}, 209715200]],
	},
	{"args": ["-Xmx300m"], "env": {"JDK_JAVA_OPTIONS": "-Xmx200m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{
		"env": {"JDK_JAVA_OPTIONS": "-Xmx200m", "_JAVA_OPTIONS": "-Xmx400m"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 419430400]],
	},
	{
		"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "_JAVA_OPTIONS": "-Xmx400m"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 419430400]],
	},
	{
		"args": ["-Xmx300m"],
		"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]],
	},
	{
		"args": ["-Xmx300m"],
		"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m", "_JAVA_OPTIONS": "-Xmx400m"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 419430400]],
	},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m -Xmx150m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 157286400]]},
	{
		"args": ["-Xmx256m"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:MaxRAMPercentage=75.0"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 268435456]],
	},
	{
		"args": ["-Xmx256m"],
		"env": {"_JAVA_OPTIONS": "-XX:MaxRAMPercentage=75.0"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 268435456]],
	},
	{"env": {"JDK_JAVA_OPTIONS": "-XX:+UseTheForce"}, "want": [[{8}, 1073741824]]},
	{
		"args": ["-XX:CICompilerCount=2"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:CICompilerCount=1"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=4"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ActiveProcessorCount=8"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]],
	},
	{
		"args": ["-XX:ReservedCodeCacheSize=64m"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ReservedCodeCacheSize=1m"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]],
	},
	{
		"args": ["-Xss512k"],
		"env": {"JAVA_TOOL_OPTIONS": "-Xss100k"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]],
	},
	{"env": {"JAVA_OPTS": "-Xmx100m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"env": {"JVM_OPTS": "-XX:+UseTheForce"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"env": {"JAVA_TOOL_OPTIONS": ""}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"env": {"JAVA_TOOL_OPTIONS": "  -Xmx300m   -Xss512k  "}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx300m\t-Xss512k"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx300m\n-Xss512k\n"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=\"a b\" -Xmx300m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp='a b' -Xmx300m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "\"-Dp=a b\" -Xmx300m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "\"-Xmx300m\""}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx\"300m\""}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=\"it's\" -Xmx300m"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 314572800]]},
	{
		"env": {"JAVA_TOOL_OPTIONS": "--add-opens=java.base/java.lang=ALL-UNNAMED"},
		"want": [[{11, 17, 21, 25, 26, 28}, 1073741824]],
	},
	{"env": {"JAVA_TOOL_OPTIONS": "--enable-preview"}, "want": [[{11, 17, 21, 25, 26, 28}, 1073741824]]},
	{"env": {"JAVA_TOOL_OPTIONS": "-Djava.class.path=/app"}, "want": [[{8, 11, 17, 21, 25, 26, 28}, 1073741824]]},
	{
		"env": {"JDK_JAVA_OPTIONS": "-Dp=\"a b\" -Xmx300m"},
		"want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]],
	},
	{"env": {"JDK_JAVA_OPTIONS": "\"-Xmx300m\""}, "want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]]},
	{"env": {"JDK_JAVA_OPTIONS": "-Dp=it's -Xmx300m"}, "want": [[{8}, 1073741824]]},
	{
		"env": {"JDK_JAVA_OPTIONS": "-Xmx300m\n-Xss512k"},
		"want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]],
	},
	{"env": {"JDK_JAVA_OPTIONS": "-Dp=a\\ b -Xmx300m"}, "want": [[{8}, 1073741824]]},
	{
		"env": {"JDK_JAVA_OPTIONS": "-server -Xmx300m"},
		"want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]],
	},
	{
		"env": {"JDK_JAVA_OPTIONS": "-cp /app -Xmx300m"},
		"want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]],
	},
	{"env": {"JDK_JAVA_OPTIONS": "-jar /app.jar"}, "want": [[{8}, 1073741824]]},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx300m Main"}, "want": [[{8}, 1073741824]]},
	{"env": {"JDK_JAVA_OPTIONS": "-version"}, "want": [[{8}, 1073741824]]},
	{
		"env": {"JDK_JAVA_OPTIONS": "--add-opens java.base/java.lang=ALL-UNNAMED -Xmx300m"},
		"want": [[{8}, 1073741824], [{11, 17, 21, 25, 26, 28}, 314572800]],
	},
]

wrong_heaps(rows) := [[row, release, found] |
	js := started(rows)
	some i, row in rows
	some [releases, bytes] in row.want
	some release in releases
	found := [heap.bytes | heap := js[sprintf("%d-%d", [i, release])].heap]
	found != [bytes]
]

test_heaps_1 if wrong_heaps(part(heaps, 0)) == []

test_heaps_2 if wrong_heaps(part(heaps, 1)) == []

test_heaps_3 if wrong_heaps(part(heaps, 2)) == []

test_heaps_4 if wrong_heaps(part(heaps, 3)) == []

test_heaps_5 if wrong_heaps(part(heaps, 4)) == []

test_heaps_6 if wrong_heaps(part(heaps, 5)) == []

test_heaps_7 if wrong_heaps(part(heaps, 6)) == []

test_heaps_8 if wrong_heaps(part(heaps, 7)) == []

test_heaps_9 if wrong_heaps(part(heaps, 8)) == []

test_heaps_10 if {
	last_part(heaps, 9)
	wrong_heaps(part(heaps, 9)) == []
}

test_heaps_of_memory_1 if wrong_heaps(part(heaps_of_memory, 0)) == []

test_heaps_of_memory_2 if wrong_heaps(part(heaps_of_memory, 1)) == []

test_heaps_of_memory_3 if wrong_heaps(part(heaps_of_memory, 2)) == []

test_heaps_of_memory_4 if wrong_heaps(part(heaps_of_memory, 3)) == []

test_heaps_of_memory_5 if {
	last_part(heaps_of_memory, 4)
	wrong_heaps(part(heaps_of_memory, 4)) == []
}

test_heaps_of_variables_1 if wrong_heaps(part(heaps_of_variables, 0)) == []

test_heaps_of_variables_2 if wrong_heaps(part(heaps_of_variables, 1)) == []

test_heaps_of_variables_3 if wrong_heaps(part(heaps_of_variables, 2)) == []

test_heaps_of_variables_4 if wrong_heaps(part(heaps_of_variables, 3)) == []

test_heaps_of_variables_5 if wrong_heaps(part(heaps_of_variables, 4)) == []

test_heaps_of_variables_6 if wrong_heaps(part(heaps_of_variables, 5)) == []

test_heaps_of_variables_7 if wrong_heaps(part(heaps_of_variables, 6)) == []

test_heaps_of_variables_8 if wrong_heaps(part(heaps_of_variables, 7)) == []

test_heaps_of_variables_9 if wrong_heaps(part(heaps_of_variables, 8)) == []

test_heaps_of_variables_10 if wrong_heaps(part(heaps_of_variables, 9)) == []

test_heaps_of_variables_11 if {
	last_part(heaps_of_variables, 10)
	wrong_heaps(part(heaps_of_variables, 10)) == []
}

# The older fractions are reciprocals of the percentages: a quarter of 200 MiB.
test_fraction_of_little_memory if {
	j := started([{"args": ["-XX:MinRAMFraction=4"], "memory": "200Mi"}])["0-11"]
	j.heap == {"bytes": 52428800, "set": true, "source": "command line", "flag": "MinRAMFraction", "percent": 25}
}

# Epsilon rounds up to whole pages, the others to whole 2 MiB (measured on 11 to 25).
test_pages_of_epsilon if {
	epsilon := ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"]
	every xmx, bytes in {"-Xmx513m": 537919488, "-Xmx100001k": 102404096} {
		declared(array.concat(epsilon, [xmx]), 17).heap.bytes == bytes
	}
	declared(["-XX:+UseSerialGC", "-Xmx513m"], 17).heap.bytes == 538968064
	declared(["-XX:+UseParallelGC", "-Xmx100001k"], 17).heap.bytes == 102760448
	every xms, bytes in {"-Xms513m": 537919488, "-Xms514m": 538968064} {
		declared(array.concat(epsilon, ["-XX:MaxRAM=100m", xms]), 17).heap.bytes == bytes
	}
}
