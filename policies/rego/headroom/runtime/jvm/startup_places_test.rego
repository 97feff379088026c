package headroom.runtime.jvm_test

# What one source says and another overrides, as measured on JDK 8 to 28 (tests/integration/jvm/testdata).
who_wins := [
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx200m"}, "refusing": none},
	{"env": {"_JAVA_OPTIONS": "-Xmx400m"}, "refusing": none},
	{"args": ["-Xmx300m"], "env": {"JAVA_TOOL_OPTIONS": "-Xmx100m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m"}, "refusing": none},
	{"args": ["-Xmx300m"], "env": {"JDK_JAVA_OPTIONS": "-Xmx200m"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx200m", "_JAVA_OPTIONS": "-Xmx400m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "_JAVA_OPTIONS": "-Xmx400m"}, "refusing": none},
	{"args": ["-Xmx300m"], "env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m"}, "refusing": none},
	{
		"args": ["-Xmx300m"],
		"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m", "JDK_JAVA_OPTIONS": "-Xmx200m", "_JAVA_OPTIONS": "-Xmx400m"},
		"refusing": none,
	},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx100m -Xmx150m"}, "refusing": none},
	{"args": ["-Xmx256m"], "env": {"JAVA_TOOL_OPTIONS": "-Xms512m"}, "refusing": all},
	{"args": ["-Xmx256m"], "env": {"JAVA_TOOL_OPTIONS": "-XX:MaxRAMPercentage=75.0"}, "refusing": none},
	{"args": ["-Xmx256m"], "env": {"_JAVA_OPTIONS": "-XX:MaxRAMPercentage=75.0"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-XX:+UseTheForce"}, "refusing": since_11},
	{"args": ["-Xmx1g"], "env": {"JAVA_TOOL_OPTIONS": "-Xmx1Gi"}, "refusing": all},
	{"args": ["-XX:CICompilerCount=2"], "env": {"JAVA_TOOL_OPTIONS": "-XX:CICompilerCount=1"}, "refusing": none},
	{
		"args": ["-XX:ActiveProcessorCount=4"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ActiveProcessorCount=8"},
		"refusing": none,
	},
	{
		"args": ["-XX:ReservedCodeCacheSize=64m"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ReservedCodeCacheSize=1m"},
		"refusing": none,
	},
	{"args": ["-XX:MaxRAMPercentage=50.0"], "env": {"JAVA_TOOL_OPTIONS": "-XX:MaxRAMPercentage=101"}, "refusing": all},
	{"args": ["-Xss512k"], "env": {"JAVA_TOOL_OPTIONS": "-Xss100k"}, "refusing": none},
	{"env": {"JAVA_OPTS": "-Xmx100m"}, "refusing": none},
	{"env": {"JVM_OPTS": "-XX:+UseTheForce"}, "refusing": none},
]

test_who_wins_1 if differences(part(who_wins, 0)) == []

test_who_wins_2 if differences(part(who_wins, 1)) == []

test_who_wins_3 if differences(part(who_wins, 2)) == []

test_who_wins_4 if differences(part(who_wins, 3)) == []

test_who_wins_5 if differences(part(who_wins, 4)) == []

test_who_wins_6 if {
	last_part(who_wins, 5)
	differences(part(who_wins, 5)) == []
}

# Quotes, blanks and options that a variable cannot give.
how_variables_are_cut := [
	{"env": {"JAVA_TOOL_OPTIONS": ""}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "  -Xmx300m   -Xss512k  "}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx300m\t-Xss512k"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx300m\n-Xss512k\n"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=\"a b\" -Xmx300m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp='a b' -Xmx300m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "\"-Dp=a b\" -Xmx300m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "\"-Xmx300m\""}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx\"300m\""}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "\"-Xmx300m -Xss512k\""}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=it's -Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=\"a -Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=\"it's\" -Xmx300m"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=a\\ b -Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-Dp=a\\\"b -Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "$JAVA_OPTS"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-jar /app.jar"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-cp /app"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "-server -Xmx300m"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "@flags"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "--add-opens java.base/java.lang=ALL-UNNAMED"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "--add-opens=java.base/java.lang=ALL-UNNAMED"}, "refusing": {8}},
	{"env": {"JAVA_TOOL_OPTIONS": "-Xmx300m,-Xss512k"}, "refusing": all},
	{"env": {"JAVA_TOOL_OPTIONS": "--enable-preview"}, "refusing": {8}},
	{"env": {"JAVA_TOOL_OPTIONS": "-Djava.class.path=/app"}, "refusing": none},
	{"env": {"JAVA_TOOL_OPTIONS": "-version"}, "refusing": all},
	{"env": {"_JAVA_OPTIONS": "-server -Xmx300m"}, "refusing": all},
	{"env": {"_JAVA_OPTIONS": "-Dp=it's"}, "refusing": all},
	{"env": {"JDK_JAVA_OPTIONS": "-Dp=\"a b\" -Xmx300m"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "\"-Xmx300m\""}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-Dp=it's -Xmx300m"}, "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx300m\n-Xss512k"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-Dp=a\\ b -Xmx300m"}, "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "-server -Xmx300m"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-cp /app -Xmx300m"}, "refusing": none},
	{"env": {"JDK_JAVA_OPTIONS": "-jar /app.jar"}, "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "-Xmx300m Main"}, "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "-version"}, "refusing": since_11},
	{"env": {"JDK_JAVA_OPTIONS": "--add-opens java.base/java.lang=ALL-UNNAMED -Xmx300m"}, "refusing": none},
]

test_how_variables_are_cut_1 if differences(part(how_variables_are_cut, 0)) == []

test_how_variables_are_cut_2 if differences(part(how_variables_are_cut, 1)) == []

test_how_variables_are_cut_3 if differences(part(how_variables_are_cut, 2)) == []

test_how_variables_are_cut_4 if differences(part(how_variables_are_cut, 3)) == []

test_how_variables_are_cut_5 if differences(part(how_variables_are_cut, 4)) == []

test_how_variables_are_cut_6 if differences(part(how_variables_are_cut, 5)) == []

test_how_variables_are_cut_7 if differences(part(how_variables_are_cut, 6)) == []

test_how_variables_are_cut_8 if differences(part(how_variables_are_cut, 7)) == []

test_how_variables_are_cut_9 if differences(part(how_variables_are_cut, 8)) == []

test_how_variables_are_cut_10 if {
	last_part(how_variables_are_cut, 9)
	differences(part(how_variables_are_cut, 9)) == []
}

# An option is known by its whole name.
test_options_that_no_release_knows if {
	every option in ["-Xintx", "-verbosex", "--add-open=a", "-XX", "-Xm", "-serverx", "--Xint", "-ea1", "-d32"] {
		[r] := under_java([option]).startup
		r.all
	}
	every option in ["-Xint", "-Xmn1m", "-verbose", "-verbose:gc", "-ea", "-ea:a.B", "-esa", "-agentlib:x", "-Xrs"] {
		under_java([option, "-Xss2m"]).startup == []
	}
	every option in ["-d64", "-Xincgc", "-Xbootclasspath/p:a"] {
		[r] := under_java([option]).startup
		r.versions == [11, 17, 21, 25]
	}
	[r] := under_java(["-Xconcgc"]).startup
	r.versions == [17, 21, 25]
	[none] := declared(["-Xverify:none"], 28).startup
	none.versions == [28]
}

test_tags_of_a_log if {
	every option in ["-Xlog:gc+heap=debug,safepoint*:file=a", "-Xlog:disable", "-Xlog:all:stdout", "-Xlog:GC"] {
		[r] := under_java([option]).startup
		r.versions == [8]
	}
	every option in ["-Xlog:gcx", "-Xlog:gc+nonsense", "-Xlog:gc,x"] {
		[r] := under_java([option]).startup
		r.all
	}
}

# Measured on 8, 11, 17, 25 and 28.
test_empty_words if {
	every name in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"] {
		every value in [`""`, "''", "'' -Xmx1g", `-Xmx1g ""`] {
			[entry] := set_to(name, value).startup
			contains(entry.reason, "quotes with nothing between them")
		}
		set_to(name, `-Da="" -Db='' -Xmx1g`).startup == []
	}
	[r] := set_to("JDK_JAVA_OPTIONS", `""`).startup
	r.versions == [11, 17, 21, 25]
}

test_empty_arguments if {
	every container in [
		{"command": ["java", "", "-Xmx1g", "-jar", "/app.jar"]},
		{"command": ["java", "-Xmx1g", " "]},
		{"command": ["sh", "-c", "java \\ \n -Xmx1g Main"]},
		{"command": ["sh", "-c", `java "$A" -Xmx1g Main`], "env": [{"name": "A", "value": ""}]},
	] {
		[j] := models(container, {})
		[entry] := j.startup
		entry.reason == "it is empty, and java takes it for the main class"
		regex.match(`^argument [12] of java$`, entry.flags[0])
	}
	every command in [["java"], ["java", "-Xmx1g"], ["sh", "-c", "java $A -Xmx1g Main"], ["java", "Main", ""]] {
		[j] := models({"command": command, "env": [{"name": "A", "value": ""}]}, {})
		j.startup == []
	}
}

# No argument file (measured on 8 to 28). What has @@ on both sides is filled in later.
test_no_argument_file if {
	every word in ["@", "@@", "@@flags"] {
		[j] := models({"command": ["java", "-Xmx1g", word, "Main"]}, {})
		[entry] := j.startup
		contains(entry.reason, "no argument file")
		[of_variable] := models({"command": ["java", "Main"], "env": [{"name": "JDK_JAVA_OPTIONS", "value": word}]}, {})
		[refused] := of_variable.startup
		refused.versions == [11, 17, 21, 25]
	}
	every word in ["@/flags", "@@FLAGS@@"] {
		[j] := models({"command": ["java", "-Xmx1g", word, "Main"]}, {})
		j.startup == []
		[of_variable] := models({"command": ["java", "Main"], "env": [{"name": "JDK_JAVA_OPTIONS", "value": word}]}, {})
		of_variable.startup == []
	}
}

# A shell looks for comments before it puts variables in their places.
test_comments_in_variables if {
	commented := [{"name": "OPTIONS", "value": "-Xmx1g #-Xms1g"}]
	every container in [
		{"command": ["sh", "-c", "java $OPTIONS -jar /app.jar"], "env": commented},
		{"command": ["java", "-Xmx1g", "#-Xms1g", "-jar", "/app.jar"]},
	] {
		[j] := models(container, {})
		[entry] := j.startup
		startswith(entry.reason, "it begins with #")
	}
	every command in [["sh", "-c", "java -Xmx1g -jar /app.jar #-Xms1g"], ["java", "-jar", "/app.jar", "#x"]] {
		[j] := models({"command": command}, {})
		j.startup == []
	}
}

test_options_of_the_java_command_alone if {
	every value in ["--class-path=/x", "--module=a", "-Xdiag"] {
		[entry] := set_to("JAVA_TOOL_OPTIONS", value).startup
		entry.all
		contains(entry.reason, "a variable cannot give it")
	}
	set_to("JAVA_TOOL_OPTIONS", "--module-path=/x -Xss1m").startup != []
	[r] := set_to("JAVA_TOOL_OPTIONS", "--module-path=/x").startup
	r.versions == [8]
	under_java(["-Xdiag"]).startup == []
	every option in ["-esa:x", "-dsa:x", "-enablesystemassertions:x"] {
		[entry] := under_java([option]).startup
		entry.all
	}
	under_java(["-ea:x", "-da:y...", "-esa", "-dsa"]).startup == []
}
