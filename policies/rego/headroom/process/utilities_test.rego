package headroom.process_test

import data.headroom.process

test_commands_that_run_no_server if {
	every command in [
		["sleep", "1h"],
		["/bin/sleep", "infinity"],
		["sh", "-c", "until nc -z kafka 9092; do echo waiting for java; sleep 1; done"],
		["bash", "-ec", "if [ -f /a ]; then\n  cp /a /b\nfi"],
		["sh", "-c", "FROM=1 exec chown -R 1000 /data && chmod 700 /data"],
		["sh", "-c", "sysctl -w vm.max_map_count=262144"],
	] {
		process.only_utilities(command)
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
		not process.only_utilities(command)
	}
}
