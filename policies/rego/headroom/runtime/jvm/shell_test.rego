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
	deep := "shells stand in each other deeper than is read"
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
