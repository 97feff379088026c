package headroom.workers_command_test

import data.headroom.reviews_test as reviews
import data.headroom.workers

sizes(container) := [[pool.source, pool.workers] | some pool in found] if {
	found := workers.pools with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [object.union({"name": "app"}, container)]},
	}
}

commands := [
	[["gunicorn", "--workers", "8", "app"], "gunicorn --workers 8"],
	[["gunicorn", "--workers=8", "app"], "gunicorn --workers 8"],
	[["gunicorn", "-w", "8"], "gunicorn --workers 8"],
	[["gunicorn", "-w8"], "gunicorn --workers 8"],
	[["/usr/local/bin/gunicorn", "-w", "2", "-w", "8"], "gunicorn --workers 8"],
	[["python", "-m", "gunicorn", "-w", "8"], "gunicorn --workers 8"],
	[["newrelic-admin", "run-program", "gunicorn", "-w", "8"], "gunicorn --workers 8"],
	[["gunicorn", "-k", "uvicorn.workers.UvicornWorker", "-w", "8"], "gunicorn --workers 8"],
	[["uvicorn", "main:app", "--workers", "8"], "uvicorn --workers 8"],
	[["hypercorn", "main:app", "-w", "8"], "hypercorn --workers 8"],
	[["uwsgi", "--http", ":8080", "--processes", "8", "--threads", "4"], "uwsgi --processes 8"],
	[["uwsgi", "-p", "8"], "uwsgi --processes 8"],
	[["celery", "-A", "celery", "worker", "--concurrency=8"], "celery --concurrency 8"],
	[["celery", "worker", "-c", "8", "-P", "prefork"], "celery --concurrency 8"],
	[["bundle", "exec", "puma", "-w", "8", "-t", "5:5"], "puma --workers 8"],
	[["sh", "-c", "exec gunicorn -w 8 app"], "gunicorn --workers 8"],
	[["/bin/bash", "-ec", "cd /app && gunicorn \\\n  --workers \"8\" app 2>&1 | tee log"], "gunicorn --workers 8"],
	[["bash", "-o", "pipefail", "-c", "migrate; gunicorn --workers='8' app & wait"], "gunicorn --workers 8"],
	[["sh", "-c", "python manage.py migrate\ngunicorn -w 8 app\n"], "gunicorn --workers 8"],
]

test_commands if {
	every entry in commands {
		[command, source] := entry
		sizes({"command": command}) == [[source, 8]]
		sizes({"args": command}) == [[source, 8]]
	}
}

silent := [
	["gunicorn", "app"],
	["gunicorn", "--workers"],
	["run", "-w9", "gunicorn", "app"],
	["run", "-w", "9", "gunicorn", "app"],
	["gunicorn", "--threads", "8"],
	["gunicorn", "-w", "$(nproc)"],
	["gunicorn", "--worker-class", "gevent", "--worker-connections=1000"],
	["uvicorn", "main:app", "-w", "8"],
	["celery", "beat", "-c", "8"],
	["celery", "worker"],
	["celery", "worker", "-c", "500", "-P", "gevent"],
	["celery", "worker", "-c", "500", "--pool=eventlet"],
	["celery", "worker", "-c", "500", "-Pthreads"],
	["unicorn", "-c", "unicorn.rb"],
	["echo", "gunicorn-like", "-w", "8"],
	["sh", "-c", "echo gunicorn; other -w 8"],
	["sh", "-c", "gunicorn -w $WORKERS app"],
	["sh", "-c", "gunicorn -w ${WORKERS:-8} app"],
	["sh", "-c", "gunicorn -w $((2 * $(nproc) + 1)) app"],
	["sh", "-c"],
]

test_commands_that_say_nothing if {
	every command in silent {
		sizes({"command": command}) == []
	}
}

test_command_and_args_are_one if {
	sizes({"command": ["gunicorn"], "args": ["-w", "8"]}) == [["gunicorn --workers 8", 8]]
	sizes({"command": ["gunicorn", 1], "args": [null, "-w", "8", {}]}) == [["gunicorn --workers 8", 8]]
	sizes({"command": ["gunicorn", "-w", 1, "8"]}) == [["gunicorn --workers 8", 8]]
}

test_the_path_of_the_option if {
	found := workers.pools with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "command": ["gunicorn"], "args": ["app", "--workers", "8"]}]},
	}
	found[0].path == ["spec", "containers", 0, "args", 1]
	found[0].runtime == "python"
}

with_env(command, variables) := {
	"command": command,
	"env": [{"name": name, "value": value} | some name, value in variables],
}

test_values_from_variables if {
	sizes(with_env(["gunicorn", "--workers=$(WORKERS)"], {"WORKERS": "8"})) == [["gunicorn --workers 8", 8]]
	sizes(with_env(["sh", "-c", "gunicorn -w $WORKERS"], {"WORKERS": "8"})) == [["gunicorn --workers 8", 8]]
}

test_the_command_line_wins if {
	sizes(with_env(["gunicorn", "-w", "2"], {"WEB_CONCURRENCY": "8"})) == [["gunicorn --workers 2", 2]]
	sizes(with_env(["gunicorn", "-w", "$(nproc)"], {"WEB_CONCURRENCY": "8"})) == []
	every rest in [[], ["-w"], ["--workers"], ["--worker", "2"], ["app", "--bind=-w2"]] {
		command := array.concat(["gunicorn"], rest)
		sizes(with_env(command, {"WEB_CONCURRENCY": "8"})) == [["WEB_CONCURRENCY=8", 8]]
	}
}

test_only_variables_that_the_program_reads if {
	sizes(with_env(["celery", "worker"], {"WEB_CONCURRENCY": "8"})) == []
	sizes(with_env(["uwsgi"], {"WEB_CONCURRENCY": "8"})) == []
	sizes(with_env(["uvicorn", "a"], {"GUNICORN_CMD_ARGS": "-w 4", "WEB_CONCURRENCY": "8"})) == [["WEB_CONCURRENCY=8", 8]]
	sizes(with_env(["unicorn"], {"UNICORN_WORKER_PROCESSES": "8"})) == [["UNICORN_WORKER_PROCESSES=8", 8]]
}

test_the_program_tells_the_runtime if {
	found := workers.pools with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [object.union({"name": "app"}, with_env(["puma"], {"WEB_CONCURRENCY": "8"}))]},
	}
	found[0].runtime == "ruby"
}

test_two_programs_of_one_script if {
	sizes({"command": ["sh", "-c", "celery worker -c 2 & gunicorn -w 4"]}) == [
		["celery --concurrency 2", 2],
		["gunicorn --workers 4", 4],
	]
}

# celery's --autoscale takes the place of --concurrency, and the larger number is the most.
test_autoscale if {
	every range, want in {
		"40,2": [["celery --autoscale 40", 40]],
		"2,40": [["celery --autoscale 40", 40]],
		"0,40": [["celery --autoscale 40", 40]],
		"40": [["celery --autoscale 40", 40]],
		"9,8": [["celery --autoscale 9", 9]],
		"10,9": [["celery --autoscale 10", 10]],
		"$(N),2": [],
		"0": [],
		"many,2": [],
	} {
		sizes({"command": ["celery", "worker", "-c", "4", sprintf("--autoscale=%s", [range])]}) == want
		sizes({"command": ["celery", "worker", "--autoscale", range]}) == want
	}
	sizes({"command": ["celery", "worker", "-P", "threads", "--autoscale=40,2"]}) == []
	sizes({"command": ["gunicorn", "--autoscale=40,2", "-w", "4"]}) == [["gunicorn --workers 4", 4]]
}

# A script that a ConfigMap of the same input puts into the container is read as the one behind sh -c.
mounting(command, script) := reviews.of_object(
	{
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "a", "namespace": "shop"},
		"spec": {
			"containers": [{
				"name": "app", "command": command,
				"resources": {"limits": {"cpu": "2"}},
				"volumeMounts": [{"name": "scripts", "mountPath": "/scripts"}],
			}],
			"volumes": [{"name": "scripts", "configMap": {"name": "scripts"}}],
		},
	},
	{"config_maps": [{"metadata": {"name": "scripts", "namespace": "shop"}, "data": {"start.sh": script}}]},
)

told := [["/scripts/start.sh: gunicorn --workers 12", 12]]

mounted := [
	[["/scripts/start.sh"], "#!/bin/sh\nexec gunicorn -w 12 app\n", told],
	[["bash", "-e", "/scripts/start.sh"], "gunicorn -w 12 app\n", told],
	[["tini", "--", "/scripts/start.sh"], "#!/bin/bash\ngunicorn -w 12 app\n", told],
	[["sh", "-c", "exec /scripts/start.sh"], "#!/bin/sh\ngunicorn -w 12 app\n", told],
	[["/scripts/other.sh"], "#!/bin/sh\ngunicorn -w 12 app\n", []],
	[["gunicorn", "-c", "/scripts/start.sh", "-w", "4"], "workers = 8\n", [["gunicorn --workers 4", 4]]],
	[["sh", "-c", "/scripts/start.sh"], "#!/bin/sh\nnode server.js\n", []],
	[["cat", "/scripts/start.sh"], "#!/bin/sh\ngunicorn -w 12 app\n", []],
	[["/scripts/start.sh"], "#!/usr/bin/python\ngunicorn -w 12 app\n", []],
]

test_mounted_scripts if {
	every case in mounted {
		[command, script, want] := case
		got := [[pool.source, pool.workers] | some pool in workers.pools] with input as mounting(command, script)
		got == want
	}
}

test_mounted_script_counts_cores if {
	script := "#!/bin/sh\nexec gunicorn -w $(nproc) app\n"
	[pool] := [p | some p in workers.counters("python")] with input as mounting(["/scripts/start.sh"], script)
	contains(pool.text, "--workers $(nproc)")
	pool.path == ["spec", "containers", 0, "command", 0]
}
