package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

test_files_of_options if {
	cases := {
		"@/etc/flags": "an argument file holds options",
		"-XX:VMOptionsFile=/etc/flags": "a file holds options",
		"-XX:Flags=/etc/flags": "a file holds options",
	}
	every option, why in cases {
		j := under_java([option])
		j.unknown == [{"what": "command line", "why": why, "path": at(["args"]), "unreadable": true}]
		not j.visible
	}
	under_java(["-Dmail=a@b", "-Da=-XX:Flags=b"]).unknown == []
}

# The rules' question whether a default may be trusted.
test_blind if {
	not jvm.blind(under_java([]))
	not jvm.blind(under_java(["@/etc/flags"]))
	[secret] := review(
		{"command": ["java"], "env": [
			{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
		]},
		[],
	)
	jvm.blind(secret)
	[all_of_it] := review({"command": ["java"], "envFrom": [{"secretRef": {"name": "s"}}]}, [])
	all_of_it.secret
	not jvm.blind(all_of_it)
}

unread(container, annotations) := [[r.path, r.text] | some r in jvm.not_read(model(container, annotations))]

test_variables_that_nobody_expands if {
	unread({"command": ["java", "-jar", "a.jar"], "env": java_opts}, {}) == [[
		at(["env", 0, "value"]),
		"JAVA_OPTS holds JVM flags, but no JVM reads it and the command does not expand it: they have no effect.",
	]]
	every text in ["-Da=b", "-ea", "-javaagent:/a.jar", "-server", "--add-opens=a/b=c", "-verbose:gc", "-agentlib:x"] {
		count(unread({"command": ["java", "Main"], "env": [{"name": "JAVA_OPTS", "value": text}]}, {})) == 1
	}
}

test_variables_that_do_no_harm if {
	every container in [
		{"command": ["sh", "-c", "java $JAVA_OPTS Main"], "env": java_opts},
		{"command": ["java", "$(JAVA_OPTS)", "Main"], "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]},
		{"command": ["java", "Main"], "env": [{"name": "JAVA_OPTS", "value": "some words"}]},
		{"command": ["java", "Main"], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}]},
		{"command": ["java", "Main"], "env": [{"name": "JAVA_OPTS", "valueFrom": {"fieldRef": {"fieldPath": "x"}}}]},
		{"image": "tomcat", "env": java_opts},
		{"command": ["/run.sh"], "env": java_opts},
	] {
		unread(container, {}) == []
	}
}

test_flags_after_the_jar if {
	unread({"command": ["java"], "args": ["-jar", "/app.jar", "--port=1", "-Xmx1g", "-XX:+UseG1GC"]}, {}) == [[
		at(["args"]),
		"-Xmx1g after the class or jar: java hands it to the program, and the JVM does not see it.",
	]]
	unread({"command": ["java", "Main", "-Xss1m\n"]}, {})[0][1] == concat(" ", [
		"-Xss… after the class or jar:",
		"java hands it to the program, and the JVM does not see it.",
	])
	unread({"command": ["java", "-Xmx1g", "Main", "-Xfoo", "-Dx=-Xmx2g"]}, {}) == []
}

test_what_java_8_passes_over if {
	on_8 := {"jvm.headroom.dev/app": "version=8"}
	container := {"command": ["java", "Main"], "env": [{"name": "JDK_JAVA_OPTIONS", "value": "-Xmx1g"}]}
	unread(container, on_8) == [[at(["env", 0, "value"]), "JDK_JAVA_OPTIONS: Java 8 does not know this variable."]]
	unread(container, {}) == []
	unread(container, {"jvm.headroom.dev/app": "version=11"}) == []
}

# A Secret that no JVM reads and the command does not expand hides nothing.
test_a_secret_beside_a_command_in_sight if {
	from_secret := {"secretKeyRef": {"name": "s", "key": "k"}}
	container := {"command": ["java", "-jar", "a.jar"], "env": [{"name": "JAVA_OPTS", "valueFrom": from_secret}]}
	[in_sight] := review(container, [])
	in_sight.unknown == []
	not in_sight.secret
	[expanded] := review(object.union(container, {"command": ["sh", "-c", "java $JAVA_OPTS Main"]}), [])
	expanded.secret
}

# A JVM that the manifest does not start reads what a script may hand to it.
test_a_secret_behind_what_is_not_in_sight if {
	env := [{"name": "JAVA_OPTS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
	every row in [
		[{"command": ["java", "Main"]}, [], false, true],
		[{"command": ["/run.sh"]}, ["JAVA_OPTS", "the command"], true, false],
		[{"args": ["java", "Main"]}, ["JAVA_OPTS", "the image's entrypoint"], true, false],
		[{"image": "openjdk"}, ["JAVA_OPTS", "the image's entrypoint"], true, false],
	] {
		j := model(object.union({"env": env}, row[0]), {})
		[u.what | some u in j.unknown] == row[1]
		[j.secret, j.visible] == [row[2], row[3]]
	}
}

test_a_script_in_args_is_behind_the_entrypoint if {
	j := model({"args": ["sh", "-c", ". ./env.sh; java Main"]}, {})
	[u.what | some u in j.unknown] == ["the image's entrypoint"]
	not j.visible
}

# What is known to be there hides nothing.
test_variables_that_are_known_hide_nothing if {
	j := model({"command": ["java", "-Xmx1g", "Main"], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xss1m"}]}, {})
	j.unknown == []
	j.visible
	[absent] := review(
		{"command": ["java"], "envFrom": from("numbers", "")},
		[config_map("numbers", {"JAVA_TOOL_OPTIONS": 5})],
	)
	absent.unknown == []
	absent.visible
}

test_variables_behind_what_is_not_in_sight_may_be_read if {
	unread({"args": ["java", "Main"], "env": java_opts}, {}) == []
	unread({"args": ["sh", "-c", "java Main"], "env": java_opts}, {}) == []
	count(unread({"command": ["sh", "-c", "java Main"], "env": java_opts}, {})) == 1
}

test_a_hidden_value_and_what_is_read_elsewhere if {
	[j] := review(
		{
			"command": ["java", "Main"],
			"env": [
				{"name": "JAVA_OPTS", "value": "-Xmx1g"},
				{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
			],
		},
		[],
	)
	[u.what | some u in j.unknown] == ["JAVA_TOOL_OPTIONS"]
	j.visible
	j.secret
}
