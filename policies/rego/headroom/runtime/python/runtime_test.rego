package headroom.runtime.python_test

import data.headroom.runtime.python
import data.headroom.runtimes

pod(annotation, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"runtime.headroom.dev/app": annotation}},
	"spec": {"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)]},
}

counts(container) := [counter.count | some counter in found] if {
	found := python.counters with input as pod("python", container)
}

test_celery_counts_the_node if {
	every case in [
		[["celery", "-A", "shop", "worker"], [0]],
		[["celery", "-A", "shop", "worker", "-c", "4"], []],
		[["celery", "-A", "shop", "worker", "--autoscale=8,2"], []],
		[["sh", "-c", "celery worker --autoscale=8,2 -c $(nproc)"], []],
		[["celery", "-A", "shop", "worker", "-P", "gevent"], []],
		[["celery", "-A", "shop", "beat"], []],
		[["sh", "-c", "exec celery -A shop worker -l info"], [0]],
		[["sh", "-c", "exec airflow celery worker"], []],
		[["airflow", "celery", "worker"], []],
		[["gunicorn", "shop"], []],
	] {
		[command, want] := case
		counts({"command": command}) == want
	}
	container := {"name": "app", "command": ["celery", "worker"]}
	init := {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [container]}}
	python.counters == [] with input as init
}

test_airflow_says_how_many if {
	counts({"image": "apache/airflow:2.9.3", "args": ["celery", "worker"]}) == []
	counts({"image": "example.com/shop:1", "args": ["celery", "worker"]}) == [0]
	counts({"image": null, "command": ["celery", "worker"]}) == [0]
}

mounting(container, text) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [object.union({"name": "app", "volumeMounts": [{"name": "conf", "mountPath": "/conf"}]}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	}},
	"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"settings": text}}]},
}

by_core := "import multiprocessing\nworkers = multiprocessing.cpu_count() * 2 + 1\n"

by_variable := "import os\nworkers = int(os.getenv('WORKERS', os.cpu_count()))\n"

test_workers_by_the_core if {
	every case in [
		[{"command": ["gunicorn", "-c", "/conf/settings", "app"]}, by_core, [0]],
		[{"command": ["gunicorn", "-c", "/conf/settings", "app"]}, "workers = 4\n# cpu_count()", []],
		[{"command": ["gunicorn", "-c", "/conf/settings", "app"]}, "import os\nworkers = 4 # not cpu_count()\n", []],
		[{"command": ["gunicorn", "-c", "/conf/settings", "-w", "2", "app"]}, by_core, []],
		[{"command": ["gunicorn", "-c", "/etc/settings", "app"]}, by_core, []],
		[{"command": ["uwsgi", "--ini", "/conf/settings"]}, by_core, []],
		[
			{"command": ["gunicorn", "-c", "/conf/settings", "app"]},
			"import multiprocessing\ncores = multiprocessing.cpu_count()\nworkers = min(cores * 2 + 1, 16)\n", [0],
		],
		[
			{"command": ["gunicorn", "-c", "/conf/settings", "app"]},
			"import multiprocessing\ncores = multiprocessing.cpu_count()\nworkers = 4 # not cores\n", [],
		],
		[{"command": ["gunicorn", "-c", "/conf/settings", "app"]}, by_variable, [0]],
		[
			{
				"command": ["gunicorn", "-c", "/conf/settings", "app"],
				"env": [{"name": "WORKERS", "value": "3"}],
			},
			by_variable, [],
		],
		[
			{
				"command": ["gunicorn", "-c", "/conf/settings", "app"],
				"env": [{"name": "GUNICORN_CMD_ARGS", "value": "-w 2"}],
			},
			by_core, [],
		],
	] {
		[container, text, want] := case
		found := python.counters with input as mounting(container, text)
		[counter.count | some counter in found] == want
	}
}

test_images_with_workers_by_the_core if {
	image := "tiangolo/uvicorn-gunicorn-fastapi:python3.11"
	every case in [
		[{"image": image}, [0]],
		[{"image": concat("/", ["mirror.example", image])}, [0]],
		[{"image": image, "command": ["/start.sh"]}, []],
		[{"image": image, "args": ["--help"]}, []],
		[{"image": image, "env": [{"name": "WEB_CONCURRENCY", "value": "2"}]}, []],
		[{"image": image, "env": [{"name": "MAX_WORKERS", "value": "2"}]}, []],
		[{"image": image, "envFrom": [{"secretRef": {"name": "settings"}}]}, []],
		[{"image": "example.com/uvicorn-gunicorn:1"}, []],
	] {
		[container, want] := case
		counts(container) == want
	}
}

sizes(annotation, command) := [floor(one.terms[0].bytes / 1048576) | some one in found] if {
	found := python.ceilings with input as pod(annotation, {"command": command})
}

test_memory_of_workers if {
	sizes("python worker=180Mi", ["gunicorn", "-w", "8", "shop"]) == [1440]
	sizes("python version=3.12 worker=1Gi", ["gunicorn", "-w", "2", "shop"]) == [2048]
	sizes("python", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("python worker=many", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("ruby worker=180Mi", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("python worker=180Mi", ["gunicorn", "shop"]) == []
	some one in python.ceilings with input as pod("python worker=180Mi", {"command": ["gunicorn", "-w", "8", "shop"]})
	one.expected == "at most 5 workers, or limits.memory of 1600Mi"
}

test_words_of_the_annotation if {
	every word in ["worker=180Mi", "worker=1G", "version=3.12"] {
		runtimes.reads("python", word)
	}
	every word in ["worker=0", "worker=", "threads=2"] {
		not runtimes.reads("python", word)
	}
}

# Each case: a command, and what its number of workers is worked out by; "" where it is not.
test_workers_that_a_script_works_out if {
	every case in [
		["gunicorn -w $(nproc) shop", "--workers $(nproc)"],
		["exec gunicorn --workers=$((2 * $(nproc) + 1)) shop", "--workers $((2 * $(nproc) + 1))"],
		["gunicorn --workers \"$(getconf _NPROCESSORS_ONLN)\" shop", "--workers $(getconf _NPROCESSORS_ONLN)"],
		["W=$(nproc); exec gunicorn -w $W shop", "--workers $(nproc)"],
		["W=$(nproc)\nexec gunicorn -w ${W} shop", "--workers $(nproc)"],
		["export WEB_CONCURRENCY=$(nproc); exec gunicorn shop", "WEB_CONCURRENCY=$(nproc)"],
		["uvicorn shop:app --workers `nproc`", "--workers `nproc`"],
		["N=$(nproc); gunicorn -w $((2*N+1)) shop", "--workers $((2*N+1))"],
		["N=$(nproc); W=$((2 * $N + 1)); gunicorn -w $W shop", "--workers $((2 * $N + 1))"],
		["N=$(cat workers); gunicorn -w $((2*N+1)) shop", ""],
		["celery -A shop worker -c $(nproc)", "--concurrency $(nproc)"],
		["gunicorn -w $(cat workers) shop", ""],
		["gunicorn -w $W shop", ""],
		["W=$(nproc); gunicorn -w 4 shop", ""],
		["echo $(nproc); gunicorn shop", ""],
		["celery -A shop beat -c $(nproc)", ""],
	] {
		[script, want] := case
		found := python.counters with input as pod("python", {"command": ["sh", "-c", script]})
		concat("", [by | some counter in found; contains(counter.text, want); by := want]) == want
		{true: 0, false: 1}[want == ""] == count(found)
	}
}

test_threads_of_workers if {
	every case in [["8", 1], ["4", 0], ["many", 0]] {
		[threads, want] := case
		found := python.allocators with input as pod("python", {"command": ["gunicorn", "--threads", threads, "shop"]})
		count(found) == want
	}
	python.allocators == [] with input as pod("python", {"command": ["gunicorn", "shop"]})
}
