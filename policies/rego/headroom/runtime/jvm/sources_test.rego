package headroom.runtime.jvm_test

import data.headroom.process
import data.headroom.runtime.jvm

four := {
	"command": ["java", "-Xmx300m", "-jar", "a.jar"],
	"env": [
		{"name": "_JAVA_OPTIONS", "value": "-Xmx400m"},
		{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx200m"},
		{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx100m -Xss512k"},
	],
}

# Measured: JAVA_TOOL_OPTIONS < JDK_JAVA_OPTIONS < command line < _JAVA_OPTIONS.
test_precedence if {
	j := model(four, {})
	[[s.name, s.rank] | some s in j.sources] == [
		["JAVA_TOOL_OPTIONS", 1],
		["JDK_JAVA_OPTIONS", 2],
		["command line", 3],
		["_JAVA_OPTIONS", 4],
	]
	j.flags == {
		"MaxHeapSize": {"value": "400m", "source": "_JAVA_OPTIONS", "path": at(["env", 0, "value"])},
		"ThreadStackSize": {"value": "Xss512k", "source": "JAVA_TOOL_OPTIONS", "path": at(["env", 2, "value"])},
	}
	j.heap == {"bytes": 419430400, "set": true, "source": "_JAVA_OPTIONS", "flag": "MaxHeapSize", "percent": 0}
	every s in j.sources { not s.assumed }
}

# What a start script adds ranks as the command line does, below what the manifest shows of it.
test_variables_of_scripts if {
	j := model(
		{"args": ["-Xmx3g", "-jar", "a.jar"], "env": [{"name": "JAVA_OPTS", "value": "-Xmx2g -Xms1g"}]},
		{},
	)
	[[s.name, s.assumed] | some s in j.sources] == [["JAVA_OPTS", true], ["args", true]]
	j.flags.MaxHeapSize.source == "args"
	j.flags.InitialHeapSize.source == "JAVA_OPTS"
}

test_variables_that_a_visible_command_does_not_name if {
	j := model({"command": ["java", "Main"], "env": java_opts}, {})
	[s.name | some s in j.sources] == ["command line"]
	j.flags == {}
}

test_variables_that_hold_a_size if {
	every name in ["MAX_HEAP_SIZE", "SOLR_HEAP"] {
		j := set_to(name, "512m")
		j.flags.MaxHeapSize.value == "512m"
		j.flags.InitialHeapSize.value == "512m"
		set_to(name, "half").flags == {}
		set_to(name, "").flags == {}
	}
}

test_a_thousand_variables if {
	[j] := review(
		{"env": array.concat(
			[{"name": sprintf("V%d", [i]), "value": "-Da=b"} | some i in numbers.range(1, 999)],
			[{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}],
		)},
		[],
	)
	j.flags.MaxHeapSize.path == at(["env", 999, "value"])
}

# The text that is cut, and what each option of it is set to, in order.
cuts := [
	["", {"": [""]}],
	["-Xmx1g", {"-XX:MaxHeapSize": ["1g"]}],
	["  -Xmx1g \t-Xms2g\n-Xss512k\r\n", {
		"-XX:MaxHeapSize": ["1g"],
		"-XX:InitialHeapSize": ["2g"],
		"-XX:ThreadStackSize": ["Xss512k"],
	}],
	["-XX:+UseG1GC -XX:-UseG1GC", {"-XX:UseG1GC": ["+", "-"]}],
	["-XX:MaxRAMPercentage=75.0 -server", {"-XX:MaxRAMPercentage": ["75.0"], "-server": [""]}],
	["-Xmx1g -XX:MaxHeapSize=2g", {"-XX:MaxHeapSize": ["1g", "2g"]}],
	["-Da=b&c;d%20e+f", {"-Da": ["b&c;d%20e+f"]}],
	["-Da=b=c", {"-Da": ["b=c"]}],
	[`-Da="b c" -Xmx1g`, {"-Da": ["b c"], "-XX:MaxHeapSize": ["1g"]}],
	["-Da='b c'", {"-Da": ["b c"]}],
	[`"-Da=b c"`, {"-Da": ["b c"]}],
	[`-Da="it's"`, {"-Da": ["it's"]}],
	[`-Da='"'x`, {"-Da": [`"x`]}],
	[`-Da=b\ c`, {"-Da": [`b\`], "c": [""]}],
	[`-Xmx"1g"`, {"-XX:MaxHeapSize": ["1g"]}],
	["-Da=\"b\tc\nd\re&f;g%\"", {"-Da": ["b\tc\nd\re&f;g%"]}],
]

test_cuts if {
	every cut in cuts {
		object.remove(jvm.options_of_text(cut[0]), [""]) == object.remove(cut[1], [""])
	}
}

test_a_text_of_a_size_that_holds_no_flags if {
	every quote in ["", `"`] {
		long := concat("", ["-Xmx1g -Da=", quote, concat("", ["x" | some _ in numbers.range(1, 9000)]), quote])
		jvm.options_of_text(long) == {}
	}
	jvm.options_of_words([]) == {}
	jvm.options_of_words(["-Da=b" | some _ in numbers.range(1, 9000)]) == {}
	count(jvm.options_of_words(["-Da=b" | some _ in numbers.range(1, 1000)])["-Da"]) == 1000
}

test_quotes_that_do_not_close if {
	every text in ["it's", `"`, `-Da="b`, `'"'"`] {
		process.unmatched(text)
	}
	every text in ["", "-Da=b", `-Da="it's"`, `'"'`] {
		not process.unmatched(text)
	}
}

numbers_read := {
	"0": 0,
	"000": 0,
	"1": 1,
	"017": 17,
	"512": 512,
	"1k": 1024,
	"1K": 1024,
	"512m": 536870912,
	"2G": 2147483648,
	"1t": 1099511627776,
	"0x10": 16,
	"0X1fK": 31744,
	"0x2m": 2097152,
	"9223372036854775807": 9223372036854775807,
	"-1": -1,
	"1.5g": -1,
	"1Gi": -1,
	"1gb": -1,
	"": -1,
	"g": -1,
	"two": -1,
	" 1g": -1,
	"0x": -1,
}

test_numbers_of_a_jvm if {
	{text: jvm.size_of(text) | some text, _ in numbers_read} == numbers_read
}

percentages_read := {
	"75.0": 75,
	"75": 75,
	"0": 0,
	".5": 0.5,
	"75.": 75,
	"5e1": 50,
	"5.0e1": 50,
	"33.333333": 33.333333,
	"101": 101,
	"75%": -1,
	"75,0": -1,
	"-1.0": -1,
	"half": -1,
	"": -1,
	".": -1,
}

test_percentages_of_a_jvm if {
	{text: jvm.percent(text) | some text, _ in percentages_read} == percentages_read
}

test_stacks if {
	jvm.stack_size({}) == {"bytes": 1048576, "flag": "", "set": false}
	jvm.stack_size(under_java(["-Xss512k"]).flags) == {"bytes": 524288, "flag": "ThreadStackSize", "set": true}
	jvm.stack_size(under_java(["-XX:ThreadStackSize=512"]).flags).bytes == 524288
	jvm.stack_size(under_java(["-Xss0"]).flags) == {"bytes": 1048576, "flag": "", "set": false}
}

# ReservedCodeCacheSize is 48 MiB in these cases and 240 in the others (measured).
test_small_code_caches_1 if small_code_caches([
	[["-XX:-TieredCompilation"], all],
	[["-Xint"], since_11],
	[["-XX:TieredStopAtLevel=0"], {17, 21, 25, 26, 28}],
])

test_small_code_caches_2 if small_code_caches([
	[["-XX:TieredStopAtLevel=1"], {17, 21, 25, 26, 28}],
	[["-XX:TieredStopAtLevel=3"], {17, 21, 25, 26}],
	[["-XX:TieredStopAtLevel=4"], none],
	[[], none],
])

small_code_caches(cases) if {
	every case in cases {
		{release | some release in all; jvm.small_code_cache(declared(case[0], release))} == case[1]
	}
}

# A script is only assumed where the command in the manifest does not run java.
test_variables_of_scripts_by_what_runs if {
	env := [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]
	every row in [
		[{"command": ["java", "Main"]}, ["command line"]],
		[{"command": ["sh", "-c", "java Main"]}, ["command line"]],
		[{"command": ["/run.sh"]}, ["JAVA_OPTS"]],
		[{"args": ["java", "Main"]}, ["JAVA_OPTS", "command line"]],
		[{"args": ["run"]}, ["JAVA_OPTS"]],
		[{}, ["JAVA_OPTS"]],
	] {
		j := model(object.union({"env": env}, row[0]), {})
		[s.name | some s in j.sources] == row[1]
	}
}

test_a_secret_is_no_source if {
	from_secret := {"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
	every name in ["JAVA_TOOL_OPTIONS", "JAVA_OPTS"] {
		[j] := review({"env": [object.union({"name": name}, from_secret)]}, [])
		j.sources == []
		j.flags == {}
	}
}

# Of the same flag in several places the last wins, whatever else they hold.
test_flags_that_win if {
	jvm.flags_of([]) == {}
	jvm.flags_of([
		{"name": "a", "path": ["a"], "options": {"-XX:A": ["1", "2", "3"], "-Da": ["b"], "-XX:B": ["+"]}},
		{"name": "b", "path": ["b"], "options": {"-XX:A": ["4"]}},
	]) == {
		"A": {"value": "4", "source": "b", "path": ["b"]},
		"B": {"value": "+", "source": "a", "path": ["a"]},
	}
}

test_sizes_of_the_code_cache if {
	every case in [
		[[], 17, 251658240],
		[["-XX:-TieredCompilation"], 8, 50331648],
		[["-XX:CompilationMode=quick-only"], 17, 50331648],
		[["-XX:CompilationMode=default"], 17, 251658240],
		[["-XX:ReservedCodeCacheSize=64m", "-XX:-TieredCompilation"], 17, 67108864],
	] {
		jvm.code_cache_size(declared(case[0], case[1])) == case[2]
	}
}

not_read(script, behind, env) := {entry.text |
	[j] := models({"command": array.concat(["sh", "-c", script], behind), "env": env}, {})
	some entry in jvm.not_read(j)
}

# What follows the script of sh -c is the shell's own.
test_flags_behind_a_script if {
	every behind in [["-Xmx1g"], ["x", "-XX:+UseG1GC"], ["-Xss1m", "-jar", "a.jar"]] {
		found := not_read("exec java -jar a.jar", behind, [])
		count(found) == 1
		contains(min(found), "behind the script: the shell takes it for an argument of its own")
	}
	startswith(min(not_read("java", ["-Xmx1g", "-jar", "a.jar"], [])), "-Xmx1g behind the script")
	every script in [`java "$@" -jar a.jar`, "java $* Main", "java $0 Main", "java ${1} Main", "shift; java Main"] {
		not_read(script, ["-Xmx1g"], []) == set()
	}
	not_read("java -jar a.jar", ["sh", "--server.port=1"], []) == set()
}

test_references_that_no_shell_expands if {
	every script in [
		`exec java '$JAVA_OPTS' -jar a.jar`, `java \$JAVA_OPTS -jar a.jar`, `java '${JAVA_OPTS}' -jar a.jar`,
	] {
		[j] := models({"command": ["sh", "-c", script], "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}, {})
		[entry] := j.startup
		contains(entry.reason, "keep the shell from expanding it, and java takes these letters as they are")
		entry.all
	}
	not_read(`java "$JAVA_OPTS" -jar a.jar`, [], [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]) == set()
	not_read("java -jar 'a.jar' '$A'", [], []) == set()
}

# A script that may read any variable.
test_variables_that_may_be_read if {
	env := [{"name": "B", "value": "-Xmx1g"}, {"name": "JVM_OPTS", "value": "-Xmx2g"}]
	every script in [
		"java ${!A} Main", `java $(printenv "$A") Main`, ". ./env.sh; java -Xss1m Main", "java $(env | grep ^JVM_) Main",
	] {
		not_read(script, [], env) == set()
	}
	count(not_read("java -Xss1m Main", [], env)) == 2
	count(not_read("exec env A=b java -Xss1m Main", [], env)) == 2
}

# Only the name of a variable for options, or of several words in capitals, is told: what follows another $ may be part
# of a password.
test_what_is_told_of_a_reference if {
	every text, told in {
		"$JAVA_OPTS": "$JAVA_OPTS",
		"$(JVM_ARGS)": "$(JVM_ARGS)",
		"${HEAP}": "${HEAP}",
		"${APP_OPTS:-hidden}": "${APP_OPTS…}",
		"$hidden": "$…",
		"${hidden}": "${…}",
		"$(hidden)": "$(…)",
		"$(NO_SUCH)": "$(NO_SUCH)",
		"$PA55WORD": "$…",
	} {
		jvm.told_reference(text) == told
	}
}
