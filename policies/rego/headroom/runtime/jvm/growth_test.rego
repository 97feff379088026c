package headroom.runtime.jvm_test

import data.headroom.process

_times(text, n) := concat("", [text | some _ in numbers.range(1, n)])

_kilobyte := [{"name": "A", "value": _times("y", 1000)}]

_unread := hardly("its script is too long to be read")

# What is written in 600 bytes may be 300 KB.
test_a_script_that_becomes_long if {
	beside_shell(concat("", ["java -Xmx1g ", _times("$A", 300), " Main"]), _kilobyte) == _unread
	beside_shell(concat("", ["java -Xmx1g ", _times("${A} ", 300), " Main"]), _kilobyte) == _unread
	beside_shell(concat("", ["java -Xmx1g -Da=", _times("$A", 3), " Main"]), _kilobyte) == known("1g")
	beside_shell(concat("", ["java -Xmx1g ", _times("$B", 3000), " Main"]), _kilobyte).why != _unread.why
}

test_variables_that_double if {
	script := sprintf("B=%s; C=%s; D=%s; java -Xmx1g $D Main", [_times("$A", 7), _times("$B", 7), _times("$C", 7)])
	beside_shell(script, _kilobyte) == _unread
	appended := concat("", ["B=x; ", _times("B+=$A; ", 2), "java -Xmx1g -Da=$B Main"])
	beside_shell(appended, _kilobyte) == known("1g")
}

test_arguments_that_are_handed_on_often if {
	long := _times("y", 1000)
	seen({"command": ["sh", "-c", concat("", ["java -Xmx1g ", _times("$@ ", 300), "Main"]), "x", long]}) == _unread
	seen({"command": ["sh", "-c", concat("", ["java -Xmx1g ", _times("$1 ", 300), "Main"]), "x", long]}) == _unread
	seen({"command": ["sh", "-c", "java -Xmx1g -Da=$1 Main", "x", long]}) == known("1g")
}

test_many_variables if {
	of_script(concat("", [_settings(process.max_settings), "java -Xmx1g Main"])) == known("1g")
}

test_too_many_variables if {
	of_script(concat("", [_settings(process.max_settings + 1), "java -Xmx1g Main"])) == _unread
	of_script(concat("", ["export", _times(" A", process.max_settings), "; java -Xmx1g Main"])) == _unread
}

_settings(n) := concat("", [concat(" ", [sprintf("A%d=1", [i]) | some i in numbers.range(1, n)]), "; "])

test_a_few_commands_with_many_names if {
	of_script("export A B C; java -Xmx1g Main") == known("1g")
}

test_how_long_a_script_becomes if {
	shell := {
		"script": "A=$A$A; x $A",
		"arguments": [],
		"name": "sh",
		"set": {"A": "yy"},
		"emptied": true,
		"c": {"path": []},
	}
	all := process.steps(shell.script)
	process.becomes(shell, all) > count(shell.script)
	process.becomes(object.union(shell, {"script": "x y"}), process.steps("x y")) == 3
	appending := object.union(shell, {"script": "A+=y; x $A"})
	process.becomes(appending, process.steps(appending.script)) > count(appending.script)
}
