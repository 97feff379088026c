package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Words of the launcher and of the JVM, as measured on JDK 8 to 28 (word_table.rego).
words_of_java := [
	{"args": ["-noverify"], "refusing": {28}},
	{"args": ["-verify"], "refusing": none},
	{"args": ["-verifyremote"], "refusing": {28}},
	{"args": ["-noclassgc"], "refusing": {28}},
	{"args": ["-debug"], "refusing": none},
	{"args": ["-noasyncgc"], "refusing": {25, 26, 28}},
	{"args": ["-cs"], "refusing": {25, 26, 28}},
	{"args": ["-Xconcurrentio"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-Xoss512k"], "refusing": since_11},
	{"args": ["-Xsqnopause"], "refusing": since_11},
	{"args": ["-Xboundthreads"], "refusing": since_11},
	{"args": ["-Xnoagent"], "refusing": {25, 26, 28}},
	{"args": ["-Xfuture"], "refusing": {25, 26, 28}},
	{"args": ["-verbosegc"], "refusing": none},
	{"args": ["-tm"], "refusing": all},
	{"args": ["-ea:com.example..."], "refusing": none},
	{"args": ["-esa:x"], "refusing": all},
	{"args": ["-agentlib:hprof=cpu=samples"], "refusing": since_11},
	{"args": ["-Xrunhprof"], "refusing": since_11},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xnoagent"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-Xrunhprof"], "refusing": since_11},
	{"args": ["-mx512m", "-ms64m", "-ss512k"], "refusing": none},
	{"args": ["-mx512m", "-ms1g"], "refusing": all},
	{"args": ["-mx1Gi"], "refusing": all},
	{"args": ["-mx"], "refusing": all},
	{"env": {"JDK_JAVA_OPTIONS": "-mx512m -noverify"}, "refusing": {28}},
	{"env": {"JAVA_TOOL_OPTIONS": "-mx512m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-noverify"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-XX:+IgnoreUnrecognizedVMOptions -verify"}, "refusing": {8}},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xnoagent"}, "refusing": {25, 26, 28}},
	{"args": ["--illegal-final-field-mutation=warn"], "refusing": {8, 11, 17, 21, 25}},
	{"env": {"JAVA_TOOL_OPTIONS": "--add-modules"}, "refusing": all},
]

test_words_of_java_1 if differences(part(words_of_java, 0)) == []

test_words_of_java_2 if differences(part(words_of_java, 1)) == []

test_words_of_java_3 if differences(part(words_of_java, 2)) == []

test_words_of_java_4 if differences(part(words_of_java, 3)) == []

test_words_of_java_5 if differences(part(words_of_java, 4)) == []

test_words_of_java_6 if differences(part(words_of_java, 5)) == []

test_words_of_java_7 if differences(part(words_of_java, 6)) == []

test_words_of_java_8 if {
	last_part(words_of_java, 7)
	differences(part(words_of_java, 7)) == []
}

# What is shown: 25 and later refuse a value that they do not know, whatever is told to be passed over.
shown_settings := [
	{"args": ["-XshowSettings:vm", "-XshowSettings:security:tls", "-XshowSettings"], "refusing": none},
	{"args": ["-XX:+IgnoreUnrecognizedVMOptions", "-XshowSettings:"], "refusing": {25, 26, 28}},
	{"env": {"JDK_JAVA_OPTIONS": "-XshowSettings:VM"}, "refusing": {25, 26, 28}},
	{"env": {"JAVA_TOOL_OPTIONS": "-XshowSettings:cpu"}, "refusing": all},
]

test_shown_settings if differences(shown_settings) == []

# Options that take the next argument, and another option is next: a value that was forgotten, or is empty.
missing_values := [
	{"args": ["--add-opens", "-Xmx64m"], "refusing": all},
	{"args": ["-cp", "-Xmx64m"], "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "--module-path -Xmx64m"}, "refusing": since_11},
	{"args": ["-cp", "/app", "-Xmx64m"], "refusing": none},
]

test_missing_values if differences(missing_values) == []

# Modules, agents, texts without a value, and what bounds what.
things_of_java := [
	{"args": ["--add-modules", "java.xml.bind"], "refusing": all},
	{"args": ["--add-modules=java.sql,java.xml.bind"], "refusing": all},
	{"args": ["--add-modules", "java.sql"], "refusing": {8}},
	{"args": ["-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005"], "refusing": {8}},
	{"args": ["-Xrunjdwp:transport=dt_socket,server=y,suspend=n,address=*:5005"], "refusing": {8}},
	{"args": ["-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=5005"], "refusing": none},
	{"args": ["-agentlib:jdwp=server=y,suspend=n"], "refusing": all},
	{"args": ["-agentlib:jdwp=transport=dt_socket,server=true"], "refusing": all},
	{"args": ["-XX:HeapDumpPath"], "refusing": all},
	{"args": ["-XX:HeapDumpPath="], "refusing": none},
	{"args": ["-XX:+HeapDumpPath"], "refusing": all},
	{"args": ["-XX:ErrorFile", "-Xmx1g"], "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-XX:OnOutOfMemoryError"}, "refusing": all},
	{"args": ["-Xmaxf0.39"], "refusing": {8, 11, 17, 21, 25, 26}},
	{"args": ["-Xmaxf0.4"], "refusing": none},
	{"args": ["-Xminf0.9", "-Xmaxf1.0"], "refusing": none},
	{"args": ["-XX:+UseSerialGC", "-Xminf0.71"], "refusing": all},
	{"args": ["-Xss2g"], "refusing": all},
	{"args": ["-Xss4g"], "refusing": since_11},
	{"args": ["-Xss1T"], "refusing": since_11},
	{"args": ["-Xss3g"], "refusing": all},
	{"args": ["-XX:ThreadStackSize=2097152"], "refusing": since_11},
	{"args": ["-XX:MinRAMPercentage=0.0"], "refusing": all},
	{"args": ["-XX:MinRAMPercentage=0.0", "-Xmx1g"], "refusing": none},
	{"args": ["-XX:+UseSerialGC", "-XX:NewSize=192k"], "refusing": {8, 11, 17, 21, 25}},
	{"args": ["-XX:+UseSerialGC", "-Xmn256k"], "refusing": {8, 11, 17}},
	{"args": ["-XX:+UseSerialGC", "-Xmn384k"], "refusing": none},
	{"args": ["-XX:TLABSize=1"], "refusing": since_11},
	{"args": ["-XX:+UseSerialGC", "-XX:SurvivorRatio=1000"], "refusing": none},
	{"args": ["-XX:+UseSerialGC", "-XX:SurvivorRatio=100000"], "refusing": since_11},
	{"args": ["--illegal-access=x"], "refusing": {8, 11}},
]

test_things_of_java_1 if differences(part(things_of_java, 0)) == []

test_things_of_java_2 if differences(part(things_of_java, 1)) == []

test_things_of_java_3 if differences(part(things_of_java, 2)) == []

test_things_of_java_4 if differences(part(things_of_java, 3)) == []

test_things_of_java_5 if differences(part(things_of_java, 4)) == []

test_things_of_java_6 if differences(part(things_of_java, 5)) == []

test_things_of_java_7 if differences(part(things_of_java, 6)) == []

test_things_of_java_8 if {
	last_part(things_of_java, 7)
	differences(part(things_of_java, 7)) == []
}

# -mx is the heap where the java command reads it, and in no variable of the JVM.
test_the_heap_of_old_words if {
	j := under_java(["-mx512m", "-ms64m"])
	[j.heap.bytes, j.heap.flag, j.flags.InitialHeapSize.value] == [536870912, "MaxHeapSize", "64m"]
	jvm.flag_text(j, "MaxHeapSize") == "-mx512m"
	under_java(["-Xmx1g", "-mx512m"]).heap.bytes == 536870912
	not set_to("JAVA_TOOL_OPTIONS", "-mx512m").flags.MaxHeapSize
	under_java(["-ss512k"]).flags.ThreadStackSize.value == "Xss512k"
}

# A release between two that were measured, and updates that came before a flag.
test_what_came_later if {
	declared(["--add-modules=java.xml.bind"], 9).startup == []
	declared(["--add-modules", "java.xml.bind"], 10).startup == []
	count(declared(["--add-modules=java.xml.bind"], 12).startup) == 1
	every release, refused in {"8u181": true, "8u191": false, "8": false, "1.8.0_102": true, "11": false} {
		found := model(
			{"command": ["java", "-XX:MaxRAMPercentage=75.0", "-jar", "a.jar"]},
			{"jvm.headroom.dev/app": concat("=", ["version", release])},
		)
		count(found.startup) == 1 == refused
	}
	shares := ["java", "-XX:-UseContainerCpuShares", "-jar", "a.jar"]
	reasons := {release: [r.reason | some r in found.startup] |
		some release in ["11.0.9", "11.0.17", "17.0.3", "17.0.5"]
		found := model({"command": shares}, {"jvm.headroom.dev/app": concat("=", ["version", release])})
	}
	reasons == {
		"11.0.9": ["it came with 11.0.17 (JDK-8281181)"],
		"11.0.17": [],
		"17.0.3": ["it came with 17.0.5 (JDK-8281181)"],
		"17.0.5": [],
	}
	by_tag := model({"command": ["java", "-XX:+ExitOnOutOfMemoryError", "Main"], "image": "openjdk:8u66-jre"}, {})
	by_tag.startup[0].reason == "it came with 8u92 (JDK-8138745)"
}
