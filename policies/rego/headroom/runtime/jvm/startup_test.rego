package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# The only refusal of a JVM whose release is not declared.
refused(list) := entry if {
	[entry] := under_java(list).startup
}

test_a_refusal if {
	refused(["-XX:MaxRAMPercentage=75"]) == {
		"flags": ["-XX:MaxRAMPercentage=75"],
		"reason": "Java 8 takes it only with a decimal point, as in 75.0",
		"path": at(["args"]),
		"settled": false,
		"wants": "-XX:MaxRAMPercentage with a number from 0 to 100 and a decimal point",
		"versions": [8],
		"all": false,
	}
	refused(["-XX:+UseTheForce"]) == {
		"flags": ["-XX:+UseTheForce"],
		"reason": "no release from 8 to 28 knows this flag",
		"path": at(["args"]),
		"settled": false,
		"wants": "",
		"versions": [8, 11, 17, 21, 25],
		"all": true,
	}
}

reasons := [
	[["-XX:MaxRamPercentage=75.0"], "no release from 8 to 28 knows this flag; it has MaxRAMPercentage"],
	[["-XX:+useg1gc"], "no release from 8 to 28 knows this flag; it has UseG1GC"],
	[["-XX:+UseConcMarkSweepGC"], "there is no such flag"],
	[
		["-XX:G1NewSizePercent=20"],
		"the flag is experimental, and -XX:+UnlockExperimentalVMOptions must stand before it",
	],
	[["-XX:SharedArchiveFile=/a"], "the flag is diagnostic, and -XX:+UnlockDiagnosticVMOptions must stand before it"],
	[["-Xmx1Gi"], "Ki, Mi and Gi are units of Kubernetes; a JVM takes k, m and g"],
	[["-Xmx1.5g"], "a JVM reads no fractions; write a smaller unit"],
	[["-Xmx"], "it has no value"],
	[["-Xmxhuge"], "it is not a number that a JVM can read"],
	[["-Xmx0x20000000"], "Java 8 reads no hexadecimal numbers"],
	[["-XX:UseG1GC"], "a switch needs + or - in front of its name"],
	[["-XX:UseG1GC=true"], "a switch takes + or - in front of its name and no value"],
	[["-XX:MaxRAMPercentage=75%"], "it must be a number between 0.0 and 100.0, without a percent sign"],
	[["-XX:MaxRAMPercentage=101.0"], "it must lie between 0 and 100"],
	[["-XX:MaxRAMPercentage=5.0e1"], "Java 8 takes no exponent"],
	[["-XX:MaxRAMPercentage=.5"], "up to 17 it must have digits on both sides of a decimal point"],
	[["-XX:InitiatingHeapOccupancyPercent=135"], "it must lie between 0 and 100"],
	[["-XX:SurvivorRatio=0"], "it must be at least 1"],
	[["-Xmx1g", "-Xms2g"], "it is more than the maximum heap"],
	[["-Xmx0"], "the maximum heap must be at least 1 MiB; without k, m or g it counts bytes"],
	[["-XX:+UseG1GC", "-XX:+UseSerialGC"], "a JVM takes one collector"],
	[["-XX:CICompilerCount=1"], "both compilers run, each in a thread of its own: it must be at least 2"],
	[["-XX:CICompilerCount=0", "-XX:-TieredCompilation"], "a compiler needs a thread"],
	[["-XX:ReservedCodeCacheSize=1m"], "it is less than the initial code cache (2496k by default)"],
	[["-XX:ReservedCodeCacheSize=3g"], "the code cache takes at most 2048m"],
	[["-Xss100k"], "a stack takes at least 136k, 228k on Java 8"],
	[["-Xss200k"], "Java 8 wants a stack of at least 228k"],
	[["-Xfoo"], "no release knows this option"],
	[["-Xlog:nonsense"], "-Xlog names a tag that no release has"],
	[["-Xlog:gc*"], "Java 8 has no -Xlog"],
	[["--add-opens=a/b=c"], "Java 8 has no options that begin with --"],
	[["-d64"], "the option is gone"],
	[["-Djava.endorsed.dirs=/lib"], "-Djava.endorsed.dirs is refused"],
]

test_reasons_1 if unreasoned(array.slice(reasons, 0, 12)) == []

test_reasons_2 if unreasoned(array.slice(reasons, 12, 24)) == []

test_reasons_3 if unreasoned(array.slice(reasons, 24, count(reasons))) == []

unreasoned(rows) := [[row, found] |
	some row in rows
	found := {r.reason | some r in under_java(row[0]).startup}
	not row[1] in found
]

# java tells of itself and ends, whatever else there is.
test_words_with_which_java_ends if {
	every word in ["-fullversion", "-Xinternalversion"] {
		under_java(["-XX:+UseTheForce", word]).startup == []
	}
	every word in ["-version", "--help", "-?", "-X"] {
		under_java([word, "-XX:+UseTheForce"]).startup == []
		under_java(["-XX:+UseTheForce", word]).startup != []
	}
}

# A heap is named as it was written, without a value too.
test_a_heap_without_a_value if {
	refused(["-XX:MaxHeapSize"]).flags == ["-XX:MaxHeapSize"]
	refused(["-Xmx"]).flags == ["-Xmx"]
	refused(["-XX:MaxHeapSize=1Gi"]).flags == ["-XX:MaxHeapSize=1Gi"]
}

test_flags_that_belong_together_are_named_together if {
	refused(["-Xmx1g", "-Xms2g"]).flags == ["-Xms2g", "-Xmx1g"]
	refused(["-XX:+UseSerialGC", "-XX:+UseG1GC"]).flags == ["-XX:+UseG1GC", "-XX:+UseSerialGC"]
}

# A release that was not measured refuses what both its neighbours refuse.
test_releases_between if {
	cms := ["-XX:+UseConcMarkSweepGC"]
	declared(cms, 14).startup == []
	[r] := declared(cms, 20).startup
	r.versions == [20]
	r.all
	[never] := declared(["-XX:MaxRAMPercentage=75"], 9).startup
	never.versions == [9]
	never.reason == "it came with JDK 10 (JDK-8186248)"
	declared(["-XX:MaxRAMPercentage=75"], 10).startup == []
	[eight] := declared(["-XX:MaxRAMPercentage=75"], 8).startup
	[eight.versions, eight.all] == [[8], true]
	[newest] := declared(["-XX:MaxRAMFraction=2"], 30).startup
	newest.versions == [30]
	[oldest] := declared(["-XX:MaxRAMPercentage=75"], 7).startup
	oldest.versions == [7]
	jvm.considered(0) == [8, 11, 17, 21, 25]
	jvm.considered(17) == [17]
	jvm.considered(14) == [11, 17]
	jvm.considered(7) == [8]
	jvm.considered(30) == [28]
}

in_variables(env, list) := under_variables(env, list).startup

under_variables(env, list) := model({"command": array.concat(["java"], list), "env": env}, {})

# A lock that one source opens is open for those after it.
test_locks_of_another_source if {
	unlock := "-XX:+UnlockExperimentalVMOptions"
	percent := "-XX:G1NewSizePercent=20"
	in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": unlock}], [percent, "Main"]) == []
	count(in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": percent}], [unlock, "Main"])) == 1
	count(in_variables([], [percent, unlock, "Main"])) == 1
	in_variables([], [unlock, percent, "Main"]) == []
}

test_a_quote_left_open if {
	some r in in_variables([{"name": "JDK_JAVA_OPTIONS", "value": "-Da=it's"}], ["Main"])
	r == {
		"flags": ["JDK_JAVA_OPTIONS"],
		"reason": "a quote in it is not closed",
		"path": at(["env", 0, "value"]),
		"settled": false,
		"wants": "",
		"versions": [11, 17, 21, 25],
		"all": false,
	}
}

# A conflict stands at the flag that was set last; a value that is not known refuses nothing.
test_what_is_not_known_refuses_nothing if {
	[j] := review(
		{
			"command": ["java", "-XX:ParallelGCThreads=$(N)", "-Xmx$(HEAP)", "-XX:CICompilerCount=$(N)", "Main"],
			"env": [{"name": name, "valueFrom": {"fieldRef": {"fieldPath": "x"}}} | some name in ["N", "HEAP"]],
		},
		[],
	)
	j.startup == []
}

test_long_options_of_the_java_command if {
	refused(["--show-version"]).versions == [8]
	refused(["--enable-preview"]).versions == [8]
	refused(["--frobnicate"]).all
}

test_a_number_below_its_range if {
	refused(["-XX:TieredStopAtLevel=-1"]).versions == [11, 17, 21, 25]
	under_java(["-XX:TieredStopAtLevel=0"]).startup == []
}

# Each wrong value is said once, for one reason.
test_one_reason_for_each_value if {
	every args in [
		["-XX:ParallelGCThreads=-1"], ["-XX:ReservedCodeCacheSize=64Mi"], ["-XX:ReservedCodeCacheSize=1m", "-Xss2m"],
		["-Xmx1Gi"], ["-Xmx1Gi", "-Xms1g"], ["-XX:CICompilerCount=two"], ["-XX:MaxMetaspaceSize=1Gi"],
		["-XX:ParallelGCThreads=two"], ["-XX:ConcGCThreads=two"], ["-XX:MaxGCPauseMillis=0"],
		["-XX:UseG1GC"], ["-XX:UseAES=x"], ["-XX:MaxHeapFreeRatio=101"],
		["-XX:CICompilerCount=0", "-Xint"],
	] {
		count(under_java(args).startup) == 1
	}
	count(under_java(["-Xmx0"]).startup) == 2
}

# A cache below the initial one is told that alone, with three segments too.
test_a_small_code_cache_of_three_segments if {
	found := declared(["-XX:ReservedCodeCacheSize=1m", "-XX:+SegmentedCodeCache"], 25).startup
	[r.reason | some r in found] == ["it is less than the initial code cache (2496k by default)"]
}

# Threads that no processor count is known for are not too many.
test_threads_without_a_limit if {
	under_java(["-XX:ConcGCThreads=4"]).startup == []
	declared(["-XX:CICompilerCount=9"], 28).startup == []
	refused(["-XX:+UseShenandoahGC", "-XX:ConcGCThreads=4"]).versions == [8]
	found := under_java(["-XX:+UseShenandoahGC", "-XX:ParallelGCThreads=0", "-XX:ConcGCThreads=1"]).startup
	"ConcGCThreads may not be more than ParallelGCThreads, which is 0" in {r.reason | some r in found}
}

threads_at_their_bounds := [
	{"args": ["-XX:CICompilerCount=2", "-Xint", "-Xss2m"], "refusing": none},
	{"args": ["-XX:CICompilerCount=3", "-Xint", "-Xss2m"], "refusing": none},
	{"args": ["-XX:CICompilerCount=2", "-XX:TieredStopAtLevel=2", "-Xss2m"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=1", "-Xss2m"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=2"], "refusing": {8, 11, 17}},
	{"args": ["-XX:+UseShenandoahGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=2", "-Xss2m"], "refusing": {8}},
	{"args": ["-Xconcgc"], "refusing": since_11 - {11}},
	{"args": ["-Djava.security.manager=allow"], "refusing": {8, 11, 25, 26, 28}},
]

test_threads_and_options_at_their_bounds_1 if differences(part(threads_at_their_bounds, 0)) == []

test_threads_and_options_at_their_bounds_2 if {
	last_part(threads_at_their_bounds, 1)
	differences(part(threads_at_their_bounds, 1)) == []
}

properties_that_stop := [
	{"args": ["-Djava.security.manager=default"], "refusing": {25, 26, 28}},
	{"args": ["-Djava.security.manager=a.B"], "refusing": {25, 26, 28}},
	{"args": ["-Djava.security.manager=disallow"], "refusing": {8, 11}},
	{"args": ["-Djava.ext.dirs=/lib"], "refusing": since_11},
]

test_properties_that_stop_a_jvm if differences(properties_that_stop) == []

# What is out of its place a JVM does not recognize, and so a flag may hide it (measured).
test_what_is_out_of_place_is_hidden if {
	ignore := "-XX:+IgnoreUnrecognizedVMOptions"
	every text in ["-jar", "word", "-cp", "''", "-Xshare:bogus", "-Xcheck:bogus", "-Xverify:bogus", "--class-path=/x"] {
		in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": text}], [ignore, "Main"]) == []
		[r] := in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": concat(" ", [ignore, text])}], ["Main"])
		r.versions == [8]
	}
	every text in ["-Xlog:nonsense", "--add-opens=bogus", "--finalization=bogus", "--add-modules=java.xml.bind"] {
		[r] := in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": text}], [ignore, "Main"])
		not 8 in r.versions
	}
	every text in ["-jar", "word", "''"] {
		[r] := in_variables([{"name": "JDK_JAVA_OPTIONS", "value": text}], [ignore, "Main"])
		11 in r.versions
	}
	[own] := in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:+IgnoreUnrecognizedVMOptions -Xfoo"}], ["Main"])
	own.versions == [8]
}

test_options_of_jdk_java_options if {
	every text in ["@/flags", "-cp /a -Xss2m", "--class-path /a -Xss2m", "-Xss2m -p /m"] {
		in_variables([{"name": "JDK_JAVA_OPTIONS", "value": text}], ["Main"]) == []
	}
	every text in ["word", "-Xss2m word", "--dry-run", "-jar"] {
		count(in_variables([{"name": "JDK_JAVA_OPTIONS", "value": text}], ["Main"])) == 1
	}
}

# Only what is a text of its own can have a quote left open.
test_quotes_of_an_argument if {
	under_java(["-Da=it's", "-Xss2m"]).startup == []
	in_variables([{"name": "JAVA_OPTS", "value": "-Da=it's"}], ["-Xss2m", "Main"]) == []
	in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": "-Da=b"}], ["-Da=it's", "-Xss2m", "Main"]) == []
}

test_arguments_of_the_program if {
	under_variables([], ["-Xss2m", "Main", " -Xmx1g"]).startup == []
	count(under_variables([], ["-Xss2m", " -Xmx1g", "Main"]).startup) == 1
	under_variables([], ["-Xss2m", " Main", "-Xmx1g"]).startup == []
}

test_an_option_that_is_filled_in_later if {
	[j] := review(
		{
			"command": ["java", "-X$(N)", "-Xss2m", "Main"],
			"env": [{"name": "N", "valueFrom": {"fieldRef": {"fieldPath": "x"}}}],
		},
		[],
	)
	j.startup == []
}

# refused_by speaks of every release, of those that are not supported too.
test_releases_that_refuse if {
	jvm.refused_by(under_java(["-XX:MaxRAMPercentage=75"])) == {[["-XX:MaxRAMPercentage=75"], 8]}
	jvm.refused_by(under_java(["-XX:MaxRAM=1g", "-Xverify:none"])) == {[["-XX:MaxRAM=1g"], 28], [["-Xverify:none"], 28]}
	jvm.refused_by(under_java(["-Xmx1g"])) == set()
}

test_declared_releases if {
	every release, versions in {8: [8], 9: [9], 10: [], 11: [], 7: [8]} {
		count(declared(["-XX:MaxRAMPercentage=75"], release).startup) == count(versions)
	}
	[r] := declared(["-XX:MaxRAM=1g"], 28).startup
	[r.versions, r.all] == [[28], true]
	declared(["-XX:MaxRAM=1g"], 27).startup == []
	declared(["-XX:MaxRAM=1g"], 26).startup == []
	jvm.considered(9) == [8, 11]
	jvm.considered(27) == [26, 28]
	jvm.considered(26) == [26]
	jvm.considered(29) == [28]
}

# Where every release refuses an option of the image itself, none is ruled out by it.
test_releases_that_an_image_leaves if {
	of_image := [{"flags": ["-Xincgc"], "path": ["image"], "refusing": {11, 17}}]
	jvm._left_of([8, 11, 17], of_image) == [8]
	jvm._left_of([11, 17], of_image) == [11, 17]
	jvm._left_of([11, 17], []) == [11, 17]
}
