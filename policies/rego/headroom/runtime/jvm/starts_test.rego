package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Each is where what the CEL looks for begins, up to what follows the name of java.
test_starts if {
	matches := {
		"_java_start": "\u0001tini\u0001--\u0001/usr/bin/java\u0001",
		"_script_start": "exec java ",
		"_script_call": "exec java ",
		"_through_script_start": "\u0001/entrypoint.sh\u0001java\u0001",
	}
	texts := {
		"_java_start": "\u0001tini\u0001--\u0001/usr/bin/java\u0001-jar\u0001a.jar",
		"_script_start": "exec java -jar a.jar",
		"_script_call": "exec java -jar a.jar",
		"_through_script_start": "\u0001/entrypoint.sh\u0001java\u0001-jar",
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
