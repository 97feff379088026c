package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

runs(command) if jvm.runs_other({"raw": {"command": command}})

runs(command) := false if not jvm.runs_other({"raw": {"command": command}})

test_commands_that_run_no_jvm if {
	every command in [
		["sleep", "1h"],
		["/bin/sleep", "infinity"],
		["sh", "-c", "until nc -z kafka 9092; do echo waiting for java; sleep 1; done"],
		["bash", "-ec", "if [ -f /a ]; then\n  cp /a /b\nfi"],
		["sh", "-c", "FROM=1 exec chown -R 1000 /data && chmod 700 /data"],
		["sh", "-c", "sysctl -w vm.max_map_count=262144"],
	] {
		runs(command)
	}
}

test_commands_that_may_run_one if {
	every command in [
		[],
		["java", "-jar", "a.jar"],
		["/entrypoint.sh"],
		["sh", "-c", "sleep 5; exec java -jar a.jar"],
		["sh", "-c", "cat list | xargs java"],
		["sh", "-c", "mkdir -p /data && /run.sh"],
		["sh", "-c", "while true; do sleep 1; done & exec /app/start"],
		["sh", "-c", "echo $(java -version)"],
		["sh", "-c", ""],
		["tini", "--", "sleep", "1h"],
	] {
		not runs(command)
	}
}

# What the image and its variables would start does not run then; what is declared does.
test_a_container_that_sleeps if {
	sleeping := {
		"image": "apache/kafka:4.0.0",
		"command": ["sleep", "1h"],
		"env": [{"name": "KAFKA_HEAP_OPTS", "value": "-Xmx1g"}],
	}
	models(sleeping, {}) == []
	models(object.union(sleeping, {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}]}), {}) == []
	count(models(sleeping, {"runtime.headroom.dev/app": "jvm"})) == 1
}
