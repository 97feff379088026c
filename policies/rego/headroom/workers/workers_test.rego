package headroom.workers_test

import data.headroom.reviews_test as reviews
import data.headroom.workers

pod(annotations, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [object.union({"name": "app"}, container)]},
}

pools(container) := found if {
	found := workers.pools with input as pod({}, container)
}

sizes(container) := [[pool.source, pool.workers] | some pool in pools(container)]

env(variables) := {"env": [{"name": name, "value": value} | some name, value in variables]}

test_a_pool if {
	[pool] := pools(env({"WEB_CONCURRENCY": "8"}))
	pool.container == "app"
	pool.c.name == "app"
	object.remove(pool, ["c", "container"]) == {
		"workers": 8,
		"per": "process",
		"source": "WEB_CONCURRENCY=8",
		"path": ["spec", "containers", 0, "env", 0, "value"],
		"k": 1,
		"assumed": true,
		"usual": 1,
		"runtime": "",
	}
}

test_nothing_says_anything if {
	pools({}) == []
	pools({"env": [{"name": "PATH", "value": "/"}], "command": ["/bin/server"], "args": ["--workers", "9"]}) == []
	pools({"env": null, "command": null, "args": [1, null, {}]}) == []
}

variables := {
	"UNICORN_WORKER_PROCESSES": "ruby",
	"PUMA_WORKERS": "ruby",
	"WEB_CONCURRENCY": "",
}

test_variables if {
	every name, runtime in variables {
		[pool] := pools(env({name: "3"}))
		[pool.workers, pool.per, pool.runtime] == [3, "process", runtime]
	}
}

test_a_declared_runtime if {
	found := workers.pools with input as pod(
		{"runtime.headroom.dev/app": "node"},
		env({"WEB_CONCURRENCY": "3"}),
	)
	found[0].runtime == "node"
}

test_sizes_that_are_none if {
	every value in ["", "0", "auto", "-1", "1.5", "$(nproc)", "1000000", " 4"] {
		pools(env({"WEB_CONCURRENCY": value})) == []
	}
}

test_the_stronger_variable_decides if {
	sizes(env({"PUMA_WORKERS": "2", "WEB_CONCURRENCY": "8"})) == [["PUMA_WORKERS=2", 2]]
	sizes(env({"PUMA_WORKERS": "many", "WEB_CONCURRENCY": "8"})) == []
}

test_the_first_that_tells_the_runtime_decides if {
	sizes(env({"PUMA_WORKERS": "2", "UNICORN_WORKER_PROCESSES": "4"})) == [["UNICORN_WORKER_PROCESSES=4", 4]]
	sizes(env({"PUMA_WORKERS": "2", "GUNICORN_CMD_ARGS": "-w 4"})) == [["GUNICORN_CMD_ARGS --workers 4", 4]]
}

# One container runs a program that is known, the other shows a variable only.
test_a_container_beside_one_with_a_program if {
	found := workers.pools with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
		{"name": "app", "command": ["gunicorn", "-w", "2"]},
		object.union({"name": "beside", "command": ["/start"]}, env({"WEB_CONCURRENCY": "3"})),
		{"name": "other", "args": ["--workers", "4"]},
		object.union({"name": "puma", "command": ["puma"]}, env({"WEB_CONCURRENCY": "5"})),
	]}}
	[[pool.container, pool.workers, pool.runtime] | some pool in found] == [
		["app", 2, "python"],
		["beside", 3, ""],
		["puma", 5, "ruby"],
	]
}

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_what_is_not_known_is_silent if {
	pools({"env": [secret("WEB_CONCURRENCY")]}) == []
	pools({"env": [secret("GUNICORN_CMD_ARGS"), {"name": "WEB_CONCURRENCY", "value": "8"}]}) == []
	pools({"env": [secret("UV_THREADPOOL_SIZE")]}) == []
	pools({"envFrom": [{"secretRef": {"name": "s"}}, {"configMapRef": {"name": "elsewhere"}}]}) == []
}

test_config_maps_of_the_same_input if {
	found := workers.pools with input as reviews.of_object(
		pod({}, {"envFrom": [{"configMapRef": {"name": "web"}}]}),
		{"config_maps": [{"metadata": {"name": "web"}, "data": {"WEB_CONCURRENCY": "8"}}]},
	)
	found[0].workers == 8
	found[0].path == ["spec", "containers", 0, "envFrom", 0]
}

test_gunicorn_cmd_args if {
	sizes(env({"GUNICORN_CMD_ARGS": "--bind=0.0.0.0 --workers=3"})) == [["GUNICORN_CMD_ARGS --workers 3", 3]]
	sizes(env({"GUNICORN_CMD_ARGS": "-w 3 --threads 8"})) == [["GUNICORN_CMD_ARGS --workers 3", 3]]
	sizes(env({"GUNICORN_CMD_ARGS": "--bind=0.0.0.0", "WEB_CONCURRENCY": "5"})) == [["WEB_CONCURRENCY=5", 5]]
}

test_libuv_threads if {
	[pool] := pools(env({"UV_THREADPOOL_SIZE": "16"}))
	[pool.workers, pool.per, pool.runtime] == [16, "thread", "node"]
	count(pools(env({"UV_THREADPOOL_SIZE": "16", "WEB_CONCURRENCY": "2"}))) == 2
	pools(env({"UV_THREADPOOL_SIZE": "large"})) == []
}

# Each of two runtimes is shown by its own pool, and in its own container.
test_a_pool_shows_its_runtime if {
	both := env({"PUMA_WORKERS": "3", "UV_THREADPOOL_SIZE": "16"})
	pods := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
		object.union({"name": "web"}, both),
		object.union({"name": "beside"}, env({"PUMA_WORKERS": "2"})),
		{"name": "other"},
	]}}
	found := {name: workers.found(name) | some name in ["node", "python", "ruby"]} with input as pods
	found == {
		"node": {0: {"sure": true, "evidence": "UV_THREADPOOL_SIZE=16"}},
		"python": {},
		"ruby": {
			0: {"sure": true, "evidence": "PUMA_WORKERS=3"},
			1: {"sure": true, "evidence": "PUMA_WORKERS=2"},
		},
	}
}

k_of(declared) := [pool.k | some pool in found] if {
	found := workers.pools with input as pod(
		{"cores-per-worker.headroom.dev/app": declared},
		env({"WEB_CONCURRENCY": "8"}),
	)
}

test_cores_per_worker if {
	k_of("0.8") == [0.8]
	k_of("500m") == [0.5]
	k_of("2") == [2]
	k_of("1m") == [0.001]
	every declared in ["0", "half", "", "-1"] {
		k_of(declared) == []
	}
}

test_init_containers_are_over_before_it_matters if {
	found := workers.pools with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"initContainers": [object.union(
			{"name": "init", "command": ["gunicorn", "-w", "9"]},
			env({"WEB_CONCURRENCY": "8"}),
		)]},
	}
	found == []
}

mounting(container, text) := reviews.of_pod(
	{},
	{
		"containers": [object.union({"name": "app", "volumeMounts": [{"name": "conf", "mountPath": "/conf"}]}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	},
	{"config_maps": [{"metadata": {"name": "conf"}, "data": {"settings": text}}]},
)

in_files := [
	[["gunicorn", "-c", "/conf/settings", "app"], "workers = 8\n", ["/conf/settings: workers = 8"]],
	[["gunicorn", "--config=/conf/settings", "app"], "bind=':80'\nworkers=8 # enough\n", ["/conf/settings: workers=8"]],
	[["uwsgi", "--ini", "/conf/settings"], "[uwsgi]\nprocesses = 8\n", ["/conf/settings: processes = 8"]],
	[["gunicorn", "-c", "/conf/settings", "-w", "2", "app"], "workers = 8\n", ["gunicorn --workers 2"]],
	[["gunicorn", "-c", "/conf/settings", "app"], "def f():\n  workers = 8\n", []],
	[["gunicorn", "-c", "/conf/settings", "app"], "workers = cpu_count()\n", []],
	[["gunicorn", "-c", "/etc/settings", "app"], "workers = 8\n", []],
	[["gunicorn", "-c", "settings.py", "app"], "workers = 8\n", []],
]

test_files if {
	every case in in_files {
		[command, text, want] := case
		found := workers.pools with input as mounting({"command": command}, text)
		[pool.source | some pool in found] == want
	}
}

test_variables_and_files if {
	command := ["gunicorn", "-c", "/conf/settings", "app"]
	every case in [
		["GUNICORN_CMD_ARGS", "--workers 3", "GUNICORN_CMD_ARGS --workers 3"],
		["WEB_CONCURRENCY", "3", "/conf/settings: workers = 8"],
	] {
		[name, value, want] := case
		container := {"command": command, "env": [{"name": name, "value": value}]}
		found := workers.pools with input as mounting(container, "workers = 8\n")
		[pool.source | some pool in found] == [want]
	}
}
