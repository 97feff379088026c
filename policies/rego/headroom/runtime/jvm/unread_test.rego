package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

_firm(container, name) := jvm.firm(j, name, "error") if [j] := review(container, [])

_secret(prefix) := [{"secretRef": {"name": "db"}, "prefix": prefix}]

_java(more) := object.union({"command": ["java", "-Xmx2g", "-jar", "a.jar"]}, more)

_tool(text, more) := object.union(
	{"command": ["java", "-jar", "a.jar"], "env": [{"name": "JAVA_TOOL_OPTIONS", "value": text}]},
	more,
)

_picked(name) := {"env": [{"name": name, "valueFrom": {"secretKeyRef": {"name": "db", "key": "k"}}}]}

# The command line gives way to _JAVA_OPTIONS alone, a variable to what is stronger.
test_a_source_that_may_win if {
	every container in [
		_java({"envFrom": _secret("")}),
		_java({"envFrom": _secret("_JAVA")}),
		_java(_picked("_JAVA_OPTIONS")),
		{"command": ["java", "-Xmx2g", "@/etc/flags", "-jar", "a.jar"]},
		{"command": ["/start.sh"], "args": ["java", "-Xmx2g", "-jar", "a.jar"]},
		_tool("-Xmx2g", {"envFrom": _secret("")}),
		_tool("-Xmx2g", {"envFrom": _secret("JDK")}),
		object.union(_tool("-Xmx2g", {"envFrom": _secret("JAVA_")}), {"command": []}),
	] {
		_firm(container, "MaxHeapSize") == "warning"
	}
}

test_a_source_that_cannot_win if {
	every container in [
		_java({}),
		_java({"envFrom": _secret("JAVA_")}),
		_java({"envFrom": _secret("DB_")}),
		_java(_picked("JAVA_TOOL_OPTIONS")),
		_tool("-Xmx2g", {"envFrom": _secret("JAVA_")}),
	] {
		_firm(container, "MaxHeapSize") == "error"
	}
}

# -Xmx wins over a share and a default, and a budget rests on more than the heap.
test_any_source_may_win_over_other_flags if {
	every name in ["MaxRAMPercentage", ""] {
		_firm(_java(_picked("JAVA_TOOL_OPTIONS")), name) == "warning"
		_firm(_java({}), name) == "error"
	}
	_firm({"command": ["java", "-jar", "a.jar"], "envFrom": _secret("")}, "MaxHeapSize") == "warning"
}

# Blanks in what is filled in part a variable and what a shell takes apart, but no argument of a process.
test_parts_that_are_filled_in if {
	x := {"name": "X", "valueFrom": {"secretKeyRef": {"name": "db", "key": "k"}}}
	in_variable := {"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx2g -Da=$(X)"}
	_firm({"command": ["java", "-jar", "a.jar"], "env": [x, in_variable]}, "MaxHeapSize") == "warning"
	_firm({"command": ["sh", "-c", "java -Xmx2g -Da=$X -jar a.jar"], "env": [x]}, "MaxHeapSize") == "warning"
	_firm({"command": ["java", "-Xmx2g", "-Da=$(X)", "-jar", "a.jar"], "env": [x]}, "MaxHeapSize") == "error"
}

# What the image sets gives way to envFrom.
test_a_variable_of_the_image if {
	container := _tool("-Xmx2g", {"envFrom": _secret("JAVA_"), "inside": {"env": 0}})
	_firm(container, "MaxHeapSize") == "warning"
}

test_which_source_is_named if {
	[j] := review(_java({"envFrom": _secret("")}), [])
	jvm.unless_stronger(j, "MaxHeapSize") == ["This does not apply if Secret db sets another value."]
	[file] := review({"command": ["java", "@/etc/flags", "-jar", "a.jar"]}, [])
	said := "This does not apply if the command line (an argument file holds options) sets another value."
	jvm.unless_stronger(file, "") == [said]
	[seen] := review(_java({}), [])
	jvm.unless_stronger(seen, "") == []
}

# No flag is written beside what may be split into further ones.
test_no_flags_beside_words_that_are_filled_in if {
	x := {"name": "X", "valueFrom": {"secretKeyRef": {"name": "db", "key": "k"}}}
	in_variable := {"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx2g -Da=$(X)"}
	[split] := review({"image": "eclipse-temurin:21", "command": ["java", "-jar", "a.jar"], "env": [x, in_variable]}, [])
	not jvm.injectable(split)
	[whole] := review({"image": "eclipse-temurin:21", "command": ["java", "-Da=$(X)", "-jar", "a.jar"], "env": [x]}, [])
	jvm.injectable(whole)
}
