package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

commanded(command) := models({"command": command}, {})

# Commands whose java is to be seen, with a maximum heap of 1 GiB as their only JVM flag.
plain_commands := [
	["java", "-Xmx1g", "-jar", "/app.jar"],
	["/usr/bin/java", "-Xmx1g", "Main"],
	["/opt/java/openjdk/bin/java", "-cp", "/app:/lib", "-Xmx1g", "Main", "-Xss9m"],
	["java", "--module-path", "/m", "--add-opens", "a/b=ALL", "-Xmx1g", "-m", "app/Main"],
	["/sbin/tini", "--", "java", "-Xmx1g", "Main"],
	["tini", "-g", "-vv", "--", "/bin/java", "-Xmx1g", "Main"],
	["dumb-init", "java", "-Xmx1g", "Main"],
	["/usr/bin/env", "A=b", "LANG=C", "java", "-Xmx1g", "Main"],
	["nice", "-n", "10", "java", "-Xmx1g", "Main"],
	["gosu", "app", "java", "-Xmx1g", "Main"],
	["tini", "--", "su-exec", "app:app", "java", "-Xmx1g", "Main"],
	["chpst", "-u", "app", "java", "-Xmx1g", "Main"],
	["sh", "-c", "java -Xmx1g -jar /app.jar"],
	["/bin/sh", "-ec", "exec java -Xmx1g -jar /app.jar"],
	["bash", "-o", "pipefail", "-c", "cd /app && exec java -Xmx1g -jar app.jar"],
	["sh", "-c", "java \\\n  -Xmx1g \\\n  -jar app.jar"],
	["sh", "-c", "java '-Xmx1g' -Da=\"b c\" Main | tee -a /log"],
	["sh", "-c", "java -Xm\\x1g Main > /log -Xss2m"],
	["sh", "-c", "if true; then java -Xmx1g Main; fi"],
	["sh", "-c", "ulimit -n 1024; A=b C=\"d e\" nohup java -Xmx1g Main & wait"],
	["sh", "-c", "exec gosu app:app /opt/jdk/bin/java -Xmx1g Main"],
	["sh", "-c", "exec \"/opt/jdk/bin/java\" -Xmx1g Main"],
	["tini", "--", "bash", "-c", "echo hello\njava -Xmx1g Main"],
]

test_plain_commands if {
	every command in plain_commands {
		[j] := commanded(command)
		j.sure
		j.evidence == "its command runs java"
		j.visible
		j.unknown == []
		object.keys(j.flags) == {"MaxHeapSize"}
		j.flags.MaxHeapSize == {"value": "1g", "source": "command line", "path": at(["command"])}
	}
}

test_commands_that_run_no_java if {
	every command in [
		["javac", "Main.java"],
		["/opt/java/bin/jcmd", "1", "Thread.print"],
		["sh", "-c", "echo java"],
		["sh", "-c", "rm -rf /tmp/java"],
		["sh", "-c", "javadoc -Xmx1g Main"],
		["cat", "/etc/java"],
		["java.sh"],
		[5, null, "java-tool"],
		["sh", "java"],
		["sh", "-e", "/java"],
	] {
		commanded(command) == []
	}
}

test_a_command_too_long_is_not_read if {
	long := concat("", ["x" | some _ in numbers.range(1, 131072)])
	[unread] := commanded(["java", "-Xmx1g", long])
	unread.secret
	count(unread.flags) == 0
	"it is longer than 128 KiB and was not read" in [u.why | some u in unread.unknown]
	commanded(["node", "-Xmx1g", long]) == []
	[j] := commanded(["java", "-Xmx1g", substring(long, 0, 131000)])
	j.flags.MaxHeapSize.value == "1g"
}

test_a_thousand_arguments if {
	[j] := commanded(array.concat(["java"], array.concat(
		[sprintf("-Da%d=b", [i]) | some i in numbers.range(1, 1000)],
		["-Xmx1g", "Main"],
	)))
	j.flags.MaxHeapSize.value == "1g"
	j.startup == []
}

test_arguments_in_args if {
	[j] := models({"command": ["java"], "args": ["-Xmx1g", 5, "-jar", "/app.jar", "-Xmx2g"]}, {})
	j.flags.MaxHeapSize == {"value": "1g", "source": "command line", "path": at(["args"])}
	[split_up] := models({"command": ["sh", "-c"], "args": ["exec java -Xmx1g Main"]}, {})
	split_up.flags.MaxHeapSize.path == at(["args"])
}

# args that begin with java run it, behind an unknown entrypoint.
test_java_in_args_only if {
	[j] := models({"args": ["java", "-Xmx1g", "-jar", "/app.jar"]}, {})
	j.sure
	not j.visible
	j.flags.MaxHeapSize.value == "1g"
	j.unknown == [{
		"what": "the image's entrypoint",
		"why": "the manifest has no command",
		"path": at(["command"]),
		"unreadable": false,
	}]
	[j_shell] := models({"args": ["sh", "-c", "java -Xmx2g Main"]}, {})
	not j_shell.visible
	j_shell.flags.MaxHeapSize.value == "2g"
}

test_java_through_a_script if {
	[j] := commanded(["/entrypoint.sh", "java", "-Xmx1g", "-jar", "/app.jar"])
	j.sure
	not j.visible
	j.flags.MaxHeapSize.value == "1g"
	j.unknown == [{
		"what": "the command",
		"why": "a script starts java, and may add flags",
		"path": at(["command"]),
		"unreadable": false,
	}]
}

test_flags_of_a_jvm_without_java_in_its_command if {
	[j] := models({"args": ["-Xmx$(HEAP)", "-jar", "a.jar", "-Xss2m"], "env": [{"name": "HEAP", "value": "1g"}]}, {})
	[object.remove(s, ["options"]) | some s in j.sources] == [{
		"name": "args",
		"rank": 3,
		"assumed": true,
		"path": at(["args"]),
		"text": "-Xmx1g -jar",
		"words": ["-Xmx1g", "-jar"],
	}]
	j.flags.MaxHeapSize.value == "1g"
	not j.visible
}

# What a shell does before java can set what java reads.
test_scripts_before_java if {
	every script in [
		"source /etc/profile && java -Xmx1g Main",
		". ./env.sh; java -Xmx1g Main",
		"eval $(cat env); java -Xmx1g Main",
	] {
		[j] := commanded(["sh", "-c", script])
		j.sure
		not j.visible
		j.unknown == [{
			"what": "the script before java",
			"why": "it runs other files that may set variables",
			"path": at(["command"]),
			"unreadable": false,
		}]
	}
}

shell(script, env) := found if [found] := models({"command": ["sh", "-c", script], "env": env}, {})

java_opts := [{"name": "JAVA_OPTS", "value": "-Xmx1g -Xss512k"}]

test_a_shell_expands_literal_variables if {
	every script in ["exec java $JAVA_OPTS -jar a.jar", "java ${JAVA_OPTS} -jar a.jar"] {
		j := shell(script, java_opts)
		j.visible
		j.unknown == []
		j.flags.MaxHeapSize == {"value": "1g", "source": "command line", "path": at(["command"])}
		j.flags.ThreadStackSize.value == "Xss512k"
	}
}

test_a_shell_hides_what_is_not_literal if {
	secret := [{"name": "JAVA_OPTS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
	every case in [
		["exec java $JAVA_OPTS -Xmx1g -jar a.jar", []],
		["java $JAVA_OPTS -Xmx1g Main", secret],
		["java ${JAVA_OPTS:--Xmx2g} -Xmx1g Main", []],
		["java ${JAVA_OPTS%x} -Xmx1g Main", java_opts],
		["if true; then JAVA_OPTS=-Xmx2g; fi; java $JAVA_OPTS -Xmx1g Main", java_opts],
		["for JAVA_OPTS in a b; do :; done; java $JAVA_OPTS -Xmx1g Main", java_opts],
		["read -r JAVA_OPTS < /flags; java $JAVA_OPTS -Xmx1g Main", java_opts],
		["java $(cat /flags) -Xmx1g Main", []],
		["java `cat /flags` -Xmx1g Main", []],
		["set -- $(cat /flags); java $@ -Xmx1g Main", []],
	] {
		j := shell(case[0], case[1])
		not j.visible
		j.flags.MaxHeapSize.value == "1g"
		some u in j.unknown
		u.what == "command line"
		u.why == "part of it is filled in when the container starts"
	}
}

# $(JAVA_OPTS) in args is one argument, whatever it holds.
test_the_kubelet_expands_to_one_argument if {
	[j] := models({"command": ["java", "$(JAVA_OPTS)", "Main"], "env": java_opts}, {})
	[r] := j.startup
	r.all
	r.reason == "one argument holds several; each must be an argument of its own"
	[one] := models({"command": ["java", "$(JAVA_OPTS)", "Main"], "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}, {})
	one.startup == []
	one.flags.MaxHeapSize.value == "1g"
}

# Each is where what the CEL looks for begins, up to what follows the name of java.
test_starts if {
	matches := {
		"_java_start": "\u0001tini\u0001--\u0001/usr/bin/java\u0001",
		"_script_start": "exec java ",
		"_script_call": "exec java ",
		"_through_script_start": "\u0001/entrypoint.sh\u0001java\u0001",
		"_one_command": `a "b; c" \; d`,
		"_shell_word": `a"b c"'d e'\ f`,
		"_sets_options": "JAVA_TOOL_OPTIONS=",
	}
	texts := {
		"_java_start": "\u0001tini\u0001--\u0001/usr/bin/java\u0001-jar\u0001a.jar",
		"_script_start": "exec java -jar a.jar",
		"_script_call": "exec java -jar a.jar",
		"_through_script_start": "\u0001/entrypoint.sh\u0001java\u0001-jar",
		"_one_command": `a "b; c" \; d; e`,
		"_shell_word": `a"b c"'d e'\ f g`,
		"_sets_options": "export JAVA_TOOL_OPTIONS=-Xmx1g",
	}
	every name, match in matches {
		regex.find_n(jvm[name], texts[name], 1) == [match]
	}
	not regex.match(jvm._java_start, "\u0001javac\u0001a")
	not regex.match(jvm._script_start, "exec javac a")
}

test_releases_and_updates if {
	every version in ["8", "17", "8u372", "17.0.3", "21.0.8+9", "25-ea"] {
		regex.match(jvm._release, version)
	}
	every version in ["", "x", "017", "8ux"] {
		not regex.match(jvm._release, version)
	}
	regex.match(jvm._update, "8u372-b07")
	regex.match(jvm._update, "17.0.3")
	not regex.match(jvm._update, "17")
}

# Words that are no text are passed over, and one word is enough.
test_a_command_of_one_word if {
	every container in [
		{"command": ["java"]},
		{"args": ["java"]},
		{"command": [5, "java", null]},
		{"args": ["java", 5]},
	] {
		[j] := models(container, {})
		j.evidence == "its command runs java"
	}
	[j] := models({"command": ["java", 5, "-Xmx1g", "Main"]}, {})
	j.flags.MaxHeapSize == {"value": "1g", "source": "command line", "path": at(["command"])}
	[beside_numbers] := models({"command": ["java", "-Xmx1g", "Main"], "args": [5]}, {})
	beside_numbers.flags.MaxHeapSize.path == at(["command"])
}

# A command without a word of text does not count, so the image may still say what runs.
test_a_command_without_text if {
	count(models({"image": "tomcat:11", "command": [5]}, {})) == 1
	models({"image": "tomcat:11", "command": [5, "run"]}, {}) == []
	jvm.command_of({"raw": {"command": [5]}, "path": []}) == {"java": false, "given": false}
	jvm.command_of({"raw": {"command": ["run"]}, "path": []}) == {"java": false, "given": true}
	jvm.command_of({"raw": {"args": ["run"]}, "path": []}) == {"java": false, "given": false}
	jvm.command_of({"raw": {"args": ["javac"]}, "path": []}) == {"java": false, "given": false}
	jvm.command_of({"raw": {"command": ["javac"]}, "path": []}) == {"java": false, "given": true}
}

# A separator stands before each word.
test_the_longest_command if {
	word := concat("", ["x" | some _ in numbers.range(1, 131066)])
	jvm.command_of({"raw": {"command": ["java", substring(word, 1, -1)]}, "path": []}).certain
	not jvm.command_of({"raw": {"command": ["java", word]}, "path": []}).certain
}

test_a_variable_of_a_shell_has_a_name if {
	j := shell("java $- -Xmx1g Main", [{"name": "-", "value": "-Xss2m"}])
	not j.visible
	object.keys(j.flags) == {"MaxHeapSize"}
}
