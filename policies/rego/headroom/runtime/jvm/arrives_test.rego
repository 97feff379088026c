package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

_arrives_with(container) if {
	[found] := jvm.jvms with input as pod_of_app(container)
	jvm.surely_arrives(found)
}

_in_shell(script) := {"command": ["sh", "-c", script]}

# tests/integration/launch starts JVMs behind these and more.
test_what_surely_arrives if {
	every container in [
		{"command": ["java", "-jar", "a.jar"]},
		{"command": ["java"], "args": ["-jar", "a.jar"]},
		{"command": ["tini", "-g", "--", "timeout", "60", "env", "A=b", "/opt/bin/java", "Main"]},
		{"command": ["setpriv", "--reuid", "1000", "--regid=0", "--clear-groups", "java", "Main"]},
		{"command": ["chpst", "-u", "app", "java", "Main"]},
		{"command": ["bash", "-o", "pipefail", "-ec", "exec java $JAVA_OPTS Main"]},
		{"command": ["busybox", "sh", "-c", "java Main"]},
		_in_shell("exec java -Xmx1g -Da=\"${X:-3}\" -jar 'a b.jar' \"$@\"\n"),
		_in_shell("set -e\ncd /app\nexport A=b C\nA=b exec java \\\n  Main;"),
		_in_shell("/opt/wait --for db && sleep 1; JAVA_HOME=/x exec \"$JAVA_HOME/bin/java\" Main >/log 2>&1"),
	] {
		_arrives_with(container)
	}
}

test_what_may_not_arrive if {
	every container in [
		{"command": ["env", "-i", "java", "Main"]},
		{"command": ["env", "-vi", "java", "Main"]},
		{"command": ["env", "--ignore-env", "java", "Main"]},
		{"command": ["env", "-u", "A", "java", "Main"]},
		{"command": ["setpriv", "--reset-e", "java", "Main"]},
		{"command": ["chpst", "-e", "dir", "java", "Main"]},
		{"command": ["strace", "-E", "A", "java", "Main"]},
		{"command": ["nsenter", "-t", "1", "-e", "java", "Main"]},
		{"command": ["sudo", "java", "Main"]},
		{"command": ["/entrypoint.sh", "java", "-jar", "a.jar"]},
		{"args": ["java", "-jar", "a.jar"]},
		{"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}]},
		{"command": ["bash", "-lc", "java Main"]},
		{"command": ["ksh", "-c", "java Main"]},
		{"command": ["zsh", "-c", "java Main"]},
		{"command": ["bash", "-c", "java Main"], "env": [{"name": "BASH_ENV", "value": "/env"}]},
		{"command": ["bash", "-c", "java Main"], "env": [{"name": "BASH_FUNC_java%%", "value": "() { env -i java; }"}]},
		_in_shell(". /env; java Main"),
		_in_shell("\\. /env; java Main"),
		_in_shell("eval \"$(cat /env)\"; java Main"),
		_in_shell("trap 'unset $A' DEBUG; java Main"),
		_in_shell("java() { env -i java; }; java Main"),
		_in_shell("export $A; java Main"),
		_in_shell("for v in A; do unset $v; done; java Main"),
		_in_shell("env -i java Main"),
		_in_shell("exec -c java Main"),
		_in_shell("echo '$(A)'; java Main"),
		_in_shell("setup; java Main"),
		_in_shell("java Main & java Main"),
		_in_shell("$JAVA -jar a.jar"),
	] {
		not _arrives_with(container)
	}
}

_through_script(container, record) if {
	found := started_by(record, container)
	jvm.surely_arrives(found)
}

test_what_arrives_through_a_script_that_was_read if {
	record := {"line": [{"options": "-Xmx1g"}], "entrypoint": ["/run.sh"]}
	_through_script({}, record)
	_through_script({"command": ["tini", "--", "/run.sh"]}, record)
	_through_script({"command": ["/run.sh", "start"]}, record)
	not _through_script({"command": ["env", "-i", "/run.sh"]}, record)
	not _through_script({"command": ["sh", "-c", "unset A; /run.sh"]}, record)
	not _through_script({}, object.union(record, {"unsets": ["JAVA_TOOL_OPTIONS"]}))
	not _through_script({}, object.union(record, {"drops_environment": true}))
}

test_words_that_take_variables_away if {
	every words in [
		["env", "-i", "app"], ["sudo", "app"], ["su", "-", "app"], ["sh", "-c", ". /env; app"],
		["sh", "-c", "\\. /env; app"], ["sh", "-c", "'eval' app"], ["bash", "-lc", "app"], ["sh", "-c", "exec -c app"],
		["sh", "-c", "exec -a b -c app"], ["bash", "-c", "trap 'unset A' DEBUG; app"], ["setpriv", "--reset-env", "app"],
		["bash", "-c", "export -n A; app"],
	] {
		jvm.takes_away({"id": 0, "raw": {"command": words}})
	}
	every words in [["app"], ["env", "A=b", "app"], ["sh", "-c", "exec app --evaluate"], ["tini", "--", "app"]] {
		not jvm.takes_away({"id": 0, "raw": {"command": words}})
	}
}
