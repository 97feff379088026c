package headroom.runtime.jvm_test

# seen is what a container's command shows of its JVM: the maximum heap that counts, and why something of it is
# not known.
seen(container) := {
	"heap": object.get(j.flags, ["MaxHeapSize", "value"], ""),
	"why": {u.why | some u in j.unknown},
} if {
	[j] := models(container, {})
}

of_script(script) := seen({"command": ["sh", "-c", script]})

# Heap and reasons of scripts with all of their text in sight.
known(heap) := {"heap": heap, "why": set()}

beside_shell(script, environment) := seen({"command": ["sh", "-c", script], "env": environment})

tool_options(value) := [{"name": "JAVA_TOOL_OPTIONS", "value": value}]

test_what_a_script_sets_arrives if {
	of_script("export JAVA_TOOL_OPTIONS=-Xmx1g; java Main") == known("1g")
	of_script("JAVA_TOOL_OPTIONS=-Xmx1g; export JAVA_TOOL_OPTIONS; java Main") == known("1g")
	of_script("declare -x JAVA_TOOL_OPTIONS=-Xmx1g\njava Main") == known("1g")
	of_script("set -a; JAVA_TOOL_OPTIONS=-Xmx1g; java Main") == known("1g")
	of_script("set -o allexport; JAVA_TOOL_OPTIONS=-Xmx1g; java Main") == known("1g")
	of_script("JAVA_TOOL_OPTIONS=-Xmx1g; java Main") == known("")
	of_script("set -e; JAVA_TOOL_OPTIONS=-Xmx1g; java Main") == known("")
	of_script("JAVA_TOOL_OPTIONS=-Xmx1g java Main") == known("1g")
}

test_what_arrives_in_a_script_goes_on if {
	beside_shell("java Main", tool_options("-Xmx2g")) == known("2g")
	beside_shell("JAVA_TOOL_OPTIONS=-Xmx1g; java Main", tool_options("-Xmx2g")) == known("1g")
	beside_shell("JAVA_TOOL_OPTIONS+=' -Xmx3g'; java Main", tool_options("-Xss2m")) == known("3g")
	beside_shell("unset JAVA_TOOL_OPTIONS; java Main", tool_options("-Xmx2g")) == known("")
	beside_shell("if x; then JAVA_TOOL_OPTIONS=-Xmx1g; fi; java Main", tool_options("-Xss2m")).why != set()
	beside_shell("env -i java $JAVA_TOOL_OPTIONS -Xss2m Main", tool_options("-Xmx2g")) == known("2g")
	beside_shell("env -i sh -c 'java $JAVA_TOOL_OPTIONS Main'", tool_options("-Xmx2g")) == known("")
	beside_shell("env -u JAVA_TOOL_OPTIONS java Main", tool_options("-Xmx2g")) == known("")
	beside_shell("env JAVA_TOOL_OPTIONS=-Xmx1g java Main", tool_options("-Xmx2g")) == known("1g")
	beside_shell("sudo java Main", tool_options("-Xmx2g")).heap == ""
}

test_words_of_a_script if {
	of_script(`java "-Xmx1g" -Da="x \"y\" z" Main`) == known("1g")
	of_script(`A=1; java "-Xmx${A}g" Main`) == known("1g")
	seen({"command": ["sh", "-c", `java "$1" -jar $0`, "a.jar", "-Xmx1g"]}) == known("1g")
	seen({"command": ["sh", "-c", `java "$@"`, "x", "-Xmx1g", "Main"]}) == known("1g")
	of_script("time java -Xmx1g Main") == known("1g")
	of_script("X=; java ${X:--Xmx1g} Main") == known("1g")
	of_script("X=-Xmx2g; java ${X:--Xmx1g} Main") == known("2g")
	models({"command": ["sh", "-c", "exit 1; java -Xmx1g Main"]}, {}) == []
}

test_branches_and_patterns if {
	of_script("case $1 in a) java -Xmx1g Main;; esac").heap == "1g"
	of_script("case java in java -Xmx1g) sleep 1;; esac; java -Xmx2g Main") == known("2g")
	of_script("case a in b) sleep 1;; java -Xmx1g) sleep 2;; esac; java -Xmx2g Main") == known("2g")
	of_script("case a in *) (java -Xmx1g Main);; esac") == known("1g")
}

test_here_documents_hold_no_commands if {
	of_script("cat > x <<EOF\njava -Xmx2g Main\nEOF\njava -Xmx1g Main") == known("1g")
	two := "cat > x <<'EOF' && cat > y <<'END'\njava -Xmx2g A\nEOF\njava -Xmx3g B\nEND\n"
	of_script(concat("", [two, "java -Xmx1g Main"])) == known("1g")
	of_script("echo $((1 << n)); cat <<< word\njava -Xmx1g Main") == known("1g")
}

hardly(why) := {"heap": "", "why": {why, "part of it is filled in when the container starts"}}

too_long := concat("", ["java -Xmx1g Main;", concat("", ["a;" | some _ in numbers.range(1, 1600)])])

test_what_is_hardly_seen if {
	documents := concat("", [" <<A\nA\n" | some _ in numbers.range(1, 51)])
	of_script(concat("", ["java -Xmx1g Main", documents])) == hardly("its script is too long to be read")
	of_script(too_long) == hardly("its script is too long to be read")
	of_script("echo 'java -Xmx1g Main' | bash") == hardly("a shell reads from its input what it runs")
	deep := "scripts start each other four deep, and the fourth is not read"
	seen({"command": ["sh", "-c", nested("java -Xmx1g Main")]}) == hardly(deep)
	models({"command": ["sh", "-c", nested("sleep 9"), "java"]}, {}) == []
}

# Four shells in each other.
nested(command) := sprintf(`sh -c "sh -c 'sh -c \"%s\"'"`, [command])

test_other_ways_to_java if {
	of_script("$JAVA -Xmx1g -jar app.jar") == known("1g")
	of_script("eval java -Xmx1g Main").heap == "1g"
	seen({"command": ["/opt/java/bin/jshell", "-J-Xmx1g"]}).heap == "1g"
	seen({"command": ["env", "-S", "java -Xmx1g Main"]}) == known("1g")
	seen({"command": ["xargs", "java", "-Xmx1g"]}).why != set()
	seen({"command": ["bash", "-lc", "java -Xmx1g Main"]}) == {
		"heap": "1g",
		"why": {"its profile may set or unset variables"},
	}
	seen({"command": ["su", "-", "app", "-c", "java -Xmx1g Main"], "env": tool_options("-Xms1g")}).heap == "1g"
}

# Of several settings of a variable in front of a command the last counts.
test_settings_in_front_of_a_command if {
	of_script("JAVA_TOOL_OPTIONS=-Xmx2g JAVA_TOOL_OPTIONS=-Xmx1g java Main") == known("1g")
	of_script("A=1 A=2 A+=3 java -Xmx1g Main") == known("1g")
	of_script("exec env JAVA_TOOL_OPTIONS=-Xmx2g JAVA_TOOL_OPTIONS=-Xmx1g java Main") == known("1g")
	seen({"command": ["env", "A=1", "A=2", "JAVA_TOOL_OPTIONS=-Xmx1g", "java", "Main"]}) == known("1g")
	beside_shell("JAVA_TOOL_OPTIONS+=' -Xss2m' java Main", tool_options("-Xmx1g")) == known("1g")
}

# What a subshell sets stays in it, so its value is unknown behind it and within.
test_subshells_set_nothing_1 if {
	filled := {"heap": "", "why": {"part of it is filled in when the container starts"}}
	every script in [
		"(export JAVA_TOOL_OPTIONS=-Xmx2g); java Main",
		"(A=1; export JAVA_TOOL_OPTIONS=-Xmx2g; true); java Main",
		"true | export JAVA_TOOL_OPTIONS=-Xmx2g; java Main",
		"export JAVA_TOOL_OPTIONS=-Xmx2g & java Main",
	] {
		of_script(script) == filled
	}
}

test_subshells_set_nothing_2 if {
	filled := {"heap": "", "why": {"part of it is filled in when the container starts"}}
	every script in [
		"export JAVA_TOOL_OPTIONS=-Xmx2g | cat; java Main",
		"O=-Xmx1g; echo | O=-Xmx2g; java $O Main",
		"case a in b) c;; esac; (export JAVA_TOOL_OPTIONS=-Xmx2g); java Main",
	] {
		of_script(script) == filled
	}
}

test_what_a_subshell_leaves if {
	filled := {"heap": "", "why": {"part of it is filled in when the container starts"}}
	of_script("O=-Xmx1g; (cd /x); java $O Main") == known("1g")
	of_script("(cd /x && exec java -Xmx1g Main)") == known("1g")
	beside_shell("(unset JAVA_TOOL_OPTIONS); java Main", tool_options("-Xmx1g")) == filled
	beside_shell("[ $A ] && unset JAVA_TOOL_OPTIONS; java Main", tool_options("-Xmx1g")) == filled
}

many_subshells := concat("", ["(a); " | some _ in numbers.range(1, 51)])

test_many_subshells_with_a_variable if {
	filled := {"heap": "", "why": {"part of it is filled in when the container starts"}}
	of_script(concat("", [many_subshells, "O=-Xmx1g; java $O Main"])) == filled
}

test_many_subshells if {
	of_script(concat("", [many_subshells, "java -Xmx1g Main"])) == known("1g")
}

test_a_subshell_behind_a_case if {
	of_script("case $X in a) Y=1;; esac; (cd /x && exec java -Xmx1g Main)") == known("1g")
	of_script("echo 'in case'; (cd /x && exec java -Xmx1g Main)") == known("1g")
	many := concat("", ["case a in b) c;; esac; " | some _ in numbers.range(1, 51)])
	of_script(concat("", [many, "java -Xmx1g Main"])) == known("1g")
}

test_variables_that_are_withheld if {
	beside_shell("export -n JAVA_TOOL_OPTIONS; java Main", tool_options("-Xmx2g")) == known("")
	beside_shell("declare +x JAVA_TOOL_OPTIONS; java Main", tool_options("-Xmx2g")) == known("")
	beside_shell("export -n A; java Main", tool_options("-Xmx1g")) == known("1g")
	again := "export -n JAVA_TOOL_OPTIONS; export JAVA_TOOL_OPTIONS; java Main"
	beside_shell(again, tool_options("-Xmx1g")) == known("1g")
	beside_shell("export JAVA_TOOL_OPTIONS; export -n JAVA_TOOL_OPTIONS; java Main", tool_options("-Xmx1g")) == known("")
	of_script(`export "JAVA_TOOL_OPTIONS=-Xmx1g -Xss2m"; java Main`) == known("1g")
	of_script(`export 'JAVA_TOOL_OPTIONS=-Xmx1g'; java Main`) == known("1g")
}

test_arguments_of_a_script if {
	of_script(`java -Xmx1g "$@" -Xss2m Main`) == known("1g")
	[none] := models({"command": ["sh", "-c", `java "$@" -Xmx1g -jar app.jar`]}, {})
	none.flags.MaxHeapSize.value == "1g"
	seen({"command": ["sh", "-c", `java "$*" Main`, "sh", "-Xmx1g", "-Xss2m"]}).heap == "1g -Xss2m"
	seen({"command": ["sh", "-c", "java $* Main", "sh", "-Xmx1g", "-Xss2m"]}) == known("1g")
}

# Braces, $'…' and another IFS make other words in one shell or the other.
test_words_that_shells_read_differently if {
	every script in [
		"java -{Xmx1g,Xss2m} Main", "java -Xss{1..2}m Main", "java $'-Xmx1g' Main", `java $"-Xmx1g" Main`,
		"IFS=,; O=-Xmx1g,-Xss1m; java $O Main",
	] {
		count(of_script(script).why) == 1
	}
	of_script("java -Xmx1g -Da='{b,c}' -Db={d} Main") == known("1g")
	of_script(`java -Xmx1g "-Da={b,c}" ${A:-{}} Main`).heap == "1g"
}

test_broken_lines if {
	of_script("java -Xm\\\nx1g Main") == known("1g")
	of_script("java \\\n-Xmx1g \\\n Main") == known("1g")
	of_script("# say \\\njava -Xmx1g Main") == known("1g")
	of_script("# don't\njava \\\n -Xmx1g Main # it's") == known("1g")
	of_script("echo \"it's\" \\\n && java -Xmx1g Main") == known("1g")
	of_script("export JAVA_TOOL_OPTIONS=\"-Xmx1g \\\n-Xss2m\"; java Main") == known("1g")
	[kept] := models({"command": ["sh", "-c", "export JAVA_TOOL_OPTIONS='-Xmx1g \\\n-Xss2m'; java Main"]}, {})
	kept.sources[0].text == "-Xmx1g \\\n-Xss2m"
	[returned] := models({"command": ["sh", "-c", "java -Xmx1g\r\n"]}, {})
	returned.flags.MaxHeapSize.value == "1g\r"
}

test_env_splits_its_operand if {
	why := {"part of it is filled in when the container starts"}
	seen({"command": ["env", "-S", "java ${HEAP} -Xmx1g Main"]}) == {"heap": "1g", "why": why}
	bad := tool_options("-XX:+NoSuchFlag")
	seen({"command": ["env", "-iS", "java -Xmx1g Main"], "env": bad}) == known("1g")
	[j] := models({"command": ["env", "-vS", "java -Xmx1g Main"], "env": bad}, {})
	count(j.startup) == 1
	of_script(`O='-Da="b c" -Xmx1g'; eval exec java $O Main`).heap == "1g"
}
