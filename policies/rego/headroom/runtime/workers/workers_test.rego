package headroom.runtime.workers_test

import data.headroom.runtime.workers

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

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_what_is_not_known_is_silent if {
	pools({"env": [secret("WEB_CONCURRENCY")]}) == []
	pools({"env": [secret("GUNICORN_CMD_ARGS"), {"name": "WEB_CONCURRENCY", "value": "8"}]}) == []
	pools({"env": [secret("UV_THREADPOOL_SIZE")]}) == []
	pools({"envFrom": [{"secretRef": {"name": "s"}}, {"configMapRef": {"name": "elsewhere"}}]}) == []
}

test_config_maps_of_the_same_input if {
	found := workers.pools with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": pod({}, {"envFrom": [{"configMapRef": {"name": "web"}}]}),
		"context": {"config_maps": [{"metadata": {"name": "web"}, "data": {"WEB_CONCURRENCY": "8"}}]},
	}
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
