package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# What the first look finds in order, at each bound, and what it leaves to a closer one: a row is
# looked at on 4 processors unless it says otherwise.
in_order := [
	{"args": []},
	{"args": ["-XX:+UseG1GC", "-Xss512k", "-Da=b", "-server", "-cp", "/a", "-XX:MaxRAMPercentage=75.0"]},
	{"args": ["-XX:+UseStringDeduplication", "-XX:-UsePerfData", "-XX:MaxNewSize=1g"]},
	{"args": ["-XX:+UseSerialGC"]},
	{"args": ["-Xmx1g"], "env": "-Da=b"},
	{"args": ["-Xmx3m"]},
	{"args": ["-Xms1g", "-Xmx1g"]},
	{"args": ["-Xms2g"]},
	{"args": ["-XX:ParallelGCThreads=1"]},
	{"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=2"]},
	{"args": ["-XX:CICompilerCount=2"]},
	{"args": ["-XX:CICompilerCount=28"]},
	{"args": ["-XX:CICompilerCount=11"], "version": "17"},
	{"args": ["-XX:CICompilerCount=4"], "version": "28"},
	{"args": ["-XX:CICompilerCount=2"], "version": "28", "cpu": "1"},
	{"args": [], "version": "28", "cpu": "1"},
	{"args": ["-XX:ReservedCodeCacheSize=8m"]},
	{"args": ["-XX:ReservedCodeCacheSize=2048m"]},
	{"args": ["-XX:InitialCodeCacheSize=2496k"]},
	{"args": ["-XX:MaxMetaspaceSize=10m"]},
	{"args": ["-Xlog:gc"], "version": "11"},
	{"args": ["-Xlog:gc*,safepoint:file=/a"], "version": "12"},
]

looked_at_closer := [
	{"args": ["-XX:+UseG1GC", "-XX:+UseSerialGC"]},
	{"args": ["-XX:-UseG1GC"]},
	{"args": ["-Xmx1g", "-Xmx2g"]},
	{"args": ["-XX:+UseTheForce"]},
	{"args": ["-Djava.endorsed.dirs=/lib"]},
	{"args": ["-Xlog:gc"], "version": "8"},
	{"args": ["-Xlog:nonsense"], "version": "11"},
	{"args": [], "env": "-server"},
	{"args": [], "env": "word"},
	{"args": [], "env": "-Da='b'"},
	{"args": ["-XX:OnError=0x1"]},
	{"args": ["-Xmx1g"], "env": "-Xmx2g"},
	{"args": [" -Xmx1g"]},
	{"args": ["-XX:SurvivorRatio=8"]},
	{"args": ["-XX:AlwaysPreTouch=true"]},
	{"args": ["-XX:MaxRAMPercentage=75"]},
	{"args": ["-XX:MaxNewSize=1Gi"]},
	{"args": ["-Xss2m"]},
	{"args": ["-XX:ThreadStackSize=512"]},
	{"args": ["-XX:ActiveProcessorCount=two"]},
	{"args": ["-Xmx3145727"]},
	{"args": ["-Xms1073741825", "-Xmx1g"]},
	{"args": ["-XX:ParallelGCThreads=0"]},
	{"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"]},
	{"args": ["-XX:CICompilerCount=1"]},
	{"args": ["-XX:CICompilerCount=29"]},
	{"args": ["-XX:CICompilerCount=12"], "version": "17"},
	{"args": ["-XX:CICompilerCount=5"], "version": "28"},
	{"args": ["-XX:CICompilerCount=3"], "version": "28", "cpu": "1"},
	{"args": ["-XX:ReservedCodeCacheSize=8388607"]},
	{"args": ["-XX:ReservedCodeCacheSize=2147483649"]},
	{"args": ["-XX:InitialCodeCacheSize=2555905"]},
	{"args": ["-XX:MaxMetaspaceSize=10485759"]},
]

# first_looks are the rows of which the first look says that they are in order.
first_looks(rows) := {i |
	annotations := {sprintf("jvm.headroom.dev/%d", [i]): concat("", ["version=", row.version]) | some i, row in rows}
	containers := [container |
		some i, row in rows
		container := {
			"name": sprintf("%d", [i]),
			"command": ["java"],
			"args": array.concat(row.args, ["-jar", "/app.jar"]),
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": value} | value := row.env],
			"resources": {"limits": {"cpu": object.get(row, "cpu", "4"), "memory": "4Gi"}},
		}
	]
	found := jvm._models with input as pod(containers, annotations)
	some i, j in found
	jvm._clean(j)
}

test_the_first_look_passes_what_is_in_order if {
	{i | some i, _ in in_order} == first_looks(in_order)
}

test_the_first_look_leaves_the_rest if first_looks(looked_at_closer) == set()
