package headroom.explain_test

import data.headroom.explain

seen(x) := [[f.text, f.source, f.wins, f.note] | some f in x.flags]

test_flags_in_the_order_of_the_jvm if {
	x := first(pod({}, [object.union(
		java(["-Xmx3g", "-XX:+UseG1GC", "-Dpassword=hunter2"], memory("4Gi")),
		{"env": [{
			"name": "JAVA_TOOL_OPTIONS",
			"value": "-XX:MaxRAMPercentage=75.0 -Xmx1g -Xmx2g -Xmx2g -Dx=y -javaagent:/a.jar -Xlog:gc -Xlog:safepoint",
		}]},
	)]))
	seen(x) == [
		[
			"-XX:MaxRAMPercentage=75.0", "JAVA_TOOL_OPTIONS", false,
			"-Xmx3g (command line) wins, in whatever order they stand",
		],
		["-Xmx1g", "JAVA_TOOL_OPTIONS", false, "-Xmx3g (command line) wins: the later one counts"],
		["-Xmx2g", "JAVA_TOOL_OPTIONS", false, "-Xmx3g (command line) wins: the later one counts"],
		["-Xmx2g", "JAVA_TOOL_OPTIONS", false, "-Xmx3g (command line) wins: the later one counts"],
		["-Xlog:gc", "JAVA_TOOL_OPTIONS", true, "keeps the JVM from starting on Java 8: Java 8 has no -Xlog"],
		["-Xlog:safepoint", "JAVA_TOOL_OPTIONS", true, "keeps the JVM from starting on Java 8: Java 8 has no -Xlog"],
		["-Xmx3g", "command line", true, ""],
		["-XX:+UseG1GC", "command line", true, ""],
	]
	[x.properties_hidden, x.options_hidden] == [2, 2]
	[f.name | some f in x.flags] == [
		"MaxRAMPercentage", "MaxHeapSize", "MaxHeapSize", "MaxHeapSize",
		"Xlog", "Xlog", "MaxHeapSize", "UseG1GC",
	]
	x.flags[0].path == ["spec", "containers", 0, "env", 0, "value"]
	x.flags[6].path == ["spec", "containers", 0, "command"]
	not contains(json.marshal(x), "hunter2")
}

test_the_same_flag_again if {
	seen(jvm({}, set("-Xmx1g -Xmx1g -Xmx2g", memory("4Gi")))) == [
		["-Xmx1g", "JAVA_TOOL_OPTIONS", false, "-Xmx2g wins: the later one counts"],
		["-Xmx1g", "JAVA_TOOL_OPTIONS", false, "-Xmx2g wins: the later one counts"],
		["-Xmx2g", "JAVA_TOOL_OPTIONS", true, ""],
	]
	seen(jvm({}, set("-Xmx1g -Xmx1g", memory("4Gi"))))[0][3] == "-Xmx1g says the same later"
}

test_what_no_jvm_reads if {
	x := first(pod({}, [object.union(
		java(["-XX:+UseG1GC", "-jar", "cart.jar", "-Xmx1g"], memory("4Gi")),
		{"env": [
			{"name": "JAVA_OPTS", "value": "-Xmx9g -Dx=y"},
			{"name": "JDK_JAVA_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
		]},
	)]))
	seen(x) == [
		["-XX:+UseG1GC", "command line", true, ""],
		["-Xmx9g", "JAVA_OPTS", false, "no JVM reads JAVA_OPTS, and the command does not expand it"],
		["-Xmx1g", "command line", false, "it stands behind the class or jar: java hands it to the program"],
		["", "JDK_JAVA_OPTIONS", false, "a Secret holds it"],
	]
	[f.name | some f in x.flags] == ["UseG1GC", "MaxHeapSize", "MaxHeapSize", ""]
}

test_what_the_command_expands_is_no_loser if {
	x := first(pod({}, [{
		"name": "app",
		"command": ["sh", "-c", "exec java $JAVA_OPTS -jar a.jar"],
		"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}],
	}]))
	seen(x) == [["-Xmx1g", "command line", true, ""]]
}

test_what_a_start_script_may_hand_on if {
	seen(first(pod({}, [{"name": "app", "image": "cart:1", "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}]))) == [[
		"-Xmx1g", "JAVA_OPTS", true,
		"no JVM reads JAVA_OPTS by itself; taken as if a start script hands it on",
	]]
	seen(first(pod({}, [{"name": "app", "image": "cart:1", "args": ["-Xmx1g"]}]))) == [[
		"-Xmx1g", "args", true,
		"taken as if the image's entrypoint hands its arguments to java",
	]]
}

test_flags_of_a_config_map if {
	context := {"config_maps": [{
		"apiVersion": "v1",
		"kind": "ConfigMap",
		"metadata": {"name": "jvm"},
		"data": {"JAVA_TOOL_OPTIONS": "-Xmx1g"},
	}]}
	by_key := object.union(java([], {}), {"env": [{
		"name": "JAVA_TOOL_OPTIONS",
		"valueFrom": {"configMapKeyRef": {"name": "jvm", "key": "JAVA_TOOL_OPTIONS"}},
	}]})
	as_whole := object.union(java([], {}), {"envFrom": [{"configMapRef": {"name": "jvm"}}]})
	every container in [by_key, as_whole] {
		some f in first(around(pod({}, [container]), context)).flags
		[f.text, f.source] == ["-Xmx1g", "JAVA_TOOL_OPTIONS, ConfigMap news/jvm"]
	}
	nowhere := object.remove(around(pod({}, [by_key]), context), ["namespace"])
	first(nowhere).flags[0].source == "JAVA_TOOL_OPTIONS, ConfigMap jvm"
}

test_what_java_8_passes_over if {
	long := concat(" ", [sprintf("-Xmn%vm", [n]) | some n in numbers.range(1, 66)])
	eight := jvm(facts("version=8"), set(long, memory("4Gi")))
	count(eight.flags) == 66
	eight.flags[63].wins
	[[f.text, f.wins, f.note] | some f in array.slice(eight.flags, 64, 66)] == [
		["-Xmn65m", false, "Java 8 reads the first 64 options only"],
		["-Xmn66m", false, "Java 8 reads the first 64 options only"],
	]
}

test_what_java_8_does_not_know if {
	option := object.union(java([], {}), {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]})
	seen(jvm(facts("version=8"), option)) == [["-Xmx1g", "JDK_JAVA_OPTIONS", false, "Java 8 does not know this variable"]]
	unknown := set("-XX:+IgnoreUnrecognizedVMOptions -XX:+UseZGC", {})
	seen(jvm(facts("version=8"), unknown))[1][3] == "Java 8 does not know it, and passes over it"
}

idle(version, flags, limit) := {f.name: f.note |
	some f in jvm(facts(version), java(flags, both("2", limit))).flags
	not f.wins
}

test_flags_without_effect if {
	idle("version=17", ["-XX:MaxRAMPercentage=60.0"], "200Mi") == {
		"MaxRAMPercentage": "on as little memory as 200 MiB it is MinRAMPercentage that decides, 50 % by default",
	}
	idle("version=17", ["-XX:MaxRAMPercentage=60.0", "-XX:MinRAMPercentage=40.0"], "200Mi") == {
		"MaxRAMPercentage": concat("", [
			"on as little memory as 200 MiB it is MinRAMPercentage that decides, ",
			"here -XX:MinRAMPercentage=40.0 (command line)",
		]),
	}
	idle("version=17", ["-XX:MinRAMPercentage=40.0"], "4Gi") == {
		"MinRAMPercentage": "it decides only on little memory, less than 250 MiB by default",
	}
}

test_shares_without_effect if {
	idle("version=17", ["-XX:MaxRAMPercentage=10.0", "-Xms1g"], "4Gi") == {
		"MaxRAMPercentage": "-Xms1g (command line) is more, and lifts the maximum heap",
	}
	idle("version=17", ["-XX:MaxRAMFraction=2", "-XX:MaxRAMPercentage=10.0"], "4Gi") == {
		"MaxRAMFraction": "-XX:MaxRAMPercentage=10.0 (command line) wins, in whatever order they stand",
	}
}

test_threads_without_effect if {
	idle("version=17", ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=1"], "4Gi") == {
		"ParallelGCThreads": "the Serial collector has no such threads",
		"ConcGCThreads": "the Serial collector has no concurrent threads",
	}
	idle("version=17", ["-Xss0"], "4Gi") == {"ThreadStackSize": "0 asks for the default"}
	idle("version=25", ["-Xint", "-XX:CICompilerCount=2"], "4Gi") == {"CICompilerCount": "no compiler runs"}
}

# Of thousands of words 3,000 are looked at, and of hundreds of flags 300 shown.
test_the_most_words_and_flags if {
	plain := ["a" | some _ in numbers.range(1, 2999)]
	count(behind(array.concat(plain, ["-Xmx1g", "-Xmx2g"]))) == 1
	count(behind(["-Xmx1g" | some _ in numbers.range(1, 301)])) == 300
}

behind(words) := found if {
	found := explain._behind({"command": {"path": [], "rest": words}}) with input as pod({}, [])
}

test_threads_with_an_effect if {
	threads := ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=1", "-Xss512k", "-XX:CICompilerCount=2", "-Xlog:gc", "-Xint"]
	idle("version=17", array.concat(["-XX:+UseG1GC"], threads), "4Gi") == {}
}

sixty_six := [sprintf("-Xmn%vm", [n]) | some n in numbers.range(1, 66)]

test_only_java_8_reads_no_more_than_64_options_of_a_variable if {
	x := jvm(facts("version=11"), set(concat(" ", sixty_six), {}))
	[count(x.flags), x.flags[65].wins] == [66, true]
}

test_java_8_reads_all_of_a_command_line if {
	count(jvm(facts("version=8"), java(sixty_six, {})).flags) == 66
	option := object.union(java([], {}), {"env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]})
	seen(jvm(facts("version=17"), option)) == [["-Xmx1g", "JDK_JAVA_OPTIONS", true, ""]]
}

# What is no flag takes no room among those that are shown.
test_other_options_are_passed_over if {
	others := ["-Da=b" | some _ in numbers.range(1, 301)]
	seen(jvm(facts("version=17"), java(array.concat(others, ["-Xmx1g"]), {}))) == [["-Xmx1g", "command line", true, ""]]
	count(behind(["-Xmx1g"])) == 1
	behind(["-Dx=y", "-Xloggc:a", "-Xmx"]) == []
	too_long := concat("", ["-Xmx1g ", sprintf("%0*d", [9000, 0])])
	first(pod({}, [set(too_long, {})])).flags == []
}

test_who_may_hand_a_variable_on if {
	env := [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]
	handed := [["-Xmx1g", "JAVA_OPTS", true, "no JVM reads JAVA_OPTS by itself; taken as if a start script hands it on"]]
	unread := [["-Xmx1g", "JAVA_OPTS", false, "no JVM reads JAVA_OPTS, and the command does not expand it"]]
	every entry in [
		[{"image": "tomcat:10", "command": ["/run.sh"]}, handed],
		[{"args": ["java", "-jar", "a.jar"]}, handed],
		[{"command": ["java", 5, "-jar", "a.jar"]}, unread],
		[{"command": ["java"], "args": ["-jar", "a.jar"]}, unread],
		[{"command": ["sh", "-c"], "args": ["exec java $JAVA_OPTS -jar a.jar"]}, [["-Xmx1g", "command line", true, ""]]],
		[{"command": ["java"], "args": ["-jar", "a.jar"], "stdin": "JAVA_OPTS", "lifecycle": ["JAVA_OPTS"]}, unread],
	] {
		seen(first(pod({}, [object.union({"name": "app", "env": env}, entry[0])]))) == entry[1]
	}
}

test_what_may_hide_in_a_script_is_no_place_that_nobody_can_read if {
	jvm({}, _script("JAVA_TOOL_OPTIONS=-Xmx1g; exec java -jar b.jar")).flags == []
}

test_the_config_map_that_is_named_fills_it_in if {
	context := {"config_maps": [
	{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": entries} |
		some name, entries in {"jvm": {"JAVA_TOOL_OPTIONS": "-Xmx1g"}, "other": {"A": "b", "C": "d"}}
	]}
	from_other := [
	{"name": name, "valueFrom": {"configMapKeyRef": {"name": "other", "key": name}}} |
		some name in ["A", "C"]
	]
	as_whole := {"env": from_other, "envFrom": [{"configMapRef": {"name": "other"}}, {"configMapRef": {"name": "jvm"}}]}
	by_key := {
		"env": array.concat(from_other, [{
			"name": "JAVA_TOOL_OPTIONS",
			"valueFrom": {"configMapKeyRef": {"name": "jvm", "key": "JAVA_TOOL_OPTIONS"}},
		}]),
		"envFrom": [{"configMapRef": {"name": "other"}}, {"secretRef": {"name": "s"}}, {"configMapRef": {"name": "other"}}],
	}
	literal := {
		"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}],
		"envFrom": [{"configMapRef": {"name": "other"}}],
	}
	every entry in [
		[as_whole, "JAVA_TOOL_OPTIONS, ConfigMap news/jvm"],
		[by_key, "JAVA_TOOL_OPTIONS, ConfigMap news/jvm"],
		[literal, "JAVA_TOOL_OPTIONS"],
	] {
		given := around(pod({}, [object.union(java([], {}), entry[0])]), context)
		first(given).flags[0].source == entry[1]
	}
}

# Each of them does something of its own.
test_options_that_add_up_all_count if {
	every options in ["-Xlog:gc=info -Xlog:gc=debug", "-Xbootclasspath/a:a.jar -Xbootclasspath/a:b.jar"] {
		[f.wins | some f in jvm(facts("version=17"), set(options, {})).flags] == [true, true]
	}
}
